package dev.homeport.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.access.EventSignature;
import dev.homeport.change.StoreUnavailable;
import dev.homeport.document.Types;
import dev.homeport.observe.GivenAnswer;
import dev.homeport.observe.Observations;
import dev.homeport.observe.PollLog.From;
import dev.homeport.observe.Stranger;
import dev.homeport.server.TestClient;
import dev.homeport.server.events.EventDoor;
import dev.homeport.server.events.EventInbox;
import dev.homeport.server.events.EventOutcome;
import dev.homeport.server.events.ReportedAnswers;
import dev.homeport.server.events.Reports;
import dev.homeport.server.events.Strangers;
import dev.homeport.server.http.ConnectionLimits;
import dev.homeport.server.http.FailedLogins;
import dev.homeport.server.http.TrustedProxies;
import dev.homeport.server.liveness.Loops;
import dev.homeport.server.storage.Storage;
import dev.homeport.store.Opening;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What happens to events that cannot be stored just now. */
class EventInboxTest {
    private static final int ROOM = 20;
    /** Of this number the event names its item, as templates of answer format 3 do. */
    private static final int WITH_ITEM = -1;

    private static final int EVENTS = 100;

    @TempDir
    private Path folder;

    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicBoolean away = new AtomicBoolean();
    private final AtomicBoolean broken = new AtomicBoolean();

    /** A door with an inbox behind it that is soon full, on a store of its own. */
    private final class Place implements AutoCloseable {
        final Path data = folder.resolve("data");
        final Vertx vertx = Vertx.vertx();
        final SeededFleet fleet;
        final Observations store;
        final EventInbox inbox;
        final TestClient client;
        final Loops loops = new Loops(Duration.ofMinutes(10));
        final Strangers strangers = new Strangers();
        final ReportedAnswers answers = new ReportedAnswers(strangers, (cluster, digest) -> false);

        Place() throws Exception {
            Storage storage = SeededFleet.storage("--data", data.toString());
            assertThat(AdminRun.of("init", "--data", data.toString()).code()).isZero();
            fleet = SeededFleet.in(storage);
            fleet.clusters(1);
            store = storage.observed(Opening.Mode.WRITER);
            inbox = EventDoor.inbox(
                    fleet.follower(),
                    fleet.master(),
                    new Reports(),
                    new FailedLogins(),
                    new Strangers(),
                    answers,
                    () -> {
                        if (broken.getAndSet(false)) {
                            throw new NoClassDefFoundError("on purpose");
                        }
                        if (away.get()) {
                            throw new StoreUnavailable("no connection", new IOException("refused"));
                        }
                        return store;
                    },
                    outcome -> refused.addAndGet(outcome == EventOutcome.OVERFLOW ? 1 : 0),
                    new EventInbox.Limits(ROOM, 1024 * 1024, ROOM),
                    loops);
            EventDoor door = new EventDoor(
                    inbox,
                    TrustedProxies.parse(""),
                    InstantSource.system(),
                    new ConnectionLimits(1, 1 << 20, TrustedProxies.parse(""), InstantSource.system()));
            HttpServer server = vertx.createHttpServer()
                    .requestHandler(request -> door.handle(request, "c0.k8s.example.com"))
                    .listen(0, "127.0.0.1")
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get();
            client = new TestClient("http://127.0.0.1:" + server.actualPort(), "");
        }

        Map<Integer, Future<TestClient.Answer>> post(Collection<Integer> numbers, ExecutorService threads) {
            long made = Objects.requireNonNull(fleet.follower().live().current().document(Types.CLUSTER, "c0"))
                    .created()
                    .revision();
            String key = fleet.master().eventKey("c0", made);
            Map<Integer, Future<TestClient.Answer>> sent = new TreeMap<>();
            for (int number : numbers) {
                sent.put(number, threads.submit(() -> {
                    byte[] body = event(number).getBytes(StandardCharsets.UTF_8);
                    return client.send("POST", "/", body, Map.of("X-Signature", EventSignature.of(key, body)));
                }));
            }
            return sent;
        }

        @Override
        public void close() throws Exception {
            vertx.close().toCompletionStage().toCompletableFuture().get();
            loops.close();
            store.close();
            fleet.close();
        }
    }

