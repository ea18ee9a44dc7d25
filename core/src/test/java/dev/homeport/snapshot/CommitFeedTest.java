package dev.homeport.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.change.Commit;
import dev.homeport.change.Head;
import dev.homeport.change.RecordedChange;
import dev.homeport.change.RecordedCommit;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.support.TestFleet;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommitFeedTest {
    @TempDir
    private Path directory;

    private TestFleet fleet;
    private Snapshot any;

    @BeforeEach
    void open() {
        fleet = TestFleet.sqlite(directory);
        any = fleet.snapshot();
    }

    @AfterEach
    void close() {
        fleet.close();
    }

    private Head at(long revision) {
        Head head = any.head();
        return new Head(head.storeId(), head.epoch(), revision, head.hash());
    }

    private void publish(CommitFeed feed, long revision, String type, int changes) {
        Commit like = fleet.store.commit(any.revision()).orElseThrow().commit();
        Commit commit = new Commit(
                revision,
                any.head().epoch(),
                like.at(),
                like.actor(),
                like.reason(),
                like.requestId(),
                like.idempotencyKey(),
                like.marks(),
                changes,
                like.previousHash(),
                like.hash());
        List<RecordedChange> made = IntStream.range(0, changes)
                .mapToObj(i -> new RecordedChange(new DocumentKey(type, "d" + i), Optional.empty(), "", "", false))
                .toList();
        feed.publish(new RecordedCommit(commit, made), any, any);
    }

    private List<Long> revisions(CommitFeed feed, long from, long to) {
        return feed.between(at(from), at(to))
                .map(list -> list.stream().map(PublishedCommit::revision).toList())
                .orElse(List.of());
    }

    @Test
    void theFollowerPublishesEachCommitWithWhatWasBeforeAndAfter() {
        Snapshot before = fleet.snapshot();
        fleet.write(TestFleet.creation(Types.NAMESPACE, "a", "{}"));
        Snapshot after = fleet.snapshot();
        PublishedCommit published = fleet.follower
                .feed()
                .commit(after.head().epoch(), after.revision())
                .orElseThrow();
        assertThat(published.before()).isSameAs(before);
        assertThat(published.after()).isSameAs(after);
        assertThat(published.recorded())
                .isEqualTo(fleet.store.commit(after.revision()).orElseThrow());
        assertThat(fleet.follower.feed().commit(after.head().epoch() + 1, after.revision()))
                .isEmpty();
    }

    @Test
    void oldCommitsLeaveByNumberAndBySize() {
        CommitFeed feed = new CommitFeed(3, 10);
        for (long revision = 1; revision <= 5; revision++) {
            publish(feed, revision, Types.NAMESPACE, 1);
        }
        assertThat(revisions(feed, 2, 5)).containsExactly(3L, 4L, 5L);
        assertThat(feed.between(at(1), at(5))).isEmpty();
        publish(feed, 6, Types.NAMESPACE, 9);
        assertThat(revisions(feed, 4, 6)).containsExactly(5L, 6L);
        publish(feed, 7, Types.NAMESPACE, 100);
        assertThat(revisions(feed, 6, 7)).containsExactly(7L);
        publish(feed, 8, Types.NAMESPACE, 1);
        assertThat(revisions(feed, 7, 8)).containsExactly(8L);
        assertThat(feed.between(at(6), at(8))).isEmpty();
    }

    @Test
    void nothingLeadsToAnotherStoreOrBack() {
        CommitFeed feed = new CommitFeed(3, 10);
        publish(feed, 1, Types.NAMESPACE, 1);
        assertThat(feed.between(at(1), at(1))).contains(List.of());
        assertThat(feed.between(at(1), at(0))).isEmpty();
        Head other = new Head("another", any.head().epoch(), 0, "");
        assertThat(feed.between(other, at(1))).isEmpty();
    }

    /** What the log holds no more must not be read from memory. */
    @Test
    void aRedactionTakesAllEarlierCommitsOutOfMemory() {
        CommitFeed feed = new CommitFeed(10, 100);
        publish(feed, 1, Types.NAMESPACE, 1);
        publish(feed, 2, Types.REDACTION, 1);
        publish(feed, 3, Types.NAMESPACE, 1);
        assertThat(feed.commit(any.head().epoch(), 1)).isEmpty();
        assertThat(revisions(feed, 1, 3)).containsExactly(2L, 3L);
    }
}
