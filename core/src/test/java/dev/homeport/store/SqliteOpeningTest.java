package dev.homeport.store;

import static dev.homeport.store.Edit.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.homeport.change.Head;
import dev.homeport.change.StoreCorrupt;
import dev.homeport.change.StoreRefused;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store is made where there never was one, and nowhere else unless that is asked for. */
class SqliteOpeningTest {
    private static final Opening WRITER = Opening.writer(() -> "store-2");

    @TempDir
    private Path parent;

    private Path directory;

    @BeforeEach
    void name() {
        directory = parent.resolve("data").resolve("homeport");
    }

    private void makeStore() {
        try (SqlStore store = Stores.sqlite(directory, Opening.writer(() -> "store-1"))) {
            put("a", "{}").on(store);
        }
    }

    private String openedId(Opening opening) {
        try (SqlStore store = Stores.sqlite(directory, opening)) {
            return store.head().storeId();
        }
    }

    private void assertRefused(Opening opening, String because) {
        assertThatThrownBy(() -> openedId(opening))
                .isInstanceOf(StoreRefused.class)
                .hasMessageContaining(because);
    }

    @Test
    void anAbsentDirectoryIsInitialisedAndGetsAStoreId() {
        makeStore();
        assertThat(directory.resolve("store-id")).hasContent("store-1");
        assertThat(openedId(WRITER)).isEqualTo("store-1");
    }

    @Test
    void anEmptyDirectoryIsInitialised() throws IOException {
        Files.createDirectories(directory);
        assertThat(openedId(WRITER)).isEqualTo("store-2");
    }

    @Test
    void aCrashWhileInitialisingLeavesNothingThatLooksLikeALostStore() throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("writer.lock"), "");
        Files.writeString(directory.resolve("homeport.db.new"), "half a database");
        assertThat(openedId(WRITER)).isEqualTo("store-2");
    }

    @Test
    void aStoreIdWithoutADatabaseIsRefusedUnlessInitialisationIsAskedFor() throws IOException {
        makeStore();
        Files.delete(directory.resolve("homeport.db"));
        assertRefused(WRITER, "ask for initialisation");
        assertThat(directory.resolve("homeport.db")).doesNotExist();
        assertThat(openedId(WRITER.initialising())).isEqualTo("store-2");
        assertThat(directory.resolve("store-id")).hasContent("store-2");
    }

    @Test
    void anEmptyDatabaseFileIsRefusedUnlessInitialisationIsAskedFor() throws IOException {
        makeStore();
        Files.write(directory.resolve("homeport.db"), new byte[0]);
        assertRefused(WRITER, "missing or empty");
        Files.delete(directory.resolve("store-id"));
        assertRefused(WRITER, "missing or empty");
        assertThat(openedId(WRITER.initialising())).isEqualTo("store-2");
    }

    @Test
    void aDatabaseWithoutTablesIsRefusedUnlessInitialisationIsAskedFor() throws Exception {
        Files.createDirectories(directory);
        sql("CREATE TABLE t (x)", "DROP TABLE t");
        assertRefused(WRITER, "missing or empty");
        assertThat(openedId(WRITER.initialising())).isEqualTo("store-2");
    }

    @Test
    void aHighWaterMarkWithoutADatabaseIsRefused() throws IOException {
        Files.createDirectories(directory);
        HighWater.in(directory).remember(new Head("store-1", 1, 7, "hash"));
        assertRefused(WRITER, "ask for initialisation");
    }

    @Test
    void aDatabaseOfSomethingElseIsRefusedAlwaysAndLeftAlone() throws Exception {
        Files.createDirectories(directory);
        sql("CREATE TABLE theirs (x)");
        assertRefused(WRITER, "something else");
        assertRefused(WRITER.initialising(), "something else");
        sql("INSERT INTO theirs VALUES (1)");
    }

    @Test
    void aFileThatIsNoDatabaseIsCorrupt() throws IOException {
        makeStore();
        Files.writeString(directory.resolve("homeport.db"), "this is not a database, but it is long enough".repeat(50));
        assertThatThrownBy(() -> openedId(WRITER)).isInstanceOf(StoreCorrupt.class);
        assertThatThrownBy(() -> openedId(WRITER.initialising())).isInstanceOf(StoreCorrupt.class);
    }

    @Test
    void aStoreIdThatIsNotTheDatabasesIsRefused() throws IOException {
        makeStore();
        Files.writeString(directory.resolve("store-id"), "store-9\n");
        assertRefused(WRITER, "store-9");
        assertRefused(WRITER.initialising(), "store-9");
        assertRefused(Opening.follower(), "store-9");
    }

    @Test
    void aDatabaseThatWasCopiedWithoutItsStoreIdGetsIt() throws IOException {
        makeStore();
        Files.delete(directory.resolve("store-id"));
        assertThat(openedId(WRITER)).isEqualTo("store-1");
        assertThat(directory.resolve("store-id")).hasContent("store-1");
    }

    @Test
    void initialisationOfAStoreThatIsThereChangesNothing() {
        makeStore();
        try (SqlStore store = Stores.sqlite(directory, WRITER.initialising())) {
            assertThat(store.head().storeId()).isEqualTo("store-1");
            assertThat(store.head().revision()).isEqualTo(1);
        }
    }

    @Test
    void aFollowerIsRefusedWhereThereIsNoStoreAndMakesNothing() throws IOException {
        assertRefused(Opening.follower(), "start a writer");
        assertThat(directory).doesNotExist();
        Files.createDirectories(directory);
        assertRefused(Opening.follower().initialising(), "start a writer");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void aFollowerWorksWithoutAWriter() {
        makeStore();
        try (SqlStore follower = Stores.sqlite(directory, Opening.follower())) {
            assertThat(follower.load(document -> {}).revision()).isEqualTo(1);
        }
    }

    @Test
    void aStoreMadeByLaterCodeIsRefused() throws Exception {
        makeStore();
        sql("UPDATE store_meta SET needs = " + (Migrations.SCHEMA + 1));
        assertRefused(WRITER, "later");
        assertRefused(Opening.follower(), "later");
    }

    @Test
    void aRefusedOpeningLeavesTheDirectoryUnlocked() throws IOException {
        makeStore();
        Files.writeString(directory.resolve("store-id"), "store-9\n");
        assertRefused(WRITER, "store-9");
        Files.writeString(directory.resolve("store-id"), "store-1\n");
        assertThat(openedId(WRITER)).isEqualTo("store-1");
    }

    private void sql(String... statements) throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("homeport.db"));
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
