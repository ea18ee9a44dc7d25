package dev.homeport.e2e.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** However a run ends, its pipe to the undertaker ends with it. */
class UndertakerTest {
    @Test
    void whatWasNotStoppedEndsWithTheRun() throws Exception {
        Process left = sleep();
        Process stopped = sleep();
        Process undertaker =
                new ProcessBuilder(Folders.ROOT.resolve("e2e/undertaker").toString()).start();
        try {
            try (Writer run = undertaker.outputWriter(StandardCharsets.US_ASCII)) {
                run.write("+%1$d\n+%2$d\n-%2$d\n".formatted(left.pid(), stopped.pid()));
            }
            assertThat(left.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(undertaker.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(stopped.isAlive())
                    .as("it ends the registered processes, and nothing else")
                    .isTrue();
        } finally {
            left.destroyForcibly();
            stopped.destroyForcibly();
            undertaker.destroyForcibly();
        }
    }

    private static Process sleep() throws IOException {
        return new ProcessBuilder("sleep", "60").start();
    }
}
