package dev.homeport.snapshot;

import static dev.homeport.support.TestFleet.edit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.api.ErrorCode;
import dev.homeport.document.BuiltInTypes;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.AnswerCache;
import dev.homeport.fleet.WireShape;
import dev.homeport.store.HighWater;
import dev.homeport.store.Opening;
import dev.homeport.store.SqlStore;
import dev.homeport.store.Stores;
import dev.homeport.support.FleetTest;
import dev.homeport.support.TestFleet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Safety rule 9: a log that goes backwards, or becomes another one, is neither served nor written to. */
class QuarantineTest extends FleetTest {
    private static final List<String> FILES = List.of("homeport.db", "homeport.db-wal", "homeport.db-shm");

    @TempDir
    Path backup;

    @TempDir
    Path memory;

    @BeforeEach
    void someHistory() {
        fleet.component("grafana");
        fleet.cluster("c1", "dev", GRAFANA);
    }

    private static void copy(Path from, Path to) {
        try {
            for (String name : FILES) {
                Files.deleteIfExists(to.resolve(name));
                if (Files.exists(from.resolve(name))) {
                    Files.copy(from.resolve(name), to.resolve(name), StandardCopyOption.REPLACE_EXISTING);
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Puts an older copy of the database where the present one is. */
    private void backUp() {
        fleet.close();
        copy(directory, backup);
        fleet = TestFleet.sqlite(directory);
    }

    private void goBack() {
        fleet.close();
        copy(backup, directory);
    }

    private void change(String tag) {
        fleet.write(edit(Types.PLATFORM_COMPONENT, "grafana", body -> body.put("oci_tag", tag)));
    }

    private LogFollower follow(SqlStore store) {
        return LogFollower.open(store, HighWater.in(memory), fleet::nanos, BuiltInTypes.catalog());
    }

    private SqlStore open() {
        return Stores.sqlite(directory, Opening.writer(() -> "test-store"));
    }

    private static void quarantined(LogFollower follower, String word) {
        assertThat(follower.state())
                .isInstanceOfSatisfying(
                        FollowerState.Quarantined.class,
                        state -> assertThat(state.reason()).contains(word));
        assertThat(follower.fresh(Duration.ofDays(1))).isEmpty();
    }

    @Test
    void anOlderCopyIsNoticedAfterARestart() {
        backUp();
        change("v2.0.0");
        follow(fleet.store);
        goBack();
        try (SqlStore store = open()) {
            LogFollower follower = follow(store);
            quarantined(follower, "went back");
            follower.catchUp();
            quarantined(follower, "went back");
        }
        // Still remembered by the next process.
        try (SqlStore store = open()) {
            quarantined(follow(store), "went back");
        }
        fleet = TestFleet.sqlite(directory);
    }

    @Test
    void aLongerLogThatIsNotTheContinuationIsNoticedToo() {
        backUp();
        change("v2.0.0");
        follow(fleet.store);
        goBack();
        fleet = TestFleet.sqlite(directory);
        change("v3.0.0");
        change("v4.0.0");
        quarantined(follow(fleet.store), "is not the one that was seen before");
    }

    @Test
    void anotherHistoryOfTheSameLengthIsNoticed() {
        backUp();
        change("v2.0.0");
        follow(fleet.store);
        goBack();
        fleet = TestFleet.sqlite(directory);
        change("v3.0.0");
        quarantined(follow(fleet.store), "is not the one that was seen before");
    }

    @Test
    void aContinuationIsNoReason() {
        LogFollower follower = follow(fleet.store);
        assertThat(follower.state()).isInstanceOf(FollowerState.Following.class);
        change("v2.0.0");
        restart();
        assertThat(follow(fleet.store).state()).isInstanceOf(FollowerState.Following.class);
    }

    @Test
    void anOperatorMayAcceptWhatIsThere() {
        backUp();
        change("v2.0.0");
        follow(fleet.store);
        goBack();
        try (SqlStore store = open()) {
            LogFollower follower = follow(store);
            follower.accept();
            assertThat(follower.state()).isInstanceOf(FollowerState.Following.class);
            assertThat(follower.fresh(Duration.ofSeconds(3))).isPresent();
            assertThat(follower.live().current().revision())
                    .isEqualTo(store.head().revision());
        }
        try (SqlStore store = open()) {
            assertThat(follow(store).state()).isInstanceOf(FollowerState.Following.class);
        }
        fleet = TestFleet.sqlite(directory);
    }

    @Test
    void whatWasCachedBeforeAnAcceptanceIsNotServedAfterIt() {
        backUp();
        change("v2.0.0");
        AnswerBook book = new AnswerBook(new AnswerCache(1_000_000));
        Replaceable log = new Replaceable(fleet.store);
        LogFollower following = LogFollower.open(log, HighWater.in(memory), fleet::nanos, BuiltInTypes.catalog());
        assertThat(page(book, following.live().current())).contains("v2.0.0");
        goBack();
        fleet = TestFleet.sqlite(directory);
        change("v3.0.0");
        log.store = fleet.store;
        following.catchUp();
        quarantined(following, "is not the one that was seen before");
        following.accept();
        assertThat(page(book, following.live().current())).contains("v3.0.0");
    }

    private static String page(AnswerBook book, Snapshot snapshot) {
        AnswerBook.Page page = book.look(
                snapshot,
                snapshot.find(new DocumentKey(Types.CLUSTER, "c1")).orElseThrow(),
                snapshot.types().withPlural(COMPONENTS).orElseThrow(),
                WireShape.SET);
        return new String(((AnswerBook.Page.Ready) page).entry().body(), StandardCharsets.UTF_8);
    }

    @Test
    void aRaisedEpochStopsThoseWhoFollow() {
        assertThat(fleet.follower.state()).isInstanceOf(FollowerState.Following.class);
        long epoch = fleet.store.raiseEpoch();
        fleet.follower.catchUp();
        quarantined(fleet.follower, "restored");
        refused(ErrorCode.QUARANTINED, () -> change("v2.0.0"));
        fleet.follower.accept();
        change("v2.0.0");
        assertThat(fleet.snapshot().head().epoch()).isEqualTo(epoch);
        assertThat(fleet.store
                        .commit(fleet.snapshot().revision())
                        .orElseThrow()
                        .commit()
                        .epoch())
                .isEqualTo(epoch);
    }

    @Test
    void aWriterThatHasNotNoticedARestoreYetAppendsNothing() {
        long revision = fleet.store.head().revision();
        fleet.store.raiseEpoch();
        assertThat(fleet.follower.state()).isInstanceOf(FollowerState.Following.class);
        refused(ErrorCode.QUARANTINED, () -> change("v2.0.0"));
        assertThat(fleet.store.head().revision()).isEqualTo(revision);
    }

    @Test
    void aFreshLoadIsTheSameStateAlsoAfterARemoval() {
        fleet.create(Types.NAMESPACE, "apps", "{}");
        fleet.advance(Duration.ofMinutes(1));
        fleet.write(TestFleet.delete(Types.NAMESPACE, "apps"));
        Snapshot loaded = SnapshotLoader.load(fleet.store, BuiltInTypes.catalog());
        assertThat(loaded.at())
                .as("the time of the newest commit")
                .isEqualTo(fleet.snapshot().at());
    }

    @Test
    void nothingIsServedThatWasNotConfirmedLately() {
        fleet.follower.catchUp();
        assertThat(fleet.follower.fresh(Duration.ofSeconds(3))).isPresent();
        fleet.advance(Duration.ofSeconds(4));
        assertThat(fleet.follower.fresh(Duration.ofSeconds(3))).isEmpty();
        fleet.follower.catchUp();
        assertThat(fleet.follower.fresh(Duration.ofSeconds(3))).isPresent();
    }

    @Test
    void aStoreThatGoesBackWhileItIsFollowedIsNoticed() {
        backUp();
        change("v2.0.0");
        long seen = fleet.snapshot().revision();
        LogFollower follower = fleet.follower;
        Replaceable log = new Replaceable(fleet.store);
        LogFollower following = LogFollower.open(log, HighWater.in(memory), fleet::nanos, BuiltInTypes.catalog());
        assertThat(follower.live().current().revision()).isEqualTo(seen);
        goBack();
        try (SqlStore store = open()) {
            log.store = store;
            following.catchUp();
            quarantined(following, "went back");
            assertThat(following.live().current().revision()).isEqualTo(seen);
        }
        fleet = TestFleet.sqlite(directory);
    }
}
