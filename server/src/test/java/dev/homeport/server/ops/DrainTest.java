package dev.homeport.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.observe.PollLog;
import dev.homeport.observe.PollLog.From;
import dev.homeport.server.storage.Storage;
import dev.homeport.store.Opening;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SIGTERM under load: what was asked is answered, what was seen is saved, and the process ends with 0. */
class DrainTest {
    @TempDir
    private Path folder;

    @Test
    void noRequestIsCutAndTheLastPollsAreSaved() throws Exception {
        Path data = folder.resolve("data");
        try (ServerProcess first = ServerProcess.serve(data)) {
            first.terminate();
            assertThat(first.awaitExit()).isZero();
        }
        Storage storage = SeededFleet.storage("--data", data.toString());
        List<String> tokens;
        try (SeededFleet fleet = SeededFleet.in(storage)) {
            tokens = fleet.clusters(20);
        }
        try (ServerProcess server = ServerProcess.serve(data);
                PollLoad load = new PollLoad(server.poll(), tokens, 8)) {
            load.awaitMore(200, 200);
            server.terminate();
            assertThat(server.awaitExit()).isZero();
            load.close();
            assertThat(load.statuses().keySet()).isSubsetOf(200, -1, 0);
            // A connection that the kernel has and the server has not accepted yet is reset with the socket, as in any
            // server.
            assertThat(load.count(0)).as("cut: %s", load.statuses()).isLessThanOrEqualTo(1);
        }
        try (PollLog observed = storage.observed(Opening.Mode.FOLLOWER)) {
            assertThat(observed.since(Instant.EPOCH, From.EVERYBODY))
                    .hasSize(20)
                    .allMatch(poll -> poll.status() == 200);
            assertThat(observed.wasServed("c7")).isTrue();
        }
    }
}
