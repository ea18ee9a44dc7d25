package dev.homeport.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.change.RecordedCommit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A writing process is killed at random moments. What it acknowledged is there afterwards, and nothing is half there. */
@Tag("slow")
class SqliteKillTest {
    private static final int KILLS = Depth.of(2, 10, 1_000);

    /** What is checked after each kill grows with the log, so a log is not killed for ever. */
    private static final int KILLS_OF_ONE_LOG = 50;

    private final Random random = new Random(42);

    @Test
    void noAcknowledgedCommitIsLost() throws Exception {
        for (int kills = 0; kills < KILLS; kills += KILLS_OF_ONE_LOG) {
            killOften(Math.min(KILLS_OF_ONE_LOG, KILLS - kills));
        }
    }

    private void killOften(int kills) throws Exception {
        try (SqliteBackend backend = SqliteBackend.fresh()) {
            backend.openWriter().close();
            Path ledger = backend.directory().resolve("ledger");
            Files.createFile(ledger);
            int acknowledged = 0;
            for (int kill = 0; kill < kills; kill++) {
                writeUntilKilled(backend, ledger);
                int now = check(backend, ledger);
                assertThat(now).isGreaterThan(acknowledged);
                acknowledged = now;
            }
        }
    }

    private void writeUntilKilled(SqliteBackend backend, Path ledger) throws Exception {
        long before = Files.size(ledger);
        Process child = Child.start(List.of(), "ledger", backend.directory(), ledger);
        try {
            while (Files.size(ledger) == before && child.isAlive()) {
                Thread.sleep(1);
            }
            Thread.sleep(random.nextInt(400));
            assertThat(child.isAlive()).isTrue();
        } finally {
            child.destroyForcibly().waitFor();
        }
    }

    /** What was acknowledged is there, and nothing is torn; returns how many were. */
    static int check(Backend backend, Path ledger) throws IOException {
        List<String> acknowledged = wholeLines(ledger);
        try (SqlStore store = backend.openWriter()) {
            long head = store.head().revision();
            assertThat(store.verify(revision -> {}).commits()).isEqualTo(head);
            Set<String> committed = new HashSet<>();
            for (long at = 0; at < head; ) {
                for (RecordedCommit entry : store.after(at, 1_000)) {
                    at = entry.commit().revision();
                    committed.add(at + " " + entry.changes().getFirst().key().id());
                }
            }
            assertThat(committed).hasSize((int) head);
            Set<String> lost = new HashSet<>(acknowledged);
            assertThat(lost).hasSize(acknowledged.size());
            lost.removeAll(committed);
            assertThat(lost).isEmpty();
        }
        return acknowledged.size();
    }

    /** The last line may be cut off by the kill. */
    private static List<String> wholeLines(Path ledger) throws IOException {
        String text = Files.readString(ledger);
        return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    }
}
