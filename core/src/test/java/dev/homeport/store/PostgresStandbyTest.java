package dev.homeport.store;

import static dev.homeport.store.Edit.put;
import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.document.BuiltInTypes;
import dev.homeport.snapshot.LogFollower;
import dev.homeport.support.TestFleet;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that reads a hot standby: it may not take for the present what the standby has not replayed. */
@Tag("slow")
class PostgresStandbyTest {
    private static final Duration BOUND = Duration.ofSeconds(3);

    @TempDir
    private Path folder;

    private EmbeddedPostgres primary;
    private EmbeddedPostgres standby;
    private SqlStore writer;
    private SqlStore reader;

    @BeforeEach
    void start() throws Exception {
        Path data = folder.resolve("primary");
        primary = EmbeddedPostgres.builder().setDataDirectory(data).start();
        writer = Stores.postgres(
                settings(primary), Opening.writer(() -> "store-1").initialising());
        put("a", "{\"n\":1}").on(writer);
        standby = PostgresStandby.of(primary, data, folder.resolve("standby"));
        reader = Stores.postgres(settings(standby), Opening.follower());
    }

    @AfterEach
    void stop() throws IOException {
        reader.close();
        writer.close();
        standby.close();
        primary.close();
    }

    @Test
    void aPausedReplayIsNotTakenForThePresent() throws Exception {
        LogFollower follower = LogFollower.open(reader, TestFleet.noMark(), System::nanoTime, BuiltInTypes.catalog());
        assertThat(reader.status().isReplica()).isTrue();
        assertThat(writer.status().isReplica()).isFalse();
        awaitBeating("fresh while a writer beats and nothing is written", () -> isFresh(follower));

        ask("SELECT pg_wal_replay_pause()");
        awaitBeating(
                "paused", () -> ask("SELECT pg_get_wal_replay_pause_state()").equals("paused"));
        put("a", "{\"n\":2}").on(writer);
        awaitBeating("too old although it answers", () -> !isFresh(follower));
        assertThat(follower.live().current().revision()).isEqualTo(1);

        ask("SELECT pg_wal_replay_resume()");
        awaitBeating(
                "fresh again",
                () -> isFresh(follower) && follower.live().current().revision() == 2);
    }

    @Test
    void withoutAnybodyWhoWritesAStandbyCannotSayHowOldItIs() throws Exception {
        LogFollower follower = LogFollower.open(reader, TestFleet.noMark(), System::nanoTime, BuiltInTypes.catalog());
        assertThat(follower.fresh(BOUND)).as("there is no heartbeat yet").isEmpty();
        awaitBeating("fresh", () -> isFresh(follower));
        await("the heart stopped", () -> !isFresh(follower));
    }

    /** As an older release left it: no writer of this one has opened the primary. */
    @Test
    void aStandbyOfAStoreWithoutStateCannotSayHowOldItIs() throws Exception {
        try (Connection connection = primary.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE homeport.heartbeat");
            statement.execute("DROP TABLE homeport.store_state");
        }
        await(
                "replayed",
                () -> ask("SELECT to_regclass('homeport.store_state')").equals("null"));
        assertThat(writer.status().isReplica()).isFalse();
        assertThat(reader.status().isReplica()).isTrue();
        LogFollower follower = LogFollower.open(reader, TestFleet.noMark(), System::nanoTime, BuiltInTypes.catalog());
        assertThat(follower.fresh(Duration.ofDays(1))).isEmpty();
        follower.catchUp();
        assertThat(follower.fresh(Duration.ofDays(1))).isEmpty();
    }

    @Test
    void aCommitIsSeenOnAStandby() throws Exception {
        long revision = reader.head().revision();
        put("a", "{\"n\":2}").on(writer);
        await("seen", () -> {
            try {
                reader.awaitBeyond(revision, Duration.ofSeconds(1));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return reader.head().revision() == revision + 1;
        });
    }

    private static boolean isFresh(LogFollower follower) {
        follower.catchUp();
        return follower.fresh(BOUND).isPresent();
    }

    private void awaitBeating(String what, BooleanSupplier condition) throws InterruptedException {
        await(what, () -> {
            writer.heartbeat();
            return condition.getAsBoolean();
        });
    }

    private static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long until = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(until);
            Thread.sleep(50);
        }
    }

    private static PostgresSettings settings(EmbeddedPostgres server) {
        return new PostgresSettings(server.getJdbcUrl("postgres", "postgres"), "postgres", "postgres");
    }

    private String ask(String sql) {
        try (Connection connection = standby.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return String.valueOf(row.getString(1));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
