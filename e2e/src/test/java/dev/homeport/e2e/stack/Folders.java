package dev.homeport.e2e.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Where things are. */
public final class Folders {
    /** The project's. */
    public static final Path ROOT = Path.of(System.getProperty("homeport.root"));

    /** What e2e/build made. */
    static final Path CACHE = cache().resolve("homeport/e2e");

    /** State and logs of this run; those of the run before are removed. */
    static final Path RUN = fresh(ROOT.resolve("e2e/target/stack"));

    private Folders() {}

    /** Path of a program that e2e/build made. */
    public static String program(String name) {
        Path program = CACHE.resolve("bin").resolve(name);
        if (!Files.isExecutable(program)) {
            throw new IllegalStateException(program + " is missing: run ./e2e/build");
        }
        return program.toString();
    }

    /** Something else that e2e/build left beside the programs. */
    public static Path data(String name) {
        return CACHE.resolve(name);
    }

    static Path made(Path folder) {
        try {
            return Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path cache() {
        String set = System.getenv("XDG_CACHE_HOME");
        return set == null || set.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(set);
    }

    private static Path fresh(Path folder) {
        if (Files.exists(folder)) {
            try (Stream<Path> old = Files.walk(folder)) {
                for (Path path : old.sorted(java.util.Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(path);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return made(folder);
    }
}
