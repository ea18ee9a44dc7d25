package dev.homeport.server.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.homeport.access.Actor;
import dev.homeport.access.Caller;
import dev.homeport.problem.ProblemException;
import dev.homeport.problem.WorkBudget;
import dev.homeport.server.TestClient;
import dev.homeport.server.TestServer;
import dev.homeport.server.http.Call;
import io.vertx.core.MultiMap;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A small request costs little, ends with its connection, and leaves others their turn. */
class ExpensiveRequestsTest {
    private static final String FILTER = "{\"op\":\"patch\",\"type\":\"cluster\",\"selector\":{\"filter\":"
            + "\"cluster_name : \\\"z\\\" OR id = \\\"c1\\\"\"},\"patch\":{\"labels\":{\"a\":\"b\"}}}";

    /** What the server counts when work ended early. */
    private static final String CANCELLED =
            "(?s).*homeport_admin_request_duration_seconds_count\\{route=\"createChange\",status=\"503\".*";

    @TempDir
    Path folder;

    private Fleet fleet(TestServer server, int clusters) {
        Fleet fleet = new Fleet(server);
        String creations = String.join(
                ",",
                IntStream.range(0, clusters)
                        .mapToObj(i -> "{\"op\":\"create\",\"type\":\"cluster\",\"id\":\"c" + i + "\",\"spec\":"
                                + Fleet.clusterSpec("c" + i, "dev", "{}") + "}")
                        .toList());
        fleet.change("{\"operations\":[" + creations + "]}").expect(201);
        return fleet;
    }

    private static String batch(String operation, int times) {
        return "{\"operations\":[" + String.join(",", Collections.nCopies(times, operation)) + "]}";
    }

    @Test
    void aBatchOfManySelectorsIsRefused() {
        try (TestServer server = TestServer.in(folder)) {
            Fleet fleet = fleet(server, 1500);
            fleet.admin.post("/api/v2/changes?dry_run=true", batch(FILTER, 5)).expect(200);
            TestClient.Answer refused = fleet.admin
                    .post("/api/v2/changes?dry_run=true", batch(FILTER, 400))
                    .expect(422);
            assertThat(refused.at("/code").stringValue()).isEqualTo("too_expensive");
            assertThat(refused.at("/next").stringValue()).contains("split");
            String all = "{\"op\":\"patch\",\"type\":\"cluster\",\"selector\":{\"filter\":\"environment = dev\"},"
                    + "\"patch\":{\"labels\":{\"a\":\"b\"}}}";
            assertThat(fleet.admin
                            .post("/api/v2/changes?dry_run=true", batch(all, 100))
                            .expect(422)
                            .at("/code")
                            .stringValue())
                    .isEqualTo("too_expensive");
            fleet.admin
                    .get("/api/v2/clusters?counts=true&facets=owner,cluster_name&filter=cluster_name%20:%20%22c%22")
                    .expect(200);
        }
    }

    private static Call call(Map<String, String> parameters, String body) {
        return new Call(
                "POST",
                "/",
                parameters,
                MultiMap.caseInsensitiveMultiMap(),
                MultiMap.caseInsensitiveMultiMap(),
                body.getBytes(StandardCharsets.UTF_8),
                new Caller(new Actor(Actor.Kind.PERSON, "alice"), Caller.Access.ADMIN, Optional.empty(), "t", Set.of()),
                "r1",
                "127.0.0.1");
    }

    @Test
    void aSelectorIsSeenHoweverItIsWritten() {
        assertThat(ExpensiveRequests.isExpensive("createChange", call(Map.of(), "{\"operations\":[]}")))
                .isFalse();
        for (String name : List.of("selector", "\\u0073elector", "s\\u0065lector")) {
            assertThat(ExpensiveRequests.isExpensive("createChange", call(Map.of(), "{\"" + name + "\":{}}")))
                    .as(name)
                    .isTrue();
        }
    }

    @Test
    void writingADocumentThatClustersShareTakesATurn() {
        for (String operation : List.of("createDocument", "patchDocument", "deleteDocument")) {
            assertThat(ExpensiveRequests.isExpensive(operation, call(Map.of("plural", "platform-components"), "{}")))
                    .isTrue();
            assertThat(ExpensiveRequests.isExpensive(operation, call(Map.of("plural", "clusters"), "{}")))
                    .isFalse();
        }
    }

    @Test
    void workEndsWhenNobodyWaitsForIt() {
        WorkBudget budget = new WorkBudget(1000);
        budget.spend(1);
        budget.cancel();
        assertThatThrownBy(() -> budget.spend(1)).isInstanceOf(WorkBudget.Cancelled.class);
        assertThatThrownBy(budget::check).isInstanceOf(WorkBudget.Cancelled.class);
    }

