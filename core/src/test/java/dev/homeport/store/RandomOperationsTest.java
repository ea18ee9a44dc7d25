package dev.homeport.store;

import dev.homeport.change.CommitHash;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Stores and model agree on random sequences. {@code -Dhomeport.seed=N} runs one sequence again. */
@Tag("properties")
class RandomOperationsTest {
    private static final int SEQUENCES = Depth.of(60, 300, 3_000);

    @Test
    void sqliteAgreesWithTheModel() {
        try (Backend backend = SqliteBackend.fresh()) {
            agree(backend);
        }
    }

    @Test
    void postgresAgreesWithTheModel() {
        try (Backend backend = PostgresBackend.fresh()) {
            agree(backend);
        }
    }

    private static void agree(Backend backend) {
        try (SqlStore store = backend.openWriter()) {
            Long single = Long.getLong("homeport.seed");
            for (long seed = 0; seed < SEQUENCES; seed++) {
                run(store, single == null ? seed : single);
            }
        }
    }

    private static void run(SqlStore store, long seed) {
        empty(store);
        try {
            new RandomOperations(store, seed).run();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("run it again with -Dhomeport.seed=" + seed, e);
        }
    }

    /** Cheaper than a new store for each sequence. */
    private static void empty(SqlStore store) {
        store.database().write(session -> {
            session.update("DELETE FROM documents");
            session.update("DELETE FROM changes");
            session.update("DELETE FROM commits");
            session.update("DELETE FROM type_state");
            return session.update("UPDATE head SET epoch = 1, revision = 0, time = -1, hash = ?", CommitHash.GENESIS);
        });
    }
}
