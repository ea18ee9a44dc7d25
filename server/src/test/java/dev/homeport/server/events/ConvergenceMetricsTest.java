package dev.homeport.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestServer;
import dev.homeport.testing.OutsideIn;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@OutsideIn
class ConvergenceMetricsTest {
    private static final String STAGE = "homeport_change_convergence_seconds_count{stage=\"%s\"} %d";

    private static String metrics(TestServer server) {
        return server.admin().get("/metrics").expect(200).text();
    }

    private static String listed(TestServer server) {
        return server.admin()
                .get("/api/v2/clusters?filter=state%3Apending")
                .expect(200)
                .text();
    }

    private static void await(TestServer server, String line) {
        Await.until(() -> metrics(server), page -> page.contains(line));
    }

    @Test
    void aChangeIsTimedUntilItWasServedAppliedAndHealthy(@TempDir Path folder) {
        try (TestServer server = TestServer.in(folder)) {
            Flux flux = Flux.adopt(server, "timed", "timed");
            String first = flux.poll();
            flux.post(flux.release("timed", "InstallSucceeded", "1.0.0", first)).expect(202);
            Await.until(() -> metrics(server), page -> page.contains("state=\"in-sync\"} 1.0"));
            assertThat(metrics(server)).contains(STAGE.formatted("served", 0), STAGE.formatted("healthy", 0));

            server.admin()
                    .send(
                            "PATCH",
                            "/api/v2/clusters/timed",
                            "{\"spec\":{\"patches\":{\"timed\":{\"replicas\":3}}}}",
                            Map.of("Content-Type", "application/merge-patch+json"))
                    .expect(200);
            Await.until(() -> listed(server), page -> page.contains("timed"));
            String second = flux.poll();
            await(server, STAGE.formatted("served", 1));
            assertThat(metrics(server)).contains(STAGE.formatted("applied", 0), STAGE.formatted("healthy", 0));
            flux.post(flux.release("timed", "UpgradeSucceeded", "1.0.0", second))
                    .expect(202);
            await(server, STAGE.formatted("healthy", 1));
            await(server, STAGE.formatted("applied", 1));
            // A failure and its end are no change.
            flux.post(flux.release("timed", "UpgradeFailed", "1.0.0", second)).expect(202);
            Await.until(() -> metrics(server), page -> page.contains("state=\"failing\"} 1.0"));
            flux.post(flux.release("timed", "UpgradeSucceeded", "1.0.0", second))
                    .expect(202);
            Await.until(() -> metrics(server), page -> page.contains("state=\"in-sync\"} 1.0"));
            assertThat(metrics(server)).contains(STAGE.formatted("healthy", 1));
        }
    }

    @Test
    void pollsAreLateWhenTheyComeAfterTheirInterval(@TempDir Path folder) {
        try (TestServer server = TestServer.in(folder)) {
            Flux flux = Flux.adopt(server, "punctual", "punctual");
            flux.poll();
            Await.until(() -> metrics(server), page -> page.contains("state=\"applying\"} 1.0"));
            flux.poll();
            String counted = "homeport_poll_lateness_seconds_count 3";
            await(server, counted);
            assertThat(metrics(server))
                    .contains("homeport_poll_lateness_seconds_bucket{le=\"1.0\"} 3")
                    .contains("homeport_poll_lateness_seconds_sum 0.0");

            // The first polls of a new interval came as often as the old one said.
            flux.pollEvery("1s");
            Await.until(() -> metrics(server), page -> page.contains("state=\"silent\"} 1.0"));
            flux.poll("namespaces?every=1s");
            await(server, "homeport_poll_lateness_seconds_count 4");
            assertThat(metrics(server))
                    .contains("homeport_poll_lateness_seconds_bucket{le=\"1.0\"} 3")
                    .contains("homeport_poll_lateness_seconds_bucket{le=\"10.0\"} 4");
        }
    }
}