    @Test
    void aFullInboxAsksToTryAgainAndLosesNothing() throws Exception {
        try (Place place = new Place();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Map<Integer, Future<TestClient.Answer>> sent;
            try (Connection lock = DriverManager.getConnection("jdbc:sqlite:" + place.data.resolve("observed.db"));
                    Statement statement = lock.createStatement()) {
                statement.execute("BEGIN EXCLUSIVE");
                sent = place.post(range(), threads);
                for (int tries = 0; refused.get() < EVENTS - 3 * ROOM && tries < 1_000; tries++) {
                    Thread.sleep(10);
                }
                statement.execute("ROLLBACK");
            }
            Set<Integer> toRepeat = new TreeSet<>();
            for (Map.Entry<Integer, Future<TestClient.Answer>> one : sent.entrySet()) {
                TestClient.Answer answer = one.getValue().get();
                assertThat(answer.status()).isIn(202, 429);
                if (answer.status() == 429) {
                    toRepeat.add(one.getKey());
                    assertThat(answer.header("Retry-After")).isEqualTo("2");
                    assertThat(answer.text()).contains("try again");
                }
            }
            assertThat(toRepeat).as("there was room for some").isNotEmpty().hasSizeLessThan(EVENTS);
            assertThat(refused.get()).isEqualTo(toRepeat.size());

            // What notification-controller does with a 429.
            while (!toRepeat.isEmpty()) {
                Map<Integer, Future<TestClient.Answer>> again = place.post(toRepeat, threads);
                for (Map.Entry<Integer, Future<TestClient.Answer>> one : again.entrySet()) {
                    if (one.getValue().get().status() == 202) {
                        toRepeat.remove(one.getKey());
                    }
                }
            }
            place.inbox.close();
            assertThat(place.store.reportsSince(Instant.EPOCH, From.EVERYBODY)).hasSize(EVENTS);
        }
    }

    @Test
    void anItemThatWasNeverWantedIsNoticed() throws Exception {
        try (Place place = new Place();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<TestClient.Answer> one :
                    place.post(List.of(WITH_ITEM), threads).values()) {
                one.get().expect(202);
            }
            List<String> asked = new ArrayList<>();
            place.answers.compareItems(Instant.now().plus(Duration.ofHours(1)), (cluster, component, digest) -> {
                asked.add(cluster + " " + component + " " + digest);
                return Optional.of(false);
            });
            assertThat(asked).containsExactly("c0 podinfo " + "f".repeat(16));
            assertThat(place.strangers.take()).extracting(Stranger::why).containsExactly(Stranger.UNKNOWN_ANSWER);
            place.inbox.close();
        }
    }

    @Test
    void anAnswerThatWasNeverGivenIsNoticed() throws Exception {
        try (Place place = new Place();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Instant longAgo = Instant.now().minus(Duration.ofDays(2));
            place.store.restoreGiven(List.of(
                    GivenAnswer.now("c0", "platform-components", "set", "0".repeat(32), longAgo, Optional.empty())));
            for (Future<TestClient.Answer> one : place.post(List.of(1), threads).values()) {
                one.get().expect(202);
            }
            place.answers.compareAnswers(Instant.now().plus(Duration.ofHours(1)), place.store);
            assertThat(place.strangers.take()).singleElement().satisfies(one -> {
                assertThat(one.name()).isEqualTo("c0");
                assertThat(one.why()).isEqualTo(Stranger.UNKNOWN_ANSWER);
            });
            place.inbox.close();
        }
    }

    @Test
    void whatIsTakenWhileTheStoreIsAwayIsStoredWhenItIsBack() throws Exception {
        try (Place place = new Place();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            away.set(true);
            List<Integer> some = range().subList(0, ROOM / 2);
            for (Future<TestClient.Answer> one : place.post(some, threads).values()) {
                one.get().expect(202);
            }
            assertThat(place.store.reportsSince(Instant.EPOCH, From.EVERYBODY)).isEmpty();
            assertThat(place.inbox.size()).isEqualTo(some.size());
            away.set(false);
            for (int tries = 0; place.inbox.size() > 0 && tries < 1_000; tries++) {
                Thread.sleep(10);
            }
            assertThat(place.store.reportsSince(Instant.EPOCH, From.EVERYBODY)).hasSize(some.size());
            place.inbox.close();
        }
    }

    @Test
    void anErrorWhileSavingLosesNothingAndDoesNotEndTheLoop() throws Exception {
        try (Place place = new Place();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            broken.set(true);
            List<Integer> some = range().subList(0, ROOM / 2);
            for (Future<TestClient.Answer> one : place.post(some, threads).values()) {
                one.get().expect(202);
            }
            for (int tries = 0; place.inbox.size() > 0 && tries < 6_000; tries++) {
                Thread.sleep(10);
            }
            assertThat(place.store.reportsSince(Instant.EPOCH, From.EVERYBODY)).hasSize(some.size());
            Map<String, Long> failures = new TreeMap<>();
            place.loops.each(loop -> failures.put(loop.name(), loop.failures()));
            assertThat(failures).containsEntry("event-store", 1L).containsEntry("events", 0L);
            place.inbox.close();
        }
    }

    private static List<Integer> range() {
        return java.util.stream.IntStream.range(0, EVENTS).boxed().toList();
    }

    private static String event(int number) {
        return """
                {"involvedObject": {"kind": "Kustomization", "namespace": "flux-system", "name": "o-%d", "resourceVersion": "1"},
                 "severity": "info", "timestamp": "%s", "message": "done", "reason": "ReconciliationSucceeded",
                 "metadata": {"component_id": "podinfo", "revision": "v1.0.0", %s}}""".formatted(number, Instant.now().truncatedTo(ChronoUnit.SECONDS), source(number));
    }

    private static String source(int number) {
        return number == WITH_ITEM
                ? "\"item_digest\": \"" + "f".repeat(16) + "\""
                : "\"answer_digest\": \"" + "f".repeat(32) + "\"";
    }
}
