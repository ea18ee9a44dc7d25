package dev.homeport.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.change.ChangeLog;
import dev.homeport.change.Commit;
import dev.homeport.change.ForwardingLog;
import dev.homeport.change.Head;
import dev.homeport.change.LogStatus;
import dev.homeport.change.RecordedCommit;
import dev.homeport.change.StoreUnavailable;
import dev.homeport.document.BuiltInTypes;
import dev.homeport.document.Document;
import dev.homeport.document.Types;
import dev.homeport.support.TestFleet;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How old an answer may be, counted on a clock that the test turns. */
class FreshnessTest {
    private static final Duration BOUND = Duration.ofSeconds(3);

    @TempDir
    private Path directory;

    private TestFleet fleet;
    private SlowLog log;
    private LogFollower follower;
    private long nanos;

    /** Each question takes some time on the test's clock, and the status may be that of a replica. */
    private final class SlowLog extends ForwardingLog {
        Duration status = Duration.ZERO;
        Duration after = Duration.ZERO;
        Duration load = Duration.ZERO;
        Optional<Duration> replicaAge = Optional.empty();
        Optional<Head> replicaAt = Optional.empty();
        Runnable meanwhile = () -> {};
        int loads;
        /** What a replica holds that was asked for everything, and is paused there. */
        Optional<Paused> paused = Optional.empty();

        @Override
        protected ChangeLog log() {
            return fleet.store;
        }

        @Override
        public LogStatus status() {
            nanos += status.toNanos();
            LogStatus real = super.status();
            return new LogStatus(replicaAt.orElse(real.head()), real.quarantine(), real.acceptedEpoch(), replicaAge);
        }

        @Override
        public List<RecordedCommit> after(long revision, int limit) {
            nanos += after.toNanos();
            List<RecordedCommit> found = super.after(revision, limit);
            meanwhile.run();
            return found;
        }

        @Override
        public Head load(DocumentVisitor visitor) {
            nanos += load.toNanos();
            loads++;
            if (paused.isPresent()) {
                paused.get().documents().forEach(visitor::visit);
                return paused.get().head();
            }
            return super.load(visitor);
        }
    }

    /** Everything as of one revision. */
    private record Paused(Head head, List<Document> documents) {
        static Optional<Paused> at(ChangeLog log) {
            List<Document> documents = new ArrayList<>();
            Head head = log.load(documents::add);
            return Optional.of(new Paused(head, documents));
        }
    }

    @BeforeEach
    void open() {
        fleet = TestFleet.sqlite(directory);
        log = new SlowLog();
        follower = follow();
    }

    @AfterEach
    void close() {
        fleet.close();
    }

    private LogFollower follow() {
        return LogFollower.open(log, TestFleet.noMark(), () -> nanos, BuiltInTypes.catalog());
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
    }

    private void change(String id) {
        fleet.create(Types.NAMESPACE, id, "{}");
    }

    @Test
    void theBoundIsExact() {
        follower.catchUp();
        pass(BOUND);
        assertThat(follower.fresh(BOUND)).isPresent();
        pass(Duration.ofNanos(1));
        assertThat(follower.fresh(BOUND)).isEmpty();
    }

    @Test
    void itIsCountedFromBeforeTheLogWasAskedForItsEnd() {
        log.status = Duration.ofSeconds(1);
        log.after = Duration.ofMillis(1500);
        change("late");
        follower.catchUp();
        assertThat(follower.age()).contains(Duration.ofMillis(2500));
        pass(Duration.ofMillis(500));
        assertThat(follower.fresh(BOUND)).isPresent();
        pass(Duration.ofNanos(1));
        assertThat(follower.fresh(BOUND)).isEmpty();
    }

    @Test
    void aLoadCountsFromItsBeginningToo() {
        log.load = Duration.ofSeconds(2);
        assertThat(follow().age()).contains(Duration.ofSeconds(2));
        fleet.store.accept(fleet.store.head());
        follower.catchUp();
        assertThat(follower.age()).contains(Duration.ofSeconds(2));
    }

