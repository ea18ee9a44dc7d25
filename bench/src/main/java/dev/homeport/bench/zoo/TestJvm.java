package dev.homeport.bench.zoo;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs tests of one module in a JVM of their own, with what Surefire would give them. */
final class TestJvm {
    /** What became of the tests. */
    enum Result {
        PASSED,
        FAILED,
        HUNG,
        NOT_RUN
    }

    /** A test that waits for what a bug prevents takes its time; longer than this is a failure too. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Path root;
    private final Path log;

    TestJvm(Path root, Path log) {
        this.root = root;
        this.log = log;
    }

    /** The class path that ./bench/run has written for a module's tests: libraries and folders of classes. */
    static List<Path> classPath(Path root, String module) throws IOException {
        Path file = root.resolve("target/zoo").resolve(module + ".classpath");
        return Stream.of(Files.readString(file).strip().split(File.pathSeparator, -1))
                .map(Path::of)
                .toList();
    }

    Result run(String module, List<Path> classPath, List<String> tests) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                // Most of the time is that of a start.
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dhomeport.depth=quick",
                "-Dhomeport.root=" + root,
                "-cp",
                String.join(
                        File.pathSeparator,
                        classPath.stream().map(Path::toString).toList()),
                "dev.homeport.testing.TestRun"));
        command.addAll(tests);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(root.resolve(module).toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("HOMEPORT_KEYRING", "off");
        Process child = builder.start();
        try {
            if (!child.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                return Result.HUNG;
            }
            return switch (child.exitValue()) {
                case 0 -> Result.PASSED;
                case 2 -> Result.NOT_RUN;
                default -> Result.FAILED;
            };
        } finally {
            child.descendants().forEach(ProcessHandle::destroyForcibly);
            child.destroyForcibly();
        }
    }
}
