package dev.homeport.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.snapshot.FollowerState;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A running server counts how old its snapshot is on a clock that cannot be set. */
class FreshnessClockTest {
    @Test
    void freshnessIsCountedOnTheMonotonicClock(@TempDir Path folder) {
        long begun = System.nanoTime();
        try (TestServer server = TestServer.in(folder)) {
            assertThat(server.running().node().follower.state())
                    .isInstanceOfSatisfying(
                            FollowerState.Following.class,
                            state -> assertThat(state.confirmedAt()).isBetween(begun, System.nanoTime()));
        }
    }
}
