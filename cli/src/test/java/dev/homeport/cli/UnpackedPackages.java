package dev.homeport.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Packages of Debian and its kin, unpacked once into the cache without installing anything. */
final class UnpackedPackages {
    private UnpackedPackages() {}

    /** A folder, which does not exist if the packages could not be downloaded. */
    static Path of(String name, List<String> packages) throws IOException, InterruptedException {
        Path root = cache().resolve(name);
        if (!Files.isDirectory(root)) {
            unpack(packages, root);
        }
        return root;
    }

    /** Where its libraries are, as {@code LD_LIBRARY_PATH} has it. */
    static String libraries(Path tree) {
        try (Stream<Path> folders = Files.walk(tree.resolve("usr/lib"), 1)) {
            return String.join(":", folders.map(Path::toString).sorted().toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path cache() {
        String folder = System.getenv("XDG_CACHE_HOME");
        Path base = folder == null || folder.isEmpty()
                ? Path.of(System.getProperty("user.home"), ".cache")
                : Path.of(folder);
        return base.resolve("homeport").resolve("shells");
    }

    private static void unpack(List<String> packages, Path root) throws IOException, InterruptedException {
        Files.createDirectories(root.getParent());
        Path half = Files.createTempDirectory(root.getParent(), "unpack");
        try {
            List<String> download = new ArrayList<>(List.of("apt-get", "download", "-q"));
            download.addAll(packages);
            if (!done(half, download)) {
                return;
            }
            Path tree = Files.createDirectory(half.resolve("tree"));
            try (Stream<Path> files = Files.list(half)) {
                for (Path file :
                        files.filter(one -> one.toString().endsWith(".deb")).toList()) {
                    if (!done(half, List.of("dpkg-deb", "-x", file.toString(), tree.toString()))) {
                        return;
                    }
                }
            }
            // fish looks for both beside itself before it looks where it would be installed.
            if (Files.isDirectory(tree.resolve("etc"))) {
                Files.move(tree.resolve("etc"), tree.resolve("usr/etc"));
            }
            Files.move(tree, root, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            try (Stream<Path> left = Files.walk(half)) {
                left.sorted(Comparator.reverseOrder())
                        .forEach(one -> one.toFile().delete());
            }
        }
    }

    private static boolean done(Path folder, List<String> command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
                return false;
            }
            return process.exitValue() == 0;
        } catch (IOException e) {
            return false; // there is no such program here
        }
    }
}
