package dev.homeport.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestServer;
import dev.homeport.testing.OutsideIn;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster is late by the interval that it has, not by one that it has yet to learn. */
@OutsideIn
class ShownIntervalTest {
    @TempDir
    Path folder;

    @Test
    void aShorterIntervalMakesNobodySilentWhoDoesNotHaveItYet() {
        try (TestServer server = TestServer.in(folder)) {
            Flux told = Flux.adopt(server, "told");
            Flux untold = Flux.adopt(server, "untold");
            untold.pollEvery("1h");
            told.pollEvery("1h");
            interval(server, "untold", "500ms");
            interval(server, "told", "500ms");
            assertThat(seconds(server, "untold")).as("what it has shown").isEqualTo(3600);

            server.stop();
            server.startAgain();
            Await.until(() -> seconds(server, "untold"), shown -> shown == 3600);
            told.at(server.poll("").base()).pollEvery("500ms");
            Await.until(() -> state(server, "told"), "silent"::equals);
            assertThat(seconds(server, "told")).isEqualTo(0.5);
            assertThat(state(server, "untold"))
                    .as("it polled before the one that is silent, and has not learnt of the change")
                    .isEqualTo("in-sync");
            assertThat(seconds(server, "untold")).isEqualTo(3600);
        }
    }

    @Test
    void ofManifestsThatDoNotShowItPollsAreMeasured() throws InterruptedException {
        try (TestServer server = TestServer.in(folder)) {
            Flux older = Flux.adopt(server, "older");
            older.poll();
            Thread.sleep(1500);
            older.poll();
            interval(server, "older", "10ms");
            assertThat(seconds(server, "older"))
                    .as("it was seen to poll further apart")
                    .isGreaterThanOrEqualTo(1);
        }
    }

    /** Manifests may set another interval than the document, which says nothing here. */
    @Test
    void witnessesLookAsOftenAsTheClusterPolls() {
        try (TestServer server = TestServer.in(folder)) {
            Flux flux = Flux.adopt(server, "looks");
            assertThat(every(flux)).isEqualTo("600s");
            flux.pollEvery("1m");
            assertThat(every(flux)).isEqualTo("60s");
            flux.pollEvery("30s");
            assertThat(every(flux)).isEqualTo("30s");
        }
    }

    private static String every(Flux flux) {
        return flux.witnesses().at("/items/0/every").stringValue();
    }

    private static void interval(TestServer server, String cluster, String interval) {
        server.admin()
                .patch("/api/v2/clusters/" + cluster, "{\"spec\":{\"poll_interval\":\"" + interval + "\"}}")
                .expect(200);
    }

    private static String state(TestServer server, String cluster) {
        return server.admin()
                .get("/api/v2/clusters/" + cluster)
                .expect(200)
                .at("/status/state")
                .asString();
    }

    private static double seconds(TestServer server, String cluster) {
        return server.admin()
                .get("/api/v2/clusters/" + cluster + "/delivery")
                .expect(200)
                .at("/poll_interval_seconds")
                .asDouble();
    }
}
