package dev.homeport.server.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.testing.TestRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same on a system without epoll, in a process of its own because Netty decides once. */
@Tag("slow")
class WithoutEpollTest {
    @TempDir
    private Path folder;

    @Test
    void nothingStaysBehindWithTheTransportOfTheJdk() throws Exception {
        Path log = folder.resolve("log");
        Process child = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-Dio.netty.transport.noNative=true",
                        "-cp",
                        System.getProperty("java.class.path"),
                        TestRun.class.getName(),
                        AllStatesTest.class.getName()))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(child.waitFor(5, TimeUnit.MINUTES)).as("it ends").isTrue();
            assertThat(child.exitValue()).as(() -> read(log)).isZero();
        } finally {
            child.destroyForcibly();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