    @Test
    void workThatCanBeLeftOutIsNotRefused() {
        WorkBudget budget = new WorkBudget(100);
        assertThat(budget.affords(60)).isTrue();
        assertThat(budget.affords(60)).isFalse();
        assertThat(budget.affords(40)).as("what was not done was not paid for").isTrue();
        assertThat(WorkBudget.current().affords(Long.MAX_VALUE))
                .as("outside of requests")
                .isTrue();
        budget.cancel();
        assertThatThrownBy(() -> budget.affords(0)).isInstanceOf(WorkBudget.Cancelled.class);
    }

    @Test
    void aClosedConnectionCancelsItsRequest() throws Exception {
        // Two clients of one caller: one holds all turns of its caller, the other waits, goes away, and never runs.
        ExpensiveRequests requests = new ExpensiveRequests(() -> 10, 1);
        CountDownLatch running = new CountDownLatch(4);
        CountDownLatch release = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 4; i++) {
                Future<Boolean> _ = threads.submit(() -> requests.inTurn("service:a", false, requests.budget(), () -> {
                    running.countDown();
                    return release.await(60, TimeUnit.SECONDS);
                }));
            }
            assertThat(running.await(60, TimeUnit.SECONDS)).isTrue();
            WorkBudget gone = requests.budget();
            Future<String> waiting = threads.submit(() -> requests.inTurn("service:a", false, gone, () -> "ran"));
            gone.cancel();
            assertThatThrownBy(() -> waiting.get(60, TimeUnit.SECONDS))
                    .hasRootCauseInstanceOf(WorkBudget.Cancelled.class);
            release.countDown();
        }
        assertThat(requests.callers()).isZero();
    }

    @Test
    void longBodiesRunOneAtATimeAndDoNotDelayOtherRequests() throws Exception {
        ExpensiveRequests requests = new ExpensiveRequests(() -> 10, 1);
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Object>> imports = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                String caller = "service:" + i;
                imports.add(threads.submit(() -> requests.inTurn(caller, true, requests.budget(), () -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    first.countDown();
                    release.await(60, TimeUnit.SECONDS);
                    return running.decrementAndGet();
                })));
            }
            assertThat(first.await(60, TimeUnit.SECONDS)).isTrue();
            for (int i = 0; i < 20; i++) {
                Future<String> list =
                        threads.submit(() -> requests.inTurn("service:x", false, requests.budget(), () -> "listed"));
                assertThat(list.get(60, TimeUnit.SECONDS)).isEqualTo("listed");
            }
            release.countDown();
            for (Future<Object> one : imports) {
                assertThat(one.get(60, TimeUnit.SECONDS)).isEqualTo(0);
            }
        }
        assertThat(most.get()).isEqualTo(1);
    }

    @Test
    void oneCallerDoesNotTakeTheTurnsOfOthers() throws Exception {
        ExpensiveRequests requests = new ExpensiveRequests(() -> 10, 4);
        CountDownLatch release = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Object>> flood = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                flood.add(threads.submit(() -> requests.inTurn("service:a", false, requests.budget(), () -> {
                    release.await(60, TimeUnit.SECONDS);
                    return "";
                })));
            }
            Future<String> other =
                    threads.submit(() -> requests.inTurn("service:b", false, requests.budget(), () -> "ran"));
            assertThat(other.get(60, TimeUnit.SECONDS)).isEqualTo("ran");
            List<Future<Object>> more = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                more.add(threads.submit(() -> requests.inTurn("service:a", false, requests.budget(), () -> "")));
            }
            List<Throwable> refusals = new ArrayList<>();
            while (refusals.isEmpty()) {
                more.stream()
                        .filter(one -> one.state() == Future.State.FAILED)
                        .forEach(one -> refusals.add(one.exceptionNow()));
                Thread.sleep(5);
            }
            assertThat(refusals).allSatisfy(one -> assertThat(one).isInstanceOf(ProblemException.class));
            release.countDown();
            for (Future<Object> one : flood) {
                one.get(60, TimeUnit.SECONDS);
            }
        }
        assertThat(requests.callers()).isZero();
    }

    @Test
    void theServerStopsWorkingForClientsThatLeft() throws Exception {
        try (TestServer server = TestServer.in(folder)) {
            Fleet fleet = fleet(server, 1500);
            String body = batch(FILTER, 50);
            for (int i = 0; i < 12; i++) {
                try (Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(),
                        server.running().admin().orElseThrow().port())) {
                    socket.getOutputStream()
                            .write(
                                    ("POST /api/v2/changes?dry_run=true HTTP/1.1\r\nHost: x\r\nContent-Type: application/json"
                                                    + "\r\nAuthorization: Bearer " + server.adminToken()
                                                    + "\r\nContent-Length: "
                                                    + body.length() + "\r\n\r\n" + body)
                                            .getBytes(StandardCharsets.US_ASCII));
                }
            }
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (!fleet.admin.get("/metrics").text().matches(CANCELLED) && System.nanoTime() < until) {
                Thread.sleep(50);
            }
            assertThat(fleet.admin.get("/metrics").text()).matches(CANCELLED);
        }
    }
}
