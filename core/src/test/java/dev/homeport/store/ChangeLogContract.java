package dev.homeport.store;

import static dev.homeport.store.Edit.ALICE;
import static dev.homeport.store.Edit.BOB;
import static dev.homeport.store.Edit.NOW;
import static dev.homeport.store.Edit.body;
import static dev.homeport.store.Edit.cluster;
import static dev.homeport.store.Edit.put;
import static dev.homeport.store.Edit.remove;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.homeport.change.AppendResult;
import dev.homeport.change.Change;
import dev.homeport.change.Commit;
import dev.homeport.change.CommitHash;
import dev.homeport.change.Head;
import dev.homeport.change.Proposal.Idempotency;
import dev.homeport.change.RecordedChange;
import dev.homeport.change.RecordedCommit;
import dev.homeport.change.StoreCorrupt;
import dev.homeport.change.StoreRefused;
import dev.homeport.document.Body;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.json.StrictJson;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One test for each sentence of {@link dev.homeport.change.ChangeLog}. */
abstract class ChangeLogContract {
    private Backend backend;
    private SqlStore log;

    abstract Backend fresh();

    @BeforeEach
    void open() {
        backend = fresh();
        log = backend.openWriter();
    }

    @AfterEach
    void close() {
        log.close();
        backend.close();
    }

    private List<Document> documents() {
        List<Document> all = new ArrayList<>();
        log.load(all::add);
        return all;
    }

    @Nested
    class Order {
        @Test
        void revisionsStartAtOneAndHaveNoGaps() {
            assertThat(log.head().revision()).isZero();
            assertThat(log.head().hash()).isEqualTo(CommitHash.GENESIS);
            for (int i = 1; i <= 5; i++) {
                assertThat(put("a", "{\"n\":" + i + "}").on(log).revision()).isEqualTo(i);
            }
        }

        @Test
        void theNewestCommitIsTheHeadsAndThereIsNoneAtFirst() {
            assertThat(log.newest()).isEmpty();
            put("a", "{}").on(log);
            Commit second = put("b", "{}").on(log);
            assertThat(log.newest()).contains(second);
        }

        @Test
        void refusedAndReplayedProposalsLeaveNoGap() {
            put("a", "{}").under("k", "d").on(log);
            put("a", "{}").tryOn(log, 7);
            put("a", "{}").under("k", "d").tryOn(log, 1);
            assertThatIllegalArgumentException().isThrownBy(() -> remove("b").on(log));
            assertThat(put("b", "{}").on(log).revision()).isEqualTo(2);
        }

        @Test
        void aCommitsTimeIsAtLeastOneMicrosecondAfterItsPredecessors() {
            Commit first = put("a", "{}").at(NOW.plusNanos(1_999)).on(log);
            Commit same = put("a", "{}").at(NOW.plusNanos(1_999)).on(log);
            Commit earlier = put("a", "{}").at(NOW.minusSeconds(3_600)).on(log);
            Commit later = put("a", "{}").at(NOW.plusSeconds(1)).on(log);
            assertThat(List.of(first.at(), same.at(), earlier.at(), later.at()))
                    .containsExactly(
                            NOW.plusNanos(1_000), NOW.plusNanos(2_000), NOW.plusNanos(3_000), NOW.plusSeconds(1));
        }

        @Test
        void sixteenWritersLoseNothingAndAReaderSeesEachRevisionOnce() throws Exception {
            int writers = 16;
            int each = 12;
            try (var threads = Executors.newFixedThreadPool(writers + 1)) {
                Future<List<Long>> seen = threads.submit(() -> follow(writers * each));
                List<Future<Integer>> done = IntStream.range(0, writers)
                        .mapToObj(writer -> threads.submit(() -> appendWithRetries(writer, each)))
                        .toList();
                for (Future<Integer> future : done) {
                    assertThat(future.get()).isEqualTo(each);
                }
                assertThat(seen.get())
                        .containsExactlyElementsOf(LongStream.rangeClosed(1, (long) writers * each)
                                .boxed()
                                .toList());
            }
            assertThat(documents()).hasSize(writers * each);
            assertThat(log.verify(revision -> {}).commits()).isEqualTo((long) writers * each);
        }

