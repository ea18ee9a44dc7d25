package dev.homeport.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.change.AppendResult;
import dev.homeport.change.Head;
import dev.homeport.change.RecordedCommit;
import dev.homeport.change.StoreUnavailable;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server that forces its log to disk is killed while eight threads write. They go on when it is back: a key tells whether a
 * commit with an unknown end took effect.
 */
@Tag("slow")
class PostgresKillTest {
    private static final int KILLS = Depth.of(1, 3, 200);

    private final Map<Long, String> acknowledged = new ConcurrentHashMap<>();
    private final AtomicBoolean stop = new AtomicBoolean();

    @TempDir
    private Path parent;

    @Test
    void noAcknowledgedCommitIsLostOrDoneTwice() throws Exception {
        try (EmbeddedPostgres server = start();
                SqlStore store = Stores.postgres(
                        new PostgresSettings(server.getJdbcUrl("postgres", "postgres"), "postgres", "postgres"),
                        Opening.writer(() -> "store-1").initialising());
                var threads = Executors.newFixedThreadPool(8)) {
            List<Future<Integer>> writers = IntStream.range(0, 8)
                    .mapToObj(thread -> threads.submit(() -> write(store, "t" + thread + "-")))
                    .toList();
            try {
                for (int kill = 0; kill < KILLS; kill++) {
                    awaitMoreThan(acknowledged.size() + 100);
                    killAndRestart();
                }
                awaitMoreThan(acknowledged.size() + 100);
            } finally {
                stop.set(true);
            }
            int done = 0;
            for (Future<Integer> writer : writers) {
                done += writer.get();
            }
            check(store, done);
        }
    }

    private int write(SqlStore store, String name) throws InterruptedException {
        int done = 0;
        Head head = null;
        while (!stop.get()) {
            String id = name + done;
            try {
                head = head == null ? store.head() : head;
                switch (Edit.put(id, "{}").under(id, id).tryOn(store, head)) {
                    case AppendResult.Appended appended -> {
                        acknowledged.put(appended.commit().revision(), id);
                        head = null;
                        done++;
                    }
                    case AppendResult.Replayed replayed -> {
                        acknowledged.put(replayed.first().revision(), id);
                        done++;
                    }
                    case AppendResult.HeadMoved moved -> head = moved.head();
                    case AppendResult.KeyReused reused -> throw new AssertionError(reused);
                }
            } catch (StoreUnavailable e) {
                Thread.sleep(20);
            }
        }
        return done;
    }

    private void check(SqlStore store, int done) {
        assertThat(acknowledged).hasSize(done);
        // What a thread left unacknowledged when it was told to stop may be there too: at most one commit each.
        assertThat(store.verify(revision -> {}).commits()).isBetween((long) done, done + 8L);
        acknowledged.forEach((revision, id) -> {
            RecordedCommit commit = store.commit(revision).orElseThrow();
            assertThat(commit.changes().getFirst().key().id()).isEqualTo(id);
        });
    }

    private void awaitMoreThan(int count) throws InterruptedException {
        for (int tries = 0; acknowledged.size() <= count; tries++) {
            assertThat(tries).as("waiting for the writers").isLessThan(6_000);
            Thread.sleep(10);
        }
    }

    private EmbeddedPostgres start() throws IOException {
        return EmbeddedPostgres.builder()
                .setDataDirectory(parent.resolve("data"))
                .setServerConfig("fsync", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("synchronous_commit", "off") // the store must ask for more by itself
                .start();
    }

    /** Kills the whole family at once, as a power cut would, and starts it again by the same command. */
    private void killAndRestart() throws IOException, InterruptedException {
        Path file = parent.resolve("data").resolve("postmaster.pid");
        ProcessHandle server = ProcessHandle.of(
                        Long.parseLong(Files.readAllLines(file).getFirst()))
                .orElseThrow();
        List<String> command = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("unshare", "-U")); // PostgreSQL does not run as root
        }
        command.add(server.info().command().orElseThrow());
        command.addAll(List.of(server.info().arguments().orElseThrow()));
        List<ProcessHandle> family = server.descendants().toList();
        server.destroyForcibly();
        family.forEach(ProcessHandle::destroyForcibly);
        while (server.isAlive() || family.stream().anyMatch(ProcessHandle::isAlive)) {
            Thread.sleep(5);
        }
        new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
