package dev.homeport.store;

import static dev.homeport.store.Edit.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.homeport.change.Head;
import dev.homeport.change.LogStatus;
import dev.homeport.change.StoreCorrupt;
import dev.homeport.change.StoreRefused;
import dev.homeport.document.Document;
import java.io.BufferedReader;
import java.io.StringReader;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A backup holds one moment, fits every store, and is taken whole or not at all. */
abstract class BackupContract {
    private Backend backend;
    private SqlStore store;

    abstract Backend fresh();

    abstract Backend other();

    @BeforeEach
    void open() {
        backend = fresh();
        store = backend.openWriter();
        put("a", "{\"n\":1}").andPut("b", "{\"n\":1,\"secret\":\"x\"}").on(store);
        put("b", "{\"n\":2}").on(store);
        Edit.remove("a").on(store);
        put("a", "{\"n\":3}").under("key", "digest").on(store);
        Edit.redact(store, 1, Edit.cluster("b"), "/secret");
    }

    @AfterEach
    void close() {
        store.close();
        backend.close();
    }

    @Test
    void aRestoredStoreIsTheSameInAHigherEpoch() {
        String saved = backup();
        Head before = store.head();
        try (Backend elsewhere = other();
                SqlStore restored = elsewhere.openWriter()) {
            Head after = restore(restored, saved);
            assertThat(after).isEqualTo(new Head(before.storeId(), 2, before.revision(), before.hash()));
            assertThat(restored.head()).isEqualTo(after);
            assertThat(documents(restored)).isEqualTo(documents(store));
            assertThat(restored.verify(revision -> {})).isEqualTo(store.verify(revision -> {}));
            assertThat(restored.after(0, 100)).isEqualTo(store.after(0, 100));
            StringWriter again = new StringWriter();
            restored.backup(again, revision -> {});
            assertThat(again.toString().lines().skip(1))
                    .isEqualTo(saved.lines().skip(1).toList());
            restored.accept(after);
            put("c", "{}").on(restored);
            restored.verify(revision -> {});
        }
    }

    @Test
    void aRestoredStoreIsInQuarantineForEveryServerUntilItIsAccepted() {
        String saved = backup();
        try (Backend elsewhere = other();
                SqlStore restored = elsewhere.openWriter()) {
            Head after = restore(restored, saved);
            try (SqlStore reader = elsewhere.openFollower()) {
                assertThat(reader.status().quarantine())
                        .hasValueSatisfying(
                                why -> assertThat(why).contains("restored from a backup of revision 5 of epoch 1"));
                assertThatThrownBy(() -> put("c", "{}").on(restored))
                        .isInstanceOf(StoreRefused.class)
                        .hasMessageContaining("quarantine");
                assertThatThrownBy(() -> restored.accept(store.head()))
                        .isInstanceOf(StoreRefused.class)
                        .hasMessageContaining("has changed meanwhile");
                assertThat(reader.status().quarantine()).isPresent();
                Head accepted = restored.accept(after);
                assertThat(accepted.epoch()).isEqualTo(after.epoch() + 1);
                assertThat(reader.status())
                        .isEqualTo(new LogStatus(accepted, Optional.empty(), accepted.epoch(), Optional.empty()));
            }
        }
    }

    @Test
    void aStoreThatIsMadeForARestoreIsInQuarantineFromItsFirstMoment() {
        try (Backend elsewhere = other();
                SqlStore made = elsewhere.open(
                        Opening.writer(() -> "store-1").initialising().inQuarantine())) {
            assertThat(made.head().revision()).isZero();
            assertThat(made.status().quarantine()).isPresent();
            assertThatThrownBy(() -> put("c", "{}").on(made)).isInstanceOf(StoreRefused.class);
        }
    }

    @Test
    void aReleaseThatDoesNotKnowTheQuarantineIsKeptOutMeanwhile() throws Exception {
        assertThat(needs()).as("the way back to the release before is open").isEqualTo(1);
        Head restored = restore(store, backup());
        assertThat(needs()).isEqualTo(2);
        store.accept(restored);
        assertThat(needs()).isEqualTo(1);
    }

