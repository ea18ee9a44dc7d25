package dev.homeport.write;

import static dev.homeport.support.TestFleet.edit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.access.Actor;
import dev.homeport.api.ErrorCode;
import dev.homeport.change.RecordedCommit;
import dev.homeport.document.BuiltInTypes;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.ProblemException;
import dev.homeport.snapshot.LogFollower;
import dev.homeport.snapshot.Snapshot;
import dev.homeport.snapshot.SnapshotLoader;
import dev.homeport.store.SharedPostgres;
import dev.homeport.store.SqlStore;
import dev.homeport.support.AllAnswers;
import dev.homeport.support.Cases;
import dev.homeport.support.TestFleet;
import dev.homeport.testing.Requirement;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** Sixteen people at once, through two servers that share a database. */
@Requirement("B21")
class ConcurrentWritersTest {
    private static final int THREADS = 16;
    private static final DocumentKey SHARED = new DocumentKey(Types.NAMESPACE, "shared");

    @TempDir
    Path directory;

    /** A server: its own follower and writer on the shared store. */
    private record Server(SqlStore store, LogFollower follower, Writer writer) {
        static Server on(SqlStore store) {
            LogFollower follower =
                    LogFollower.open(store, TestFleet.noMark(), System::nanoTime, BuiltInTypes.catalog());
            byte[] key = "a key for tests".getBytes(StandardCharsets.UTF_8);
            Writer writer = new Writer(
                    store,
                    follower,
                    new dev.homeport.access.Rights(Instant::now),
                    new Confirmation(key),
                    dev.homeport.write.ClusterContact.UNKNOWN,
                    Instant::now);
            return new Server(store, follower, writer);
        }
    }

    @Test
    void onSqlite() throws Exception {
        try (TestFleet fleet = TestFleet.sqlite(directory)) {
            // One process holds a SQLite store for writing, so both servers go through the same one.
            everybodyWrites(List.of(Server.on(fleet.store), Server.on(fleet.store)));
        }
    }

    @Test
    void onPostgres() throws Exception {
        try (SharedPostgres postgres = new SharedPostgres();
                SqlStore one = postgres.servers().get();
                SqlStore two = postgres.servers().get()) {
            Server first = Server.on(one);
            StoreInitializer.initialize(first.writer());
            everybodyWrites(List.of(first, Server.on(two)));
        }
    }

    private static void everybodyWrites(List<Server> servers) throws Exception {
        int edits = Math.min(50, Cases.scaled(50));
        Writer setUp = servers.getFirst().writer();
        List<Operation> documents = new ArrayList<>();
        documents.add(new Operation.Create(SHARED, StrictJson.object()));
        for (int i = 0; i < THREADS; i++) {
            documents.add(new Operation.Create(new DocumentKey(Types.NAMESPACE, "own-" + i), StrictJson.object()));
        }
        setUp.write(WriteRequest.of(Actor.SYSTEM, "a test", documents));
        servers.forEach(server -> server.follower().catchUp());
        long start = setUpRevision(servers);
        AtomicInteger conflicts = new AtomicInteger();
        List<Callable<Void>> people = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int me = i;
            Server server = servers.get(i % servers.size());
            people.add(() -> {
                for (int n = 0; n < edits; n++) {
                    int number = n;
                    Actor actor = new Actor(Actor.Kind.PERSON, "p" + me);
                    persist(server, actor, edit(Types.NAMESPACE, "own-" + me, body -> label(body, "n" + number)));
                    if (n % 2 == 0) {
                        persist(
                                server,
                                actor,
                                edit(Types.NAMESPACE, "shared", body -> label(body, "p" + me + "-" + number)));
                    } else {
                        conflicts.addAndGet(optimistic(server, actor, "p" + me + "-" + number));
                    }
                }
                return null;
            });
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            for (Future<Void> done : threads.invokeAll(people)) {
                done.get();
            }
        }
        servers.forEach(server -> server.follower().catchUp());
        checkAll(servers, start, edits);
        assertThat(conflicts.get()).as("conflicts that were met").isGreaterThan(0);
    }

    private static long setUpRevision(List<Server> servers) {
        return servers.getFirst().store().head().revision();
    }

    private static ObjectNode label(ObjectNode body, String key) {
        ObjectNode labels = body.get("labels") instanceof ObjectNode own ? own : body.putObject("labels");
        int count = Integer.parseInt(labels.path("count").stringValue("0"));
        labels.put("count", Integer.toString(count + 1));
        if (labels.size() < 200) {
            labels.put(key, "x");
        }
        return body;
    }

    /** Others may be faster twenty times in a row; then the caller tries again. */
    private static void persist(Server server, Actor actor, Operation operation) {
        while (true) {
            try {
                assertThat(server.writer().write(WriteRequest.of(actor, "a test", operation)))
                        .isInstanceOf(Outcome.Committed.class);
                return;
            } catch (ProblemException e) {
                assertThat(e.problem().code()).isEqualTo(ErrorCode.UNAVAILABLE);
            }
        }
    }

    /** Reads, changes, and writes only if no other write came between; returns how often one did. */
    private static int optimistic(Server server, Actor actor, String key) {
        for (int conflicts = 0; ; conflicts++) {
            server.follower().catchUp();
            var seen = server.follower().live().current().find(SHARED).orElseThrow();
            Operation replace = new Operation.Replace(
                    SHARED,
                    label(seen.tree(), key),
                    new Expected.Revision(seen.updated().revision()));
            try {
                Outcome.Committed done = (Outcome.Committed) server.writer()
                        .write(WriteRequest.of(actor, "seen " + seen.updated().revision(), replace));
                // No other write came between what was read and what was written.
                assertThat(server.store()
                                .commitsOf(SHARED, done.commit().revision(), 1)
                                .getFirst()
                                .revision())
                        .isEqualTo(seen.updated().revision());
                return conflicts;
            } catch (ProblemException e) {
                assertThat(e.problem().code()).isIn(ErrorCode.STALE, ErrorCode.UNAVAILABLE);
                if (e.problem().code() == ErrorCode.STALE) {
                    assertThat(server.store()
                                    .documentAt(SHARED, server.store().head().revision())
                                    .orElseThrow()
                                    .updated()
                                    .revision())
                            .as("a refusal as stale is right")
                            .isGreaterThan(seen.updated().revision());
                }
            }
        }
    }

    private static void checkAll(List<Server> servers, long start, int edits) {
        SqlStore store = servers.getFirst().store();
        Snapshot snapshot = SnapshotLoader.load(store, BuiltInTypes.catalog());
        assertThat(snapshot.revision()).isEqualTo(start + 2L * THREADS * edits);
        assertThat(count(snapshot, "shared")).isEqualTo(THREADS * edits);
        for (int i = 0; i < THREADS; i++) {
            assertThat(count(snapshot, "own-" + i)).isEqualTo(edits);
        }
        List<RecordedCommit> commits = store.after(0, 10_000);
        for (int i = 0; i < commits.size(); i++) {
            assertThat(commits.get(i).commit().revision()).isEqualTo(i + 1);
        }
        store.verify(revision -> {});
        for (Server server : servers) {
            assertThat(server.follower().live().current().head()).isEqualTo(snapshot.head());
            assertThat(AllAnswers.of(server.follower().live().current())).isEqualTo(AllAnswers.of(snapshot));
        }
    }

    private static int count(Snapshot snapshot, String namespace) {
        return Integer.parseInt(snapshot.find(new DocumentKey(Types.NAMESPACE, namespace))
                .orElseThrow()
                .tree()
                .get("labels")
                .get("count")
                .stringValue());
    }
}
