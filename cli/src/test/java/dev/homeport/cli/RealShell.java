package dev.homeport.cli;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A shell that people use: the one that is installed, or else, on Debian and its kin, that of the packages, unpacked once into the
 * cache without installing anything. Elsewhere the test is skipped and says so.
 *
 * @param root where packages were unpacked; none for an installed shell
 */
record RealShell(Path program, Optional<Path> root) {
    private static final Map<String, List<String>> PACKAGES = Map.of(
            "zsh", List.of("zsh", "zsh-common", "libcap2"),
            "fish", List.of("fish", "fish-common", "libpcre2-32-0"));

    static RealShell named(String name) throws IOException, InterruptedException {
        for (String folder : System.getenv("PATH").split(":", -1)) {
            Path program = Path.of(folder, name);
            if (Files.isExecutable(program)) {
                return new RealShell(program, Optional.empty());
            }
        }
        Path root = cache().resolve(name);
        if (!Files.isDirectory(root)) {
            unpack(PACKAGES.get(name), root);
        }
        for (String place : List.of("usr/bin", "bin")) {
            if (Files.isExecutable(root.resolve(place).resolve(name))) {
                return new RealShell(root.resolve(place).resolve(name), Optional.of(root));
            }
        }
        return abort(name + " is not installed and its packages could not be got: apt install " + name);
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

    /** Libraries that came along, and nothing of the user's. */
    ProcessBuilder process(List<String> words) {
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        root.ifPresent(tree -> builder.environment().put("LD_LIBRARY_PATH", libraries(tree)));
        builder.environment().put("TERM", "dumb");
        return builder;
    }

    private static String libraries(Path tree) {
        try (Stream<Path> folders = Files.walk(tree.resolve("usr/lib"), 1)) {
            return String.join(":", folders.map(Path::toString).sorted().toList());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** What an unpacked zsh must be told before anything else. */
    String zshFindsItself() throws IOException {
        if (root.isEmpty()) {
            return "";
        }
        try (Stream<Path> modules = Files.find(
                        root.get().resolve("usr/lib"),
                        3,
                        (path, what) -> what.isDirectory() && path.getParent().endsWith("zsh"));
                Stream<Path> functions = Files.walk(root.get().resolve("usr/share/zsh/functions"))) {
            return "module_path=(" + modules.findFirst().orElseThrow() + ")\nfpath=("
                    + String.join(
                            " ",
                            functions
                                    .filter(Files::isDirectory)
                                    .map(Path::toString)
                                    .toList())
                    + ")\n";
        }
    }
}
