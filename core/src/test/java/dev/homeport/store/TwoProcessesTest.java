package dev.homeport.store;

import static dev.homeport.store.Edit.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.homeport.change.Head;
import dev.homeport.change.StoreRefused;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** SQLite has one writer; followers work beside it. */
class TwoProcessesTest {
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
    void aSecondWriterIsRefusedUntilTheFirstIsGone() throws Exception {
        assertThat(outputOf("writer")).startsWith("refused: another process writes to");
        store.close();
        assertThat(outputOf("writer")).startsWith("opened");
    }

    @Test
    void aSecondWriterInTheSameProcessIsRefused() {
        assertThatThrownBy(backend::openWriter).isInstanceOf(StoreRefused.class).hasMessageContaining("stop it");
        put("a", "{}").on(store);
    }

    /** The follower waits up to ten seconds for a commit; it must be notified of each of them, one after the other. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aFollowerSeesEachCommit() throws Exception {
        put("a", "{}").on(store);
        Process follower = Child.start(List.of(), "follower", backend.directory());
        try {
            assertThat(Child.line(follower)).isEqualTo("at 1");
            for (int revision = 2; revision <= 6; revision++) {
                put("a", "{\"n\":" + revision + "}").on(store);
                assertThat(Child.line(follower)).isEqualTo("seen " + revision);
            }
        } finally {
            follower.destroyForcibly().waitFor();
        }
    }

    @Test
    void aWriterThatLostTheFenceIsRefused() {
        put("a", "{}").on(store);
        Head before = store.head();
        backend.tamper("UPDATE head SET fence = fence + 1");
        assertThatThrownBy(() -> put("b", "{}").on(store)).isInstanceOf(StoreRefused.class);
        assertThatThrownBy(store::raiseEpoch).isInstanceOf(StoreRefused.class);
        assertThatThrownBy(() -> Edit.redact(store, 1, Edit.cluster("a"), "/x")).isInstanceOf(StoreRefused.class);
        assertThat(store.head()).isEqualTo(before);
    }

    private String outputOf(String mode) throws Exception {
        Process child = Child.start(List.of(), mode, backend.directory());
        try {
            return Child.line(child);
        } finally {
            child.waitFor();
        }
    }
}
