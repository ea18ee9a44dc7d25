package dev.homeport.store;

import static dev.homeport.store.Edit.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.homeport.change.Failpoint;
import dev.homeport.change.Head;
import dev.homeport.change.StoreRefused;
import dev.homeport.document.BuiltInTypes;
import dev.homeport.snapshot.FollowerState;
import dev.homeport.snapshot.LogFollower;
import java.io.BufferedWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The process ends at each named place, several times, and no acknowledged commit is lost and nothing is torn. */
abstract class FailpointKillContract {
    private static final int KILLS = Depth.of(1, 2, 20);

    @TempDir
    private Path folder;

    abstract Backend fresh();

    /** Where a child finds the store, see {@link Child#open}. */
    abstract String place(Backend backend);

    private static void runUntilKilled(Failpoint failpoint, int passes, Object... arguments) throws Exception {
        Process child = Child.start(List.of("-Dhomeport.failpoint=" + failpoint + ":" + passes), arguments);
        try {
            assertThat(child.waitFor()).as("killed at %s", failpoint).isEqualTo(Failpoint.EXIT_CODE);
        } finally {
            child.destroyForcibly();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"APPEND_LOCKED", "APPEND_WRITTEN", "APPEND_COMMITTED"})
    void anAppend(Failpoint failpoint) throws Exception {
        killed(failpoint, "ledger");
    }

    @ParameterizedTest
    @EnumSource(names = {"PUBLISH_APPLIED", "PUBLISH_PUBLISHED"})
    void aPublishedSnapshot(Failpoint failpoint) throws Exception {
        killed(failpoint, "publish");
    }

    private void killed(Failpoint failpoint, String mode) throws Exception {
        try (Backend backend = fresh()) {
            backend.openWriter().close();
            Path ledger = Files.createFile(folder.resolve("ledger"));
            int acknowledged = 0;
            for (int kill = 0; kill < KILLS; kill++) {
                runUntilKilled(failpoint, 25 + 7 * kill, mode, place(backend), ledger);
                int now = SqliteKillTest.check(backend, ledger);
                assertThat(now).isGreaterThan(acknowledged);
                acknowledged = now;
                isFollowedAsBefore(backend);
            }
        }
    }

    /** A mark that lags behind the log is no reason for a quarantine, and memory holds what the log holds. */
    private void isFollowedAsBefore(Backend backend) {
        try (SqlStore store = backend.openWriter()) {
            LogFollower follower =
                    LogFollower.open(store, HighWater.in(folder), System::nanoTime, BuiltInTypes.catalog());
            assertThat(follower.state()).isInstanceOf(FollowerState.Following.class);
            assertThat(follower.live().current().head()).isEqualTo(store.head());
        }
    }

    /** The store is the old one or the restored one, whole in either case. */
    @ParameterizedTest
    @EnumSource(names = {"RESTORE_EMPTIED", "RESTORE_FILLED", "RESTORE_COMMITTED"})
    void aRestore(Failpoint failpoint) throws Exception {
        try (Backend backend = fresh()) {
            Path backup = folder.resolve("backup");
            Head saved;
            Head before;
            try (SqlStore store = backend.openWriter()) {
                for (int i = 0; i < 5; i++) {
                    put("a" + i, "{}").on(store);
                }
                try (BufferedWriter out = Files.newBufferedWriter(backup)) {
                    saved = store.backup(out, revision -> {});
                }
                put("later", "{}").on(store);
                before = store.head();
            }
            runUntilKilled(failpoint, 1, "restore", place(backend), backup);
            try (SqlStore store = backend.openWriter()) {
                if (failpoint == Failpoint.RESTORE_COMMITTED) {
                    assertThat(store.head())
                            .isEqualTo(new Head(saved.storeId(), before.epoch() + 1, saved.revision(), saved.hash()));
                } else {
                    assertThat(store.head()).isEqualTo(before);
                }
                assertThat(store.verify(revision -> {}).commits())
                        .isEqualTo(store.head().revision());
                if (failpoint == Failpoint.RESTORE_COMMITTED) {
                    assertThatThrownBy(() -> put("afterwards", "{}").on(store)).isInstanceOf(StoreRefused.class);
                } else {
                    put("afterwards", "{}").on(store);
                }
            }
        }
    }
}