        private Head headAt(Commit commit) {
            return new Head(log.head().storeId(), commit.epoch(), commit.revision(), commit.hash());
        }

        private int appendWithRetries(int writer, int count) {
            int appended = 0;
            Head head = log.head();
            while (appended < count) {
                switch (put("w%02d-%02d".formatted(writer, appended), "{}").tryOn(log, head)) {
                    case AppendResult.Appended done -> {
                        appended++;
                        head = headAt(done.commit());
                    }
                    case AppendResult.HeadMoved moved -> head = moved.head();
                    case AppendResult.Replayed replayed -> throw new AssertionError(replayed);
                    case AppendResult.KeyReused reused -> throw new AssertionError(reused);
                }
            }
            return appended;
        }

        private List<Long> follow(int until) throws InterruptedException {
            List<Long> seen = new ArrayList<>();
            String hash = CommitHash.GENESIS;
            long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
            while (seen.size() < until) {
                assertThat(System.nanoTime()).as("the writers have stopped").isLessThan(deadline);
                log.awaitBeyond(seen.size(), Duration.ofSeconds(5));
                for (RecordedCommit next : log.after(seen.size(), 3)) {
                    assertThat(next.commit().previousHash()).isEqualTo(hash);
                    hash = next.commit().hash();
                    seen.add(next.commit().revision());
                }
            }
            return seen;
        }
    }

    @Nested
    class Atomicity {
        @Test
        void anAppendThatFailsHalfwayLeavesNothing() {
            put("a", "{}").on(log);
            Head before = log.head();
            Edit edit = put("b", "{}");
            IntStream.range(0, 1_200).forEach(i -> edit.andPut("new-" + i, "{}"));
            edit.andRemove("missing");
            assertThatIllegalArgumentException().isThrownBy(() -> edit.on(log));
            assertThat(log.head()).isEqualTo(before);
            assertThat(documents()).extracting(Document::id).containsExactly("a");
            put("c", "{}").on(log);
            assertThat(log.verify(revision -> {}).changes()).isEqualTo(2);
        }

        @Test
        void everyReaderSeesAWholeCommitOrNone() throws Exception {
            try (var threads = Executors.newFixedThreadPool(2)) {
                Future<?> writer = threads.submit(() -> {
                    for (int round = 0; round < 40; round++) {
                        Edit edit = new Edit();
                        for (int i = 0; i < 10; i++) {
                            edit.andPut("c" + i, "{\"round\":" + round + "}");
                        }
                        edit.on(log);
                    }
                });
                while (!writer.isDone()) {
                    List<Document> all = documents(); // checks head, counts and fingerprints by itself
                    assertThat(all.stream().map(Document::body).distinct().count())
                            .isLessThanOrEqualTo(1);
                }
                writer.get();
            }
        }
    }

    @Nested
    class Durability {
        @Test
        void whatWasAppendedIsThereAfterReopening() {
            Commit commit =
                    put("a", "{\"n\":1}").marked(Map.of("hotfix", "yes")).on(log);
            log.close();
            log = backend.openWriter();
            assertThat(log.commit(1).orElseThrow().commit()).isEqualTo(commit);
            assertThat(log.head().hash()).isEqualTo(commit.hash());
            assertThat(documents()).singleElement().extracting(Document::body).isEqualTo(body("{\"n\":1}"));
        }
    }

    @Nested
    class TheHead {
        @Test
        void isTheEndOfTheLogAsTheDatabaseHasItNow() {
            try (SqlStore other = backend.openFollower()) {
                assertThat(other.head()).isEqualTo(log.head());
                Commit commit = put("a", "{}").on(log);
                assertThat(other.head()).isEqualTo(new Head("store-1", 1, 1, commit.hash()));
            }
        }
    }