    @Test
    void itCountsAsConfirmedAtTheHeadThatWasAskedForHoweverManyCommitsFollow() {
        log.after = Duration.ofSeconds(1);
        change("first");
        AtomicInteger next = new AtomicInteger();
        log.meanwhile = () -> {
            if (next.incrementAndGet() < 5) {
                change("next-" + next);
            }
        };
        long asked = nanos;
        follower.catchUp();
        assertThat(nanos).as("it was read once").isEqualTo(asked + log.after.toNanos());
        assertThat(follower.age()).contains(log.after);
    }

    @Test
    void afterALargeCommitTheHeadIsConfirmedAtOnce() throws InterruptedException {
        change("large");
        log.after = BOUND.plusSeconds(1);
        follower.follow(Duration.ofMillis(250));
        assertThat(follower.live().current().document(Types.NAMESPACE, "large")).isNotNull();
        assertThat(follower.fresh(BOUND))
                .as("it is the present, however long it took")
                .isPresent();
        assertThat(follower.age()).contains(Duration.ZERO);
    }

    @Test
    void whatIsServedWhileAChangeIsAppliedGetsOlder() {
        follower.catchUp();
        pass(BOUND.minusSeconds(1));
        long before = follower.live().current().revision();
        assertThat(follower.fresh(BOUND).orElseThrow().revision()).isEqualTo(before);
        pass(Duration.ofMillis(1001)); // as if the next one took so long to apply
        assertThat(follower.fresh(BOUND)).isEmpty();
    }

    @Test
    void aReplicaIsAsOldAsItSays() {
        log.replicaAge = Optional.of(Duration.ofSeconds(2));
        follower.catchUp();
        assertThat(follower.age()).contains(Duration.ofSeconds(2));
        assertThat(follower.fresh(BOUND)).isPresent();
        log.replicaAge = Optional.of(BOUND.plusNanos(1));
        follower.catchUp();
        assertThat(follower.fresh(BOUND)).isEmpty();
        assertThat(follow().fresh(BOUND)).isEmpty();
    }

    @Test
    void aReplicaThatIsBehindAnotherConfirmsNothingAndIsNoQuarantine() {
        Head before = fleet.store.head();
        change("late");
        follower.catchUp();
        log.replicaAge = Optional.of(Duration.ZERO);
        log.replicaAt = Optional.of(before);
        pass(Duration.ofSeconds(1));
        follower.catchUp();
        assertThat(follower.age()).contains(Duration.ofSeconds(1));
        follower.confront(new Head(before.storeId(), before.epoch(), before.revision() + 5, before.hash()));
        assertThat(follower.state()).isInstanceOf(FollowerState.Following.class);
        log.replicaAge = Optional.empty();
        follower.catchUp();
        assertThat(follower.state()).as("a primary that is behind").isInstanceOf(FollowerState.Quarantined.class);
    }

    @Test
    void aLoadFromAReplicaThatIsBehindAnotherIsNotThePresent() {
        Optional<Paused> old = Paused.at(fleet.store);
        change("late");
        log.replicaAge = Optional.of(Duration.ZERO);
        log.paused = old;
        log.loads = 0;
        LogFollower one = follow();
        assertThat(log.loads).as("it was asked again").isGreaterThan(1);
        assertThat(one.fresh(Duration.ofDays(1))).isEmpty();
        one.catchUp();
        assertThat(one.age()).contains(Duration.ZERO);
        assertThat(one.live().current().document(Types.NAMESPACE, "late")).isNotNull();
    }

