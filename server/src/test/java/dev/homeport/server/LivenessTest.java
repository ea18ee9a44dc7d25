package dev.homeport.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.change.StoreUnavailable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
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
                            "homeport_loop_age_seconds{loop=\"head\"}",
                            "homeport_loop_age_seconds{loop=\"cluster-lists\"}",
                            "homeport_loop_age_seconds{loop=\"admin-acceptor\"}",
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

    @Test
    void aLoopThatOnlyFailsIsNamedAndAFinding() throws Exception {
        AtomicBoolean broken = new AtomicBoolean(true);
        try (TestServer server = TestServer.in(folder, Map.of("--liveness-seconds", "3"))) {
            server.running().node().loop("broken", () -> {
                if (broken.get()) {
                    throw new IllegalStateException("on purpose");
                }
                Thread.sleep(10);
            });
            server.running().node().loop("unreachable", () -> {
                throw new StoreUnavailable("on purpose", new IllegalStateException());
            });
            for (TestClient plane : planes(server)) {
                TestClient.Answer answer = plane.get("/livez");
                while (!answer.text().contains("loop broken has failed on every turn for")) {
                    Thread.sleep(100);
                    answer = plane.get("/livez");
                }
                assertThat(answer.status()).isEqualTo(503);
                assertThat(answer.text()).doesNotContain("unreachable");
            }
            assertThat(server.admin()
                            .get("/api/v2/findings?kind=loop_failing")
                            .expect(200)
                            .text())
                    .contains("the background loop broken has failed on every turn for", "loop unreachable has failed");
            broken.set(false);
            for (TestClient plane : planes(server)) {
                while (plane.get("/livez").status() != 200) {
                    Thread.sleep(100);
                }
            }
        }
    }

    /** Threads of libraries on which nothing waits for good, each with what depends on it. */
    private static final Map<String, String> NOT_LOOPS = Map.of(
            "vert\\.x-(worker|internal-blocking)-thread-\\d+",
            "nothing blocks in Vert.x: requests have virtual threads",
            "vertx-blocked-thread-checker",
            "warns in the log",
            "BatchSpanProcessor_WorkerThread-\\d+",
            "traces, which may be lost",
            "(HttpClient-\\d+-.*|OkHttp.*|jdkhttp-executor-.*|otlp-.*|TaskRunner)",
            "requests that have time limits of their own",
            "(ForkJoinPool.*|VirtualThread-unblocker|Common-Cleaner|Cleaner-\\d+|process reaper.*|Keep-Alive-Timer)",
            "the JVM",
            "(PostgreSQL-JDBC-.*|Timer-\\d+|globalEventExecutor-.*|ObjectCleanerThread)",
            "time limits of a library");

    private static Set<String> unwatched(TestServer server, Set<Thread> before) {
        Set<Thread> watched = new HashSet<>(before);
        server.running().node().loops.each(loop -> loop.thread().ifPresent(watched::add));
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !watched.contains(thread))
                .map(Thread::getName)
                .filter(name -> NOT_LOOPS.keySet().stream().noneMatch(name::matches))
                .collect(Collectors.toSet());
    }

    private static Set<String> names(TestServer server) {
        Set<String> names = new HashSet<>();
        server.running().node().loops.each(loop -> names.add(loop.name()));
        return names;
    }

    @Test
    void theThreadThatWatchesTheHeadIsMissedWhenItIsGone() throws Exception {
        try (TestServer server = TestServer.in(folder)) {
            server.poll("").get("/livez").expect(200);
            server.running().node().store.close();
            TestClient.Answer answer = server.poll("").get("/livez");
            while (!answer.text().contains("loop head has ended")) {
                Thread.sleep(100);
                answer = server.poll("").get("/livez");
            }
            assertThat(answer.status()).isEqualTo(503);
        }
    }

    /** A new thread is either added to the loops, or listed above with why it needs no watching. */
    @Test
    void everyThreadIsAWatchedLoop() throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        Map<String, String> everything = Map.of(
                "--audit-file",
                folder.resolve("audit.jsonl").toString(),
                "--traces-endpoint",
                "http://127.0.0.1:9/v1/traces");
        try (TestServer server = TestServer.in(folder, everything)) {
            server.poll(server.adminToken()).get("/api/v2/flux/clusters");
            server.admin().get("/api/v2/findings").expect(200);
            long until = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            Set<String> unwatched = unwatched(server, before);
            while (!unwatched.isEmpty() && System.nanoTime() < until) {
                Thread.sleep(100); // a loop is known from its first turn on
                unwatched = unwatched(server, before);
            }
            assertThat(unwatched).as("threads that /livez does not know").isEmpty();
            assertThat(names(server))
                    .contains("head", "follower", "cluster-lists", "admin-acceptor", "audit-file", "heartbeat");
        }
    }
}
