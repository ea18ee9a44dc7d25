package dev.homeport.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code /livez} on both planes of a running server. */
@Timeout(120)
class LivenessTest {
    @TempDir
    private Path folder;

    private static List<TestClient> planes(TestServer server) {
        return List.of(server.poll(""), server.admin(""));
    }

    @Test
    void aLoopThatDoesNotTurnIsNamedWithoutAToken() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        try (TestServer server = TestServer.in(folder, Map.of("--liveness-seconds", "3"))) {
            for (TestClient plane : planes(server)) {
                while (!plane.get("/livez").text().contains("alive")) {
                    Thread.sleep(100); // a busy machine may be late for once
                }
                assertThat(plane.get("/readyz").expect(200).text())
                        .isEqualTo(plane.get("/ready").text());
            }
            server.running().node().loop("stuck", release::await);
            for (TestClient plane : planes(server)) {
                TestClient.Answer answer = plane.get("/livez");
                while (!answer.text().contains("loop stuck has not turned for")) {
                    Thread.sleep(100);
                    answer = plane.get("/livez");
                }
                assertThat(answer.status()).isEqualTo(503);
                plane.get("/health").expect(200);
                plane.get("/ready").expect(200);
            }
            assertThat(server.admin().get("/metrics").expect(200).text())
                    .contains(
                            "homeport_loop_age_seconds{loop=\"stuck\"}",
                            "homeport_loop_age_seconds{loop=\"follower\"}",
                            "homeport_loop_age_seconds{loop=\"expiry\"}",
                            "homeport_loop_age_seconds{loop=\"observed\"}",
                            "homeport_loop_age_seconds{loop=\"states\"}",
                            "homeport_loop_age_seconds{loop=\"events\"}",
                            "homeport_loop_age_seconds{loop=\"event-store\"}",
                            "homeport_loop_age_seconds{loop=\"poll-0\"}",
                            "homeport_loop_age_seconds{loop=\"admin-0\"}",
                            "homeport_loop_age_seconds{loop=\"requests\"}",
                            "homeport_loop_age_seconds{loop=\"watchdog\"}");
            release.countDown();
            for (TestClient plane : planes(server)) {
                while (plane.get("/livez").status() != 200) {
                    Thread.sleep(100);
                }
            }
        }
    }

    @Test
    void anErrorInALoopIsSurvivedAndCounted() throws Exception {
        AtomicInteger turns = new AtomicInteger();
        try (TestServer server = TestServer.in(folder)) {
            server.running().node().loop("fragile", () -> {
                if (turns.incrementAndGet() == 1) {
                    throw new StackOverflowError("on purpose");
                }
                Thread.sleep(10);
            });
            while (turns.get() < 3) {
                Thread.sleep(10);
            }
            for (TestClient plane : planes(server)) {
                plane.get("/livez").expect(200);
            }
            assertThat(server.admin().get("/metrics").expect(200).text())
                    .contains(
                            "homeport_loop_failures_total{loop=\"fragile\"} 1.0",
                            "homeport_loop_failures_total{loop=\"follower\"} 0.0");
        }
    }
}