    @Test
    void anAcceptedEpochIsNotLoadedFromAReplicaThatIsBehind() {
        fleet.store.accept(fleet.store.head());
        fleet.follower.catchUp();
        Optional<Paused> old = Paused.at(fleet.store);
        change("late");
        Head before = follower.live().current().head();
        log.paused = old;
        pass(Duration.ofSeconds(1));
        follower.catchUp();
        assertThat(follower.live().current().head()).isEqualTo(before);
        Assertions.assertThatThrownBy(() -> follower.accept())
                .isInstanceOf(StoreUnavailable.class)
                .hasMessageContaining("have caught up");
        assertThat(follower.live().current().head()).isEqualTo(before);
        log.paused = Optional.empty();
        follower.catchUp();
        assertThat(follower.live().current().head()).isEqualTo(fleet.store.head());
        assertThat(follower.age()).contains(Duration.ZERO);
    }

    @Test
    void aServerDoesNotStartOnAReplicaThatIsBehindWhatItSaw() {
        Head later = fleet.store.head();
        log.replicaAge = Optional.of(Duration.ZERO);
        Assertions.assertThatThrownBy(() -> LogFollower.open(
                        log,
                        mark(new Head(later.storeId(), later.epoch(), later.revision() + 1, later.hash())),
                        () -> nanos,
                        BuiltInTypes.catalog()))
                .isInstanceOf(StoreUnavailable.class)
                .hasMessageContaining("caught up");
    }

    private static dev.homeport.change.HighWaterMark mark(Head head) {
        return new dev.homeport.change.HighWaterMark() {
            @Override
            public Optional<Head> read() {
                return Optional.of(head);
            }

            @Override
            public void remember(Head seen) {}
        };
    }

    @Test
    void anAcceptedEpochIsLoadedAgainByThoseWhoRun() {
        LogFollower other = follow();
        fleet.store.raiseEpoch();
        other.catchUp();
        assertThat(other.state()).isInstanceOf(FollowerState.Quarantined.class);
        fleet.store.accept(fleet.store.head());
        other.catchUp();
        follower.catchUp();
        for (LogFollower one : List.of(other, follower)) {
            assertThat(one.state()).isInstanceOf(FollowerState.Following.class);
            assertThat(one.live().current().head()).isEqualTo(fleet.store.head());
        }
        assertThat(LogFollower.open(
                                log,
                                mark(new Head(fleet.store.head().storeId(), 1, 1_000, "seen before")),
                                () -> nanos,
                                BuiltInTypes.catalog())
                        .state())
                .as("one whose mark is from before the acceptance")
                .isInstanceOf(FollowerState.Following.class);
    }

    @Test
    void anEpochThatNobodyAcceptedIsAQuarantine() {
        fleet.store.accept(fleet.store.head());
        follower.catchUp();
        fleet.store.raiseEpoch();
        follower.catchUp();
        assertThat(follower.state()).isInstanceOf(FollowerState.Quarantined.class);
    }

    @Test
    void aCommitWhoseContentDoesNotGiveItsHashIsAQuarantine() {
        change("late");
        LogFollower one = LogFollower.open(
                new ForwardingLog() {
                    @Override
                    protected ChangeLog log() {
                        return fleet.store;
                    }

                    @Override
                    public List<RecordedCommit> after(long revision, int limit) {
                        List<RecordedCommit> altered = new ArrayList<>();
                        for (RecordedCommit commit : super.after(revision, limit)) {
                            altered.add(new RecordedCommit(withReason(commit.commit()), commit.changes()));
                        }
                        return altered;
                    }
                },
                TestFleet.noMark(),
                () -> nanos,
                BuiltInTypes.catalog());
        change("later");
        one.catchUp();
        assertThat(one.state())
                .isInstanceOfSatisfying(
                        FollowerState.Quarantined.class,
                        state -> assertThat(state.reason()).contains("does not have the hash it claims"));
    }

    private static Commit withReason(Commit commit) {
        return new Commit(
                commit.revision(),
                commit.epoch(),
                commit.at(),
                commit.actor(),
                "altered",
                commit.requestId(),
                commit.idempotencyKey(),
                commit.marks(),
                commit.changeCount(),
                commit.previousHash(),
                commit.hash());
    }
}