    private int needs() throws SQLException {
        try (Connection connection = backend.raw();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT needs FROM store_meta")) {
            row.next();
            return row.getInt(1);
        }
    }

    @Test
    void theFirstMasterKeyIsRecordedAndAnotherIsNotTaken() {
        assertThat(store.masterKey()).isEmpty();
        assertThat(store.recordMasterKey(List.of("k1"))).isEqualTo("k1");
        assertThat(store.recordMasterKey(List.of("other"))).isEqualTo("k1");
        assertThat(store.recordMasterKey(List.of("k2", "k1"))).isEqualTo("k2");
        assertThat(store.recordMasterKey(List.of("k1"))).isEqualTo("k2");
        try (SqlStore reader = backend.openFollower()) {
            assertThat(reader.masterKey()).contains("k2");
        }
        store.replaceMasterKey("k9");
        assertThat(store.masterKey()).contains("k9");
        try (Backend elsewhere = other();
                SqlStore restored = elsewhere.openWriter()) {
            restore(restored, backup());
            assertThat(restored.masterKey()).as("the key of what was restored").contains("k9");
        }
    }

    @Test
    void whatCameAfterABackupIsGoneAndTheEpochSaysSo() {
        String saved = backup();
        store.raiseEpoch();
        put("late", "{}").on(store);
        Head after = restore(store, saved);
        assertThat(after.epoch()).isEqualTo(3);
        assertThat(after.revision()).isEqualTo(5);
        assertThat(documents(store)).noneMatch(text -> text.startsWith("cluster/late"));
        store.verify(revision -> {});
    }

    @Test
    void aBackupThatIsCutOffOrAlteredChangesNothing() {
        String saved = backup();
        Head before = store.head();
        String cut = String.join("\n", saved.lines().toList().subList(0, 4));
        assertThatThrownBy(() -> restore(store, cut))
                .isInstanceOf(StoreRefused.class)
                .hasMessageContaining("cut off");
        assertThatThrownBy(() -> restore(store, saved.replace("\\\"n\\\":2", "\\\"n\\\":9")))
                .isInstanceOf(StoreCorrupt.class);
        assertThatThrownBy(() -> restore(store, saved.replace("store-1", "store-9")))
                .isInstanceOf(StoreRefused.class)
                .hasMessageContaining("store-9");
        assertThatThrownBy(() -> restore(store, "something else\n")).isInstanceOf(StoreRefused.class);
        assertThat(store.head()).isEqualTo(before);
        store.verify(revision -> {});
    }

    @Test
    void aBackupUnderLoadHoldsOneMoment() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        Thread writer = Thread.ofPlatform().start(() -> {
            for (int i = 0; !stop.get(); i++) {
                put("w" + i % 50, "{\"n\":" + i + "}").on(store);
            }
        });
        List<String> saved = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            saved.add(backup());
        }
        stop.set(true);
        writer.join();
        for (String one : saved) {
            try (Backend elsewhere = other();
                    SqlStore restored = elsewhere.openWriter()) {
                restore(restored, one);
                restored.verify(revision -> {});
            }
        }
    }

    @Test
    void theSizeCountsWhatIsThere() {
        StoreSize size = store.size(store.commit(4).orElseThrow().commit().at());
        assertThat(size.documents()).containsEntry("cluster", 2L);
        assertThat(size.commits()).isEqualTo(5);
        assertThat(size.changes()).isEqualTo(6);
        assertThat(size.bytes()).isPositive();
        assertThat(size.recent().commits()).isEqualTo(5);
        assertThat(size.recent().payloadBytes()).isPositive();
    }

    private String backup() {
        StringWriter out = new StringWriter();
        store.backup(out, revision -> {});
        return out.toString();
    }

    private static Head restore(SqlStore into, String saved) {
        return into.restore(new BufferedReader(new StringReader(saved)), revision -> {});
    }

    private static List<String> documents(SqlStore of) {
        List<String> all = new ArrayList<>();
        of.load((Document document) ->
                all.add(document.key() + " " + document.tree() + " " + document.created() + " " + document.updated()));
        return all;
    }
}
