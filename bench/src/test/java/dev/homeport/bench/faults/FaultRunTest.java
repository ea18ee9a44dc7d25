package dev.homeport.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.Main;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The short form of {@code ./bench/run faults}. */
@Tag("slow")
class FaultRunTest {
    private static final FaultOptions SHORT = new FaultOptions(120, Duration.ofSeconds(8), 150, 32, 8, 2, 7);

    @Test
    void nothingIsDeletedWithoutAReasonAndAPlantedBugIsCounted(@TempDir Path folder) throws Exception {
        List<String> homeport = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName());
        try (KilledServer server = KilledServer.start(homeport, folder.resolve("data"))) {
            FaultRun run = new FaultRun(server, FaultsBenchmark.enrol(server, SHORT.clusters()), SHORT);
            FaultRun.Result result = run.run(false);
            assertThat(result.unexplained())
                    .as("unexplained deletions, of %s", result.reasons())
                    .isZero();
            assertThat(result.unseen()).as("removals without a report").isEmpty();
            assertThat(result.answered()).as("answered outside the kills").isGreaterThanOrEqualTo(0.95);
            assertThat(result.figures().deletions())
                    .as("what went")
                    .isGreaterThanOrEqualTo(result.removals())
                    .isEqualTo(
                            result.reasons().values().stream().mapToInt(n -> n).sum());
            assertThat(result.kills()).isEqualTo(SHORT.kills());
            assertThat(result.figures().older()).as("older after newer").isZero();

            assertThat(run.run(true).unexplained()).as("with a bug planted").isPositive();
        }
    }
}
