package dev.homeport.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A server whose memory has run out ends, so that it is started again, whatever its loops survive. */
class ExitOnOutOfMemoryTest {
    private static final Path LIB =
            Path.of(Objects.requireNonNull(System.getProperty("homeport.root")), "build-tools", "lib.sh");

    /** Takes all memory, as often as it can, and survives what is thrown, as a loop of the server does. */
    static final class Greedy {
        private Greedy() {}

        public static void main(String[] args) throws InterruptedException {
            while (true) {
                try {
                    List<byte[]> taken = new ArrayList<>();
                    while (taken.size() < Integer.MAX_VALUE) {
                        taken.add(new byte[1024 * 1024]);
                    }
                } catch (Throwable e) {
                    System.out.println("survived");
                    Thread.sleep(100);
                }
            }
        }
    }

    @Test
    void theLaunchersOptionsEndTheProcess() throws Exception {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(launcherOptions());
        command.addAll(List.of("-Xmn8m", "-Xms16m", "-Xmx32m", "-cp", System.getProperty("java.class.path")));
        command.add(Greedy.class.getName());
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .contains("Terminating due to java.lang.OutOfMemoryError")
                    .doesNotContain("survived");
            assertThat(process.exitValue()).isNotZero();
        } finally {
            process.destroyForcibly();
        }
    }

    private static List<String> launcherOptions() throws Exception {
        String script = "ROOT=/\n. '" + LIB + "'\njvm_options server\nprintf '%s\\n' \"${JVM_OPTIONS[@]}\"\n";
        Process process = new ProcessBuilder("bash", "-c", script).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return said.lines().toList();
    }
}
