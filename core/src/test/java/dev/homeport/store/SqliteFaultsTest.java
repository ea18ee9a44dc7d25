package dev.homeport.store;

import static dev.homeport.store.Edit.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.homeport.change.Head;
import dev.homeport.change.StoreUnavailable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SqliteFaultsTest {
    private SqliteBackend backend;
    private SqlStore store;

    @BeforeEach
    void open() {
        backend = SqliteBackend.fresh();
        store = backend.openWriter();
    }

    @AfterEach
    void close() {
        store.close();
        backend.close();
    }

    @Test
    void aFullDiskRefusesTheWriteChangesNothingAndIsGotOver() {
        put("a", "{}").on(store);
        Head before = store.head();
        store.database().outside(session -> session.run("PRAGMA max_page_count = 1")); // SQLite takes the present size
        Edit edit = new Edit();
        for (int i = 0; i < 2_000; i++) {
            edit.andPut("c" + i, "{\"text\":\"" + "x".repeat(500) + "\"}");
        }
        assertThatThrownBy(() -> edit.on(store)).isInstanceOf(StoreUnavailable.class);
        assertThat(store.head()).isEqualTo(before);
        assertThat(store.verify(revision -> {}).documents()).isEqualTo(1);
        assertThat(edit.on(store).revision()).isEqualTo(2);
        assertThat(store.verify(revision -> {}).documents()).isEqualTo(2_001);
    }

    @Test
    void aDatabaseLockedByAnotherIsUnavailableAndReadsGoOn() throws Exception {
        put("a", "{}").on(store);
        try (Connection other = backend.raw();
                Statement statement = other.createStatement()) {
            statement.execute("BEGIN IMMEDIATE");
            store.database().outside(session -> session.run("PRAGMA busy_timeout = 200"));
            assertThatThrownBy(() -> put("b", "{}").on(store)).isInstanceOf(StoreUnavailable.class);
            assertThat(store.head().revision()).isEqualTo(1);
            statement.execute("ROLLBACK");
        }
        assertThat(put("b", "{}").on(store).revision()).isEqualTo(2);
    }

    @Test
    void aRedactedValueIsNowhereInTheFiles() throws Exception {
        put("a", "{\"x\":\"s3cret-canary\"}").on(store);
        put("a", "{}").on(store);
        assertThat(filesHoldCanary()).isTrue();
        Edit.redact(store, 1, Edit.cluster("a"), "/x");
        assertThat(filesHoldCanary()).isFalse();
    }

    private boolean filesHoldCanary() throws Exception {
        try (var files = Files.list(backend.directory())) {
            for (Path file : files.toList()) {
                if (new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains("s3cret-canary")) {
                    return true;
                }
            }
        }
        return false;
    }
}
