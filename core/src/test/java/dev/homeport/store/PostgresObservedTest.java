package dev.homeport.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.homeport.change.Head;
import dev.homeport.observe.Observations;
import dev.homeport.observe.PollBatch;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PostgresObservedTest extends ObservedContract {
    private final PostgresBackend backend = PostgresBackend.fresh();

    @AfterEach
    void drop() {
        backend.close();
    }

    @Override
    Observations open(Opening.Mode mode) {
        return ObservedStores.postgres(backend.settings(), mode, newName());
    }

    /** What a server that only reads is given in an installation that trusts it with no more. */
    @Test
    void aRoleThatMayWriteOnlyHereCanFollowAndSave() {
        backend.openWriter().close();
        String role = backend.name() + "_reader";
        backend.tamper(
                "CREATE ROLE " + role + " LOGIN PASSWORD 'reader'",
                "GRANT USAGE ON SCHEMA homeport, observed TO " + role,
                "GRANT SELECT ON ALL TABLES IN SCHEMA homeport TO " + role,
                "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA observed TO " + role);
        PostgresSettings reader = new PostgresSettings(backend.settings().jdbcUrl(), role, "reader");
        try (SqlStore store = Stores.postgres(reader, Opening.follower());
                Observations log = ObservedStores.postgres(reader, Opening.Mode.FOLLOWER, newName())) {
            Head head = store.load(document -> {});
            log.save(new PollBatch(List.of(), Set.of("c1"), head));
            assertThat(log.highest()).contains(head);
        }
        PostgresSettings asWriter = reader;
        assertThatThrownBy(() -> {
                    try (SqlStore store = Stores.postgres(asWriter, Opening.writer(() -> "x"))) {
                        store.raiseEpoch();
                    }
                })
                .isInstanceOf(RuntimeException.class);
        backend.tamper("DROP OWNED BY " + role, "DROP ROLE " + role);
    }
}
