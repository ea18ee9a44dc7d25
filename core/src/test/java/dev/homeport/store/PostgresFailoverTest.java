package dev.homeport.store;

import static dev.homeport.store.Edit.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.homeport.change.Head;
import dev.homeport.change.StoreUnavailable;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The primary is lost for good and its synchronous standby takes over: what was acknowledged is there. */
@Tag("slow")
class PostgresFailoverTest {
    private static final int FAILOVERS = Depth.of(1, 1, 10);

    @TempDir
    private Path folder;

    /** A primary that commits nothing without its standby, unless a client asks for less, as its settings do here. */
    private static final class Pair implements AutoCloseable {
        private final Path data;
        private final Path copy;
        private final EmbeddedPostgres primary;
        private final EmbeddedPostgres standby;
        private final SqlStore store;

        Pair(Path folder, String synchronousCommit) throws Exception {
            data = folder.resolve("primary");
            copy = folder.resolve("standby");
            primary = EmbeddedPostgres.builder()
                    .setDataDirectory(data)
                    .setServerConfig("synchronous_commit", synchronousCommit)
                    .start();
            // Initialised before there is a standby to wait for.
            Stores.postgres(settings(), Opening.writer(() -> "store-1").initialising())
                    .close();
            standby = PostgresStandby.of(primary, data, copy);
            ask(primary, "ALTER SYSTEM SET synchronous_standby_names = '*'");
            ask(primary, "SELECT pg_reload_conf()");
            await(
                    "the standby is synchronous",
                    () -> ask(primary, "SELECT max(sync_state) FROM pg_stat_replication")
                            .equals("sync"));
            store = Stores.postgres(settings(), Opening.writer(() -> "store-1"));
        }

        /** Both hosts, of which the one that takes writes is used. */
        private PostgresSettings settings() {
            String hosts =
                    "127.0.0.1:" + primary.getPort() + (standby == null ? "" : ",127.0.0.1:" + standby.getPort());
            return new PostgresSettings(
                    "jdbc:postgresql://" + hosts + "/postgres?targetServerType=primary", "postgres", "postgres");
        }

        /** The whole family at once. */
        void killPrimary() throws IOException, InterruptedException {
            List<ProcessHandle> family = family(data);
            family.forEach(ProcessHandle::destroyForcibly);
            while (family.stream().anyMatch(ProcessHandle::isAlive)) {
                Thread.sleep(5);
            }
        }

        /** STOP or CONT for every process of the standby. */
        void signalStandby(String signal) throws IOException, InterruptedException {
            for (ProcessHandle one : family(copy)) {
                assertThat(new ProcessBuilder("kill", "-" + signal, Long.toString(one.pid()))
                                .start()
                                .waitFor())
                        .isZero();
            }
        }

        private static List<ProcessHandle> family(Path data) throws IOException {
            ProcessHandle postmaster = ProcessHandle.of(Long.parseLong(
                            Files.readAllLines(data.resolve("postmaster.pid")).getFirst()))
                    .orElseThrow();
            return Stream.concat(Stream.of(postmaster), postmaster.descendants())
                    .toList();
        }

        void promote() {
            assertThat(ask(standby, "SELECT pg_promote()")).isEqualTo("t");
        }

        @Override
        public void close() throws IOException {
            store.close();
            standby.close();
            primary.close();
        }
    }

    private static String ask(EmbeddedPostgres server, String sql) {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            if (!statement.execute(sql)) {
                return "";
            }
            try (ResultSet row = statement.getResultSet()) {
                return row.next() ? String.valueOf(row.getString(1)) : "";
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long until = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(until);
            Thread.sleep(20);
        }
    }

    @Test
    void noAcknowledgedCommitIsLostOrDoneTwice() throws Exception {
        for (int i = 0; i < FAILOVERS; i++) {
            // Servers may be set to acknowledge early; the store asks for more by itself.
            try (Pair pair = new Pair(folder.resolve("pair-" + i), i % 2 == 0 ? "local" : "off");
                    AcknowledgedWrites writes = new AcknowledgedWrites(pair.store)) {
                writes.awaitMore(100);
                pair.killPrimary();
                pair.promote();
                writes.awaitMore(100);
                writes.check();
            }
        }
    }

    /** PostgreSQL commits on the primary alone when a statement is cancelled while it waits, and only warns of it. */
    @Test
    void aCommitThatTheStandbyMayNotHaveIsNotAcknowledged() throws Exception {
        try (Pair pair = new Pair(folder, "local")) {
            put("a", "{}").on(pair.store);
            Head before = pair.store.head();
            pair.signalStandby("STOP");
            try {
                CompletableFuture<Object> append =
                        CompletableFuture.supplyAsync(() -> put("b", "{}").tryOn(pair.store, before));
                String waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
                await(
                        "it waits for the standby",
                        () -> append.isDone()
                                || !ask(pair.primary, "SELECT pid " + waiting).isEmpty());
                assertThat(append).as("the standby has nothing of it").isNotDone();
                ask(pair.primary, "SELECT pg_cancel_backend(pid) " + waiting);
                assertThatThrownBy(append::join).hasCauseInstanceOf(StoreUnavailable.class);
            } finally {
                pair.killPrimary();
                pair.signalStandby("CONT");
            }
            pair.promote();
            await("the store is back", () -> {
                try {
                    return pair.store.head().revision() > 0;
                } catch (StoreUnavailable e) {
                    return false;
                }
            });
            // Whether the standby got it meanwhile is open; it was not acknowledged, so both are right.
            assertThat(pair.store.head().revision()).isBetween(before.revision(), before.revision() + 1);
            assertThat(pair.store.verify(revision -> {}).commits())
                    .isEqualTo(pair.store.head().revision());
        }
    }
}
