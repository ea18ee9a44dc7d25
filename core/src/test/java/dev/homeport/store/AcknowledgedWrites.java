package dev.homeport.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.change.AppendResult;
import dev.homeport.change.Head;
import dev.homeport.change.RecordedCommit;
import dev.homeport.change.StoreUnavailable;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/** Threads that write whatever becomes of the database: a key tells whether a commit with an unknown end took effect. */
final class AcknowledgedWrites implements AutoCloseable {
    private static final int THREADS = 8;

    private final Map<Long, String> acknowledged = new ConcurrentHashMap<>();
    private final AtomicBoolean stop = new AtomicBoolean();
    private final SqlStore store;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final List<Future<Integer>> writers;

    AcknowledgedWrites(SqlStore store) {
        this.store = store;
        this.writers = IntStream.range(0, THREADS)
                .mapToObj(thread -> threads.submit(() -> write("t" + thread + "-")))
                .toList();
    }

    private int write(String name) throws InterruptedException {
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
                head = null;
                Thread.sleep(20);
            }
        }
        return done;
    }

    /** Waits until so many more are acknowledged. */
    void awaitMore(int count) throws InterruptedException {
        int wanted = acknowledged.size() + count;
        for (int tries = 0; acknowledged.size() < wanted; tries++) {
            assertThat(tries).as("waiting for the writers").isLessThan(6_000);
            Thread.sleep(10);
        }
    }

    /** Ends them and checks everything that was acknowledged to them. */
    void check() throws Exception {
        stop.set(true);
        int done = 0;
        for (Future<Integer> writer : writers) {
            done += writer.get();
        }
        assertThat(acknowledged).hasSize(done);
        // A write that was still unacknowledged when its thread stopped may have been stored too: at most one commit
        // each.
        assertThat(store.verify(revision -> {}).commits()).isBetween((long) done, (long) done + THREADS);
        acknowledged.forEach((revision, id) -> {
            RecordedCommit commit = store.commit(revision).orElseThrow();
            assertThat(commit.changes().getFirst().key().id()).isEqualTo(id);
        });
    }

    @Override
    public void close() {
        stop.set(true);
        threads.close();
    }
}