    @Nested
    class Append {
        @Test
        void addsACommitIfTheLogStillEndsWhereExpected() {
            AppendResult result = put("a", "{\"z\":1,\"a\":2.5}")
                    .andPut("b", "{}")
                    .because("new")
                    .marked(Map.of("reverts", "7"))
                    .tryOn(log, 0);
            Commit commit = ((AppendResult.Appended) result).commit();
            assertThat(commit.revision()).isEqualTo(1);
            assertThat(commit.epoch()).isEqualTo(1);
            assertThat(commit.at()).isEqualTo(NOW);
            assertThat(commit.actor()).isEqualTo(ALICE);
            assertThat(commit.reason()).isEqualTo("new");
            assertThat(commit.marks()).containsExactly(Map.entry("reverts", "7"));
            assertThat(commit.changeCount()).isEqualTo(2);
            assertThat(commit.previousHash()).isEqualTo(CommitHash.GENESIS);
            String digest = CommitHash.ofPayload(body("{\"a\":2.5,\"z\":1}").canonicalBytes());
            String empty = CommitHash.ofPayload(body("{}").canonicalBytes());
            assertThat(commit.hash())
                    .isEqualTo(CommitHash.ofCommit(
                            commit,
                            List.of(
                                    CommitHash.ofChange(cluster("a"), digest),
                                    CommitHash.ofChange(cluster("b"), empty))));
        }

        @Test
        void sameProposalsMakeTheSameHashes() {
            Commit here = put("a", "{\"n\":1}").under("k", "d").on(log);
            try (Backend other = fresh();
                    SqlStore elsewhere = other.openWriter()) {
                assertThat(put("a", "{\"n\":1}").under("k", "d").on(elsewhere)).isEqualTo(here);
            }
        }

        @Test
        void ifTheHeadIsElsewhereNothingIsWrittenAndHeadMovedNamesWhere() {
            put("a", "{}").on(log);
            Head before = log.head();
            assertThat(put("b", "{}").tryOn(log, 0)).isEqualTo(new AppendResult.HeadMoved(before));
            for (Head other : List.of(
                    new Head(before.storeId(), before.epoch() + 1, before.revision(), before.hash()),
                    new Head(before.storeId(), before.epoch(), before.revision(), "of another log"),
                    new Head("another store", before.epoch(), before.revision(), before.hash()))) {
                assertThat(put("b", "{}").tryOn(log, other)).isEqualTo(new AppendResult.HeadMoved(before));
            }
            assertThat(put("b", "{}").tryOn(log, 2)).isEqualTo(new AppendResult.HeadMoved(before));
            assertThat(log.head()).isEqualTo(before);
            assertThat(documents()).hasSize(1);
        }

        @Test
        void theSameKeyAndRequestReturnsTheFirstCommitAndWritesNothing() {
            Commit first = put("a", "{}").under("key", "digest").on(log);
            put("b", "{}").on(log);
            assertThat(put("c", "{}").under("key", "digest").tryOn(log, 2)).isEqualTo(new AppendResult.Replayed(first));
            assertThat(log.head().revision()).isEqualTo(2);
        }

        @Test
        void theSameKeyWithAnotherRequestIsKeyReused() {
            Commit first = put("a", "{}").under("key", "digest").on(log);
            assertThat(put("a", "{}").under("key", "other").tryOn(log, 1)).isEqualTo(new AppendResult.KeyReused(first));
            assertThat(log.head().revision()).isEqualTo(1);
        }

        @Test
        void theKeyIsLookedAtBeforeTheHead() {
            Commit first = put("a", "{}").under("key", "digest").on(log);
            assertThat(put("a", "{}").under("key", "digest").tryOn(log, 0)).isEqualTo(new AppendResult.Replayed(first));
            assertThat(put("a", "{}").under("key", "other").tryOn(log, 99))
                    .isEqualTo(new AppendResult.KeyReused(first));
        }

        @Test
        void keysOfDifferentActorsAreIndependent() {
            put("a", "{}").by(ALICE).under("key", "digest").on(log);
            assertThat(put("a", "{}").by(BOB).under("key", "other").tryOn(log, 1))
                    .isInstanceOf(AppendResult.Appended.class);
        }

        @Test
        void aProposalWithoutChangesIsRefused() {
            assertThatIllegalArgumentException().isThrownBy(() -> new Edit().on(log));
        }

        @Test
        void aProposalThatNamesADocumentTwiceIsRefused() {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> put("a", "{}").andPut("a", "{}").on(log));
        }

        @Test
        void aProposalThatRemovesWhatIsNotThereIsRefused() {
            assertThatIllegalArgumentException().isThrownBy(() -> remove("a").on(log));
            put("a", "{}").on(log);
            remove("a").on(log);
            assertThatIllegalArgumentException().isThrownBy(() -> remove("a").on(log));
        }

