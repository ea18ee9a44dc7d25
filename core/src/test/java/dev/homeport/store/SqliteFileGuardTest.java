package dev.homeport.store;

import static dev.homeport.store.Edit.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.homeport.change.StoreUnavailable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files of an open store that are removed, moved or overwritten: nothing may be acknowledged that is lost. */
class SqliteFileGuardTest {
    private final SqliteBackend backend = SqliteBackend.fresh();
    private final Path database = backend.directory().resolve("homeport.db");
    private final Path wal = backend.directory().resolve("homeport.db-wal");
    private final Path older = backend.directory().resolve("older.db");
    private SqlStore store;

    @BeforeEach
    void open() throws IOException {
        try (SqlStore first = backend.openWriter()) {
            put("a", "{\"n\":1}").on(first);
        }
        Files.copy(database, older);
        store = backend.openWriter();
        put("a", "{\"n\":2}").on(store);
    }

    @AfterEach
    void close() {
        store.close();
        backend.close();
    }

    @Test
    void aRemovedDatabase() throws IOException {
        Files.delete(database);
        refused("homeport.db was removed");
    }

    @Test
    void aDatabaseMovedAway() throws IOException {
        Files.move(database, backend.directory().resolve("moved.db"));
        refused("homeport.db was removed");
    }

    @Test
    void aDatabaseReplacedByAnOlderCopy() throws IOException {
        Files.move(older, database, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        refused("homeport.db was replaced");
    }

    @Test
    void aDatabaseOverwrittenInPlace() throws IOException {
        FileTime before = Files.getLastModifiedTime(database);
        Files.write(database, Files.readAllBytes(older));
        assertThat(Files.getLastModifiedTime(database)).isNotEqualTo(before);
        refused("homeport.db was overwritten");
    }

    @Test
    void aRemovedWal() throws IOException {
        Files.delete(wal);
        refused("homeport.db-wal was removed");
    }

    @Test
    void aReplacedWal() throws IOException {
        byte[] bytes = Files.readAllBytes(wal);
        Files.delete(wal);
        Files.write(wal, bytes);
        refused("homeport.db-wal was replaced");
    }

    @Test
    void theWholeFolderRemoved() throws IOException {
        try (Stream<Path> files = Files.list(backend.directory())) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        refused("was removed");
    }

    @Test
    void aReaderNoticesToo() throws IOException {
        try (SqlStore reader = backend.openFollower()) {
            assertThat(reader.status().quarantine()).isEmpty();
            Files.move(older, database, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            assertThat(reader.status().quarantine()).isPresent();
        }
    }

    @Test
    void whatThisProcessDoesToTheFilesIsNoReason() {
        String long_ = "x".repeat(60_000);
        for (int i = 0; i < 150; i++) {
            put("big-" + i % 20, "{\"v\":\"" + long_ + i + "\"}").on(store); // far more pages than fit into the WAL
            assertThat(store.status().quarantine()).isEmpty();
        }
        Edit.redact(store, 3, Edit.cluster("big-0"), "/v"); // moves the WAL into the database
        put("a", "{\"n\":3}").on(store);
        assertThat(store.status().quarantine()).isEmpty();
    }

    @Test
    void anOperatorBesideTheWriterIsNoReason() {
        try (SqlStore operator = backend.open(Opening.operator())) {
            operator.accept(operator.head());
        }
        assertThat(store.status().quarantine()).isEmpty();
        assertThat(store.status().isAccepted()).isTrue();
        put("a", "{\"n\":3}").on(store);
    }

    private void refused(String what) {
        assertThatThrownBy(() -> put("a", "{\"n\":3}").on(store))
                .isInstanceOf(StoreUnavailable.class)
                .hasMessageContaining(what);
        assertThat(store.status().quarantine())
                .hasValueSatisfying(why -> assertThat(why).contains(what, "restore a backup"));
        // Files put back come too late: what is in memory may not be what they hold.
        assertThatThrownBy(() -> put("a", "{\"n\":4}").on(store)).isInstanceOf(StoreUnavailable.class);
    }
}
