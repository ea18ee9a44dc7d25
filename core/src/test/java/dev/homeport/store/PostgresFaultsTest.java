package dev.homeport.store;

import static dev.homeport.store.Edit.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.homeport.change.Proposal.Idempotency;
import dev.homeport.change.StoreRefused;
import dev.homeport.change.StoreUnavailable;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PostgresFaultsTest {
    @Test
    void aServerOutOfReachIsUnavailable() {
        PostgresSettings nobody = new PostgresSettings("jdbc:postgresql://127.0.0.1:1/none", "x", "y");
        assertThatThrownBy(() -> Stores.postgres(nobody, Opening.follower())).isInstanceOf(StoreUnavailable.class);
    }

    @Test
    void aDatabaseWithoutOurSchemaIsRefusedUnlessInitialisationIsAskedFor() {
        try (PostgresBackend backend = PostgresBackend.fresh()) {
            assertThatThrownBy(() -> backend.open(Opening.writer(() -> "new")))
                    .isInstanceOf(StoreRefused.class)
                    .hasMessageContaining("initialisation");
            assertThatThrownBy(backend::openFollower).isInstanceOf(StoreRefused.class);
            assertThatThrownBy(() -> backend.open(Opening.follower().initialising()))
                    .isInstanceOf(StoreRefused.class);
            try (SqlStore store = backend.openWriter()) {
                assertThat(store.head().storeId()).isEqualTo("store-1");
            }
            try (SqlStore store = backend.open(Opening.writer(() -> "new"))) {
                assertThat(store.head().storeId()).isEqualTo("store-1");
            }
        }
    }

    @Test
    void aStoreMadeByLaterCodeIsRefused() {
        try (PostgresBackend backend = PostgresBackend.fresh()) {
            backend.openWriter().close();
            backend.tamper("UPDATE store_meta SET needs = " + (Migrations.SCHEMA + 1));
            assertThatThrownBy(backend::openWriter)
                    .isInstanceOf(StoreRefused.class)
                    .hasMessageContaining("later");
        }
    }

    @Test
    void aRoleWithoutARightIsToldWhichOne() {
        try (PostgresBackend backend = PostgresBackend.fresh()) {
            backend.openWriter().close();
            String role = "poor_" + backend.name();
            backend.tamper(
                    "CREATE ROLE " + role + " LOGIN PASSWORD 'x'",
                    "GRANT USAGE ON SCHEMA homeport TO " + role,
                    "GRANT SELECT ON head, store_meta, commits, changes, documents, type_state TO " + role);
            PostgresSettings poor = new PostgresSettings(backend.settings().jdbcUrl(), role, "x");
            try (SqlStore store = Stores.postgres(poor, Opening.follower())) {
                assertThatThrownBy(store::status)
                        .isInstanceOf(StoreRefused.class)
                        .hasMessageContaining("store_state")
                        .hasMessageContaining("Grant it");
            }
            backend.tamper("DROP OWNED BY " + role, "DROP ROLE " + role);
        }
    }

    @Test
    void severalProcessesMayWrite() {
        try (PostgresBackend backend = PostgresBackend.fresh();
                SqlStore one = backend.openWriter();
                SqlStore two = backend.openWriter()) {
            assertThat(put("a", "{}").on(one).revision()).isEqualTo(1);
            assertThat(put("b", "{}").on(two).revision()).isEqualTo(2);
            assertThat(put("c", "{}").on(one).revision()).isEqualTo(3);
        }
    }

    @Test
    void connectionsThatWereCutAreReplacedAndWaitersStillWake() throws Exception {
        try (PostgresBackend backend = PostgresBackend.fresh();
                SqlStore store = backend.openWriter();
                SqlStore follower = backend.openFollower();
                var thread = Executors.newSingleThreadExecutor()) {
            put("a", "{}").on(store);
            follower.awaitBeyond(0, Duration.ofSeconds(5));
            Future<Boolean> woken = thread.submit(() -> {
                follower.awaitBeyond(1, Duration.ofHours(1));
                return true;
            });
            cutAll(backend);
            assertThatThrownBy(store::head).isInstanceOf(StoreUnavailable.class);
            assertThat(store.head().revision()).isEqualTo(1);
            assertThatThrownBy(() -> put("b", "{}").under("k", "d").on(store)).isInstanceOf(StoreUnavailable.class);
            assertThat(store.committedUnder(Edit.ALICE, new Idempotency("k", "d")))
                    .isEmpty();
            assertThat(put("b", "{}").on(store).revision()).isEqualTo(2);
            assertThat(woken.get(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static void cutAll(PostgresBackend backend) {
        PostgresBackend.admin(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + backend.name() + "'");
    }
}