        @Test
        void aFollowerNeverWrites() {
            try (SqlStore follower = backend.openFollower()) {
                assertThatThrownBy(() -> put("a", "{}").tryOn(follower, 0)).isInstanceOf(StoreRefused.class);
                assertThatThrownBy(follower::raiseEpoch).isInstanceOf(StoreRefused.class);
                assertThatThrownBy(() -> Edit.redact(follower, 1, cluster("a"), "/x"))
                        .isInstanceOf(StoreRefused.class);
            }
        }

        @Test
        void anyTextComesBackAsItWas() {
            var tree = StrictJson.object();
            tree.put("t", "ünï \u0001 \\ \" \u2028 \uD83D\uDE80 ' ; --");
            tree.put("long", "x".repeat(300_000));
            var at = tree.putArray("deep");
            for (int i = 0; i < 100; i++) {
                at = at.addArray();
            }
            Commit commit = new Edit()
                    .and(new Change.Put(cluster("a"), Body.of(tree)))
                    .because("a 'reason' with \"ünï\" \n lines")
                    .marked(Map.of("mark", "y".repeat(100_000), "ä", "ö"))
                    .on(log);
            assertThat(log.commit(1).orElseThrow().commit()).isEqualTo(commit);
            assertThat(documents()).singleElement().extracting(Document::tree).isEqualTo(tree);
            log.verify(revision -> {});
        }
    }

    @Nested
    class CommittedUnder {
        @Test
        void isWhatAppendWouldSayToThisKey() {
            Commit commit = put("a", "{}").by(ALICE).under("key", "digest").on(log);
            assertThat(log.committedUnder(ALICE, new Idempotency("key", "digest")))
                    .contains(new AppendResult.Replayed(commit));
            assertThat(log.committedUnder(ALICE, new Idempotency("key", "other")))
                    .contains(new AppendResult.KeyReused(commit));
        }

        @Test
        void isNothingWhenTheActorHasNotUsedTheKey() {
            put("a", "{}").by(ALICE).under("key", "digest").on(log);
            assertThat(log.committedUnder(BOB, new Idempotency("key", "digest")))
                    .isEmpty();
            assertThat(log.committedUnder(ALICE, new Idempotency("other", "digest")))
                    .isEmpty();
        }
    }

    @Nested
    class After {
        @Test
        void returnsCommitsAfterTheRevisionOldestFirstAtMostLimit() {
            for (int i = 0; i < 5; i++) {
                put("a", "{\"n\":" + i + "}").on(log);
            }
            assertThat(log.after(1, 3))
                    .extracting(entry -> entry.commit().revision())
                    .containsExactly(2L, 3L, 4L);
            assertThat(log.after(0, 100)).hasSize(5);
        }

        @Test
        void isEmptyAtTheEndOfTheLog() {
            assertThat(log.after(0, 10)).isEmpty();
            put("a", "{}").on(log);
            assertThat(log.after(1, 10)).isEmpty();
            assertThat(log.after(99, 10)).isEmpty();
        }

        @Test
        void changesComeInTheOrderTheyWereProposedWithTheirDigests() {
            put("b", "{\"n\":1}").andPut("a", "{\"n\":2}").on(log);
            remove("b").andPut("a", "{\"n\":3}").on(log);
            String one = CommitHash.ofPayload(body("{\"n\":1}").canonicalBytes());
            String two = CommitHash.ofPayload(body("{\"n\":2}").canonicalBytes());
            String three = CommitHash.ofPayload(body("{\"n\":3}").canonicalBytes());
            assertThat(log.after(0, 10))
                    .flatExtracting(RecordedCommit::changes)
                    .containsExactly(
                            new RecordedChange(cluster("b"), Optional.of(body("{\"n\":1}")), one, "", false),
                            new RecordedChange(cluster("a"), Optional.of(body("{\"n\":2}")), two, "", false),
                            new RecordedChange(cluster("b"), Optional.empty(), "", one, false),
                            new RecordedChange(cluster("a"), Optional.of(body("{\"n\":3}")), three, two, false));
        }

        @Test
        void noCommitIsSkippedAlsoWhenAPageIsCutShort() {
            for (int commit = 0; commit < 3; commit++) {
                Edit edit = new Edit();
                for (int i = 0; i < 12_000; i++) {
                    edit.andPut("c" + i, "{\"n\":" + commit + "}");
                }
                edit.on(log);
            }
            assertThat(log.after(0, 100))
                    .extracting(entry -> entry.commit().revision())
                    .containsExactly(1L, 2L);
            assertThat(log.after(2, 100))
                    .extracting(entry -> entry.commit().revision())
                    .containsExactly(3L);
        }

        @Test
        void aMissingCommitIsCorruptAndNotSkipped() {
            for (int i = 0; i < 3; i++) {
                put("a", "{\"n\":" + i + "}").on(log);
            }
            backend.tamper("DELETE FROM commits WHERE revision = 2");
            assertThatThrownBy(() -> log.after(0, 10)).isInstanceOf(StoreCorrupt.class);
            assertThatThrownBy(() -> log.after(1, 10)).isInstanceOf(StoreCorrupt.class);
        }

        @Test
        void aPayloadThatDoesNotMatchItsDigestIsNotHandedOut() {
            put("a", "{\"n\":1}").on(log);
            backend.tamper("UPDATE changes SET payload = '{\"n\":2}'");
            assertThatThrownBy(() -> log.after(0, 10)).isInstanceOf(StoreCorrupt.class);
        }
    }

    @Nested
    class Load {
        @Test
        void handsOverEveryCurrentDocumentOrderedByTypeAndId() {
            new Edit()
                    .and(new Change.Put(new DocumentKey("workspace", "a"), body("{}")))
                    .andPut("b", "{}")
                    .andPut("B", "{}")
                    .andPut("a-1", "{}")
                    .andPut("a", "{}")
                    .andPut("a.1", "{}")
                    .andPut("gone", "{}")
                    .on(log);
            remove("gone").on(log);
            assertThat(documents())
                    .extracting(document -> document.key().toString())
                    .containsExactly(
                            "cluster/B", "cluster/a", "cluster/a-1", "cluster/a.1", "cluster/b", "workspace/a");
        }

        @Test
        void returnsTheRevisionThatAllAreOf() {
            put("a", "{}").on(log);
            put("b", "{}").on(log);
            assertThat(log.load(document -> {})).isEqualTo(log.head());
        }

        @Test
        void anEmptyStoreLoadsAsRevisionZero() {
            assertThat(log.load(document -> {}).revision()).isZero();
        }

        @Test
        void stampsNameTheCommitsThatMadeAndLastChangedADocumentAndAreShared() {
            put("a", "{}").andPut("b", "{}").because("made").on(log);
            put("a", "{\"n\":1}").because("changed").by(BOB).on(log);
            List<Document> all = documents();
            assertThat(all.getFirst().created().reason()).isEqualTo("made");
            assertThat(all.getFirst().updated().reason()).isEqualTo("changed");
            assertThat(all.getFirst().updated().by()).isEqualTo("person:bob");
            assertThat(all.getFirst().created())
                    .isSameAs(all.getLast().created())
                    .isSameAs(all.getLast().updated());
        }

        @Test
        void countsAreVerified() {
            put("a", "{}").andPut("b", "{}").on(log);
            backend.tamper("DELETE FROM documents WHERE id = 'a'");
            assertLoadIsCorruptAfterVisiting(1);
        }

        @Test
        void aCountThatWasAlteredIsNoticed() {
            put("a", "{}").on(log);
            backend.tamper("UPDATE type_state SET documents = 2");
            assertLoadIsCorruptAfterVisiting(1);
        }

        @Test
        void fingerprintsAreVerified() {
            put("a", "{}").on(log);
            backend.tamper("UPDATE type_state SET fingerprint = '" + "0".repeat(32) + "'");
            assertLoadIsCorruptAfterVisiting(1);
        }

        @Test
        void aDigestThatWasAlteredIsNoticed() {
            put("a", "{}").on(log);
            backend.tamper("UPDATE documents SET payload_digest = '" + "0".repeat(64) + "'");
            assertLoadIsCorruptAfterVisiting(1);
        }

        @Test
        void aRowThatWentBackIsNoticed() {
            put("a", "{\"n\":1}").on(log);
            put("a", "{\"n\":2}").on(log);
            backend.tamper("""
                    UPDATE documents
                    SET revision = 1, body = '{"n":1}',
                        payload_digest = (SELECT payload_digest FROM changes WHERE revision = 1)
                    """);
            assertLoadIsCorruptAfterVisiting(1);
        }

        @Test
        void theHeadIsVerifiedAgainstItsCommit() {
            put("a", "{}").on(log);
            backend.tamper("UPDATE head SET hash = '" + "0".repeat(64) + "'");
            assertLoadIsCorruptAfterVisiting(1);
        }

        @Test
        void aHeadThatIsNotTheNewestCommitIsNoticed() {
            put("a", "{}").on(log);
            put("b", "{}").on(log);
            backend.tamper("UPDATE head SET revision = 1");
            assertLoadIsCorruptAfterVisiting(2);
        }

        @Test
        void aNewestCommitThatIsNotWhatItsHashSaysIsNoticed() {
            put("a", "{}").on(log);
            backend.tamper("UPDATE commits SET reason = 'another'");
            assertLoadIsCorruptAfterVisiting(1);
        }

        @Test
        void aRowWhoseBodyDoesNotMatchItsDigestIsHandedOverAsBroken() {
            put("a", "{\"n\":1}").andPut("b", "{\"n\":1}").on(log);
            backend.tamper("UPDATE documents SET body = '{\"n\":2}' WHERE id = 'a'");
            List<Document> all = documents();
            assertThat(all).extracting(document -> document.fault().isPresent()).containsExactly(true, false);
        }

        @Test
        void aRowThatIsNoLongerJsonIsHandedOverAsBroken() {
            put("a", "{\"n\":1}").on(log);
            backend.tamper("UPDATE documents SET body = '{\"n\":'");
            assertThat(documents())
                    .singleElement()
                    .matches(document -> document.fault().isPresent());
        }

        private void assertLoadIsCorruptAfterVisiting(int documents) {
            List<Document> visited = new ArrayList<>();
            assertThatThrownBy(() -> log.load(visited::add)).isInstanceOf(StoreCorrupt.class);
            assertThat(visited).hasSize(documents);
        }
    }

    /** A thread that is not woken waits far longer than a test may take. */
    @Nested
    @Timeout(120)
    class AwaitBeyond {
        private static final Duration VERY_LONG = Duration.ofHours(1);

        @Test
        void returnsAtOnceWhenTheHeadIsBeyond() throws InterruptedException {
            put("a", "{}").on(log);
            log.awaitBeyond(0, VERY_LONG);
        }

        @Test
        void returnsWhenTheTimeIsUp() throws InterruptedException {
            long start = System.nanoTime();
            log.awaitBeyond(0, Duration.ofMillis(300));
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(290));
        }

        @Test
        void wakesForAnAppendOfThisProcess() throws Exception {
            assertWakes(log);
        }

        @Test
        void wakesForAnAppendOfAnother() throws Exception {
            try (SqlStore follower = backend.openFollower()) {
                assertWakes(follower);
            }
        }

        @Test
        void canBeInterrupted() throws InterruptedException {
            List<Throwable> thrown = new ArrayList<>();
            Thread waiting = Thread.ofVirtual().start(() -> {
                try {
                    log.awaitBeyond(0, VERY_LONG);
                } catch (InterruptedException e) {
                    thrown.add(e);
                }
            });
            waiting.interrupt();
            assertThat(waiting.join(Duration.ofSeconds(60))).isTrue();
            assertThat(thrown).hasSize(1);
        }

        private void assertWakes(SqlStore waiting) throws Exception {
            try (var thread = Executors.newSingleThreadExecutor()) {
                Future<Boolean> woken = thread.submit(() -> {
                    waiting.awaitBeyond(0, VERY_LONG);
                    return true;
                });
                Thread.sleep(300);
                assertThat(woken.isDone()).isFalse();
                put("a", "{}").on(log);
                assertThat(woken.get(60, TimeUnit.SECONDS)).isTrue();
                assertThat(waiting.after(0, 1)).hasSize(1);
            }
        }
    }
}
