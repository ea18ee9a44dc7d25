package dev.homeport.store;

import static dev.homeport.store.Edit.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.homeport.change.AppendResult;
import dev.homeport.change.Head;
import dev.homeport.change.StoreUnavailable;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PostgresCutAtCommitTest {
    private PostgresBackend backend;
    private CommitCutter cutter;
    private SqlStore store;

    @BeforeEach
    void open() throws IOException {
        backend = PostgresBackend.fresh();
        PostgresSettings direct = backend.settings();
        cutter = new CommitCutter(direct.jdbcUrl());
        store = Stores.postgres(
                new PostgresSettings(cutter.through(direct.jdbcUrl()), direct.user(), direct.password()),
                Opening.writer(() -> "store-1").initialising());
        put("a", "{}").on(store);
    }

    @AfterEach
    void close() throws IOException {
        store.close();
        cutter.close();
        backend.close();
    }

    /** The server may be a moment behind what it was sent. */
    private Head headAt(long revision) throws InterruptedException {
        Instant end = Instant.now().plusSeconds(10);
        Head head = head();
        while (head.revision() != revision && Instant.now().isBefore(end)) {
            Thread.sleep(Duration.ofMillis(20));
            head = head();
        }
        assertThat(head.revision()).isEqualTo(revision);
        return head;
    }

    private Head head() {
        try {
            return store.head();
        } catch (StoreUnavailable e) {
            return store.head(); // the pool may hold one more connection that was cut
        }
    }

    @Test
    void aCommitThatNeverArrivedIsNotThere() throws InterruptedException {
        Edit edit = put("b", "{}").under("key", "digest");
        Head before = store.head();
        cutter.arm(CommitCutter.Cut.BEFORE);
        assertThatThrownBy(() -> edit.tryOn(store, before)).isInstanceOf(StoreUnavailable.class);
        assertThat(cutter.isArmed()).isFalse();
        assertThat(headAt(1)).isEqualTo(before);
        assertThat(edit.tryOn(store, before)).isInstanceOf(AppendResult.Appended.class);
        assertThat(store.verify(revision -> {}).documents()).isEqualTo(2);
    }

    @Test
    void aCommitWhoseAnswerWasLostIsThereOnce() throws InterruptedException {
        Edit edit = put("b", "{}").under("key", "digest");
        Head before = store.head();
        cutter.arm(CommitCutter.Cut.AFTER);
        assertThatThrownBy(() -> edit.tryOn(store, before)).isInstanceOf(StoreUnavailable.class);
        assertThat(cutter.isArmed()).isFalse();
        headAt(2);
        assertThat(edit.tryOn(store, before)).isInstanceOf(AppendResult.Replayed.class);
        assertThat(put("b", "{}").tryOn(store, before)).isInstanceOf(AppendResult.HeadMoved.class);
        assertThat(store.verify(revision -> {}).documents()).isEqualTo(2);
        assertThat(store.head().revision()).isEqualTo(2);
    }
}
