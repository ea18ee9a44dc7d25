package dev.homeport.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.change.Head;
import dev.homeport.change.LogMaintenance.Verified;
import dev.homeport.testing.EarlierRelease;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stores and backups that the release before made. */
class UpgradeTest {
    private static final Verified WHOLE = new Verified(6, 26, 23, 1);

    @TempDir
    private Path data;

    @Test
    void aReaderWorksWithAnEmbeddedStoreBeforeAWriterHasUpdatedIt() throws IOException {
        EarlierRelease.unpack(data);
        try (SqlStore reader = Stores.sqlite(data, Opening.follower())) {
            notUpdated(reader);
        }
    }

    @Test
    void aWriterUpdatesAnEmbeddedStore() throws IOException {
        EarlierRelease.unpack(data);
        try (SqlStore store = Stores.sqlite(data, writer())) {
            updated(store);
        }
    }

    @Test
    void theSameInPostgres() throws Exception {
        EarlierRelease.unpack(data);
        try (PostgresBackend backend = PostgresBackend.fresh()) {
            makeAsBefore(backend);
            try (SqlStore reader = backend.openFollower()) {
                notUpdated(reader);
                try (SqlStore store = backend.open(writer())) {
                    updated(store);
                    assertThat(reader.status().isAccepted())
                            .as("one that was opened before sees it too")
                            .isTrue();
                }
            }
        }
    }

    @Test
    void aBackupOfTheReleaseBeforeIsRestored() throws IOException {
        EarlierRelease.unpack(data);
        try (SqliteBackend backend = SqliteBackend.fresh();
                BufferedReader in = new BufferedReader(new InputStreamReader(
                        new GZIPInputStream(Files.newInputStream(data.resolve("backup"))), StandardCharsets.UTF_8));
                SqlStore store = backend.open(Opening.writer(() -> EarlierRelease.STORE_ID))) {
            store.restore(in, revision -> {});
            assertThat(store.verify(revision -> {})).isEqualTo(WHOLE);
            assertThat(store.status().quarantine()).isPresent();
        }
    }

    private static Opening writer() {
        return Opening.writer(() -> {
            throw new AssertionError("there is a store");
        });
    }

    private static void notUpdated(SqlStore reader) {
        assertThat(reader.hasState()).isFalse();
        assertThat(reader.status().quarantine()).isEmpty();
        assertThat(reader.masterKey()).isEmpty();
        assertThat(reader.verify(revision -> {})).isEqualTo(WHOLE);
    }

    private static void updated(SqlStore store) {
        assertThat(store.hasState()).isTrue();
        assertThat(store.status().quarantine()).isEmpty();
        assertThat(store.verify(revision -> {})).isEqualTo(WHOLE);
        Head head = store.head();
        assertThat(head.storeId()).isEqualTo(EarlierRelease.STORE_ID);
        assertThat(store.recordMasterKey(List.of("k"))).isEqualTo("k");
        assertThat(store.accept(head).epoch()).isEqualTo(head.epoch() + 1);
        Edit.put("new", "{}").on(store);
    }

    /** The tables of the release before, with the rows of its embedded store. */
    private void makeAsBefore(PostgresBackend backend) throws SQLException {
        PostgresSettings settings = backend.settings();
        Flyway.configure()
                .dataSource(settings.jdbcUrl(), settings.user(), settings.password())
                .locations("classpath:dev/homeport/store/postgresql")
                .placeholders(java.util.Map.of("store_id", EarlierRelease.STORE_ID, "quarantine", ""))
                .defaultSchema(PostgresSettings.SCHEMA)
                .target("1")
                .load()
                .migrate();
        try (Connection from = DriverManager.getConnection("jdbc:sqlite:" + data.resolve("homeport.db"));
                Connection to = backend.raw()) {
            for (String table : List.of("head", "commits", "changes", "documents", "type_state")) {
                copy(from, to, table);
            }
        }
    }

    private static void copy(Connection from, Connection to, String table) throws SQLException {
        try (Statement read = from.createStatement();
                ResultSet rows = read.executeQuery("SELECT * FROM " + table);
                Statement clear = to.createStatement()) {
            clear.execute("DELETE FROM " + table);
            int columns = rows.getMetaData().getColumnCount();
            String places = String.join(", ", Collections.nCopies(columns, "?"));
            try (PreparedStatement write = to.prepareStatement("INSERT INTO " + table + " VALUES (" + places + ")")) {
                while (rows.next()) {
                    for (int i = 1; i <= columns; i++) {
                        write.setObject(i, rows.getObject(i));
                    }
                    write.executeUpdate();
                }
            }
        }
    }
}
