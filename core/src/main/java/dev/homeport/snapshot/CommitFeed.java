package dev.homeport.snapshot;

import dev.homeport.change.Head;
import dev.homeport.change.RecordedCommit;
import dev.homeport.document.Types;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The newest commits in memory. The follower reads each commit from the log once and publishes it here; streams, cluster health
 * and loops read it from here, so that their number costs no queries. A reader that is further behind reads the log instead.
 */
public final class CommitFeed {
    private final int maxCommits;
    private final int maxChanges;
    private final ArrayDeque<PublishedCommit> order = new ArrayDeque<>();
    private final ConcurrentHashMap<Long, PublishedCommit> byRevision = new ConcurrentHashMap<>();
    private int changes;

    CommitFeed() {
        this(1_000, 10_000);
    }

    CommitFeed(int maxCommits, int maxChanges) {
        this.maxCommits = maxCommits;
        this.maxChanges = maxChanges;
    }

    /** A commit of the given epoch; empty when it is no longer or not yet kept. */
    public Optional<PublishedCommit> commit(long epoch, long revision) {
        return Optional.ofNullable(byRevision.get(revision))
                .filter(commit -> commit.recorded().commit().epoch() == epoch);
    }

    /** All commits that lead from one head to the other; empty when one of them is not kept. */
    public Optional<List<PublishedCommit>> between(Head from, Head to) {
        if (from.epoch() != to.epoch() || !from.storeId().equals(to.storeId()) || from.revision() > to.revision()) {
            return Optional.empty();
        }
        List<PublishedCommit> found = new ArrayList<>();
        for (long revision = from.revision() + 1; revision <= to.revision(); revision++) {
            Optional<PublishedCommit> next = commit(to.epoch(), revision);
            if (next.isEmpty()) {
                return Optional.empty();
            }
            found.add(next.get());
        }
        return Optional.of(found);
    }

    /** For the follower alone, before the snapshot is published: a reader of the snapshot then finds its commit. */
    synchronized void publish(RecordedCommit recorded, Snapshot before, Snapshot after) {
        boolean redacts = recorded.changes().stream()
                .anyMatch(change -> change.key().type().equals(Types.REDACTION));
        if (redacts) {
            clear(); // the log holds less of an earlier commit than was read of it
        }
        PublishedCommit commit = new PublishedCommit(recorded, before, after);
        order.add(commit);
        byRevision.put(commit.revision(), commit);
        changes += recorded.changes().size();
        // The newest commit is kept whatever its size: all readers need it.
        while (order.size() > 1 && (order.size() > maxCommits || changes > maxChanges)) {
            PublishedCommit oldest = order.removeFirst();
            byRevision.remove(oldest.revision());
            changes -= oldest.recorded().changes().size();
        }
    }

    /** The log was loaded again, so that nothing leads from what was published to what comes. */
    synchronized void clear() {
        order.clear();
        byRevision.clear();
        changes = 0;
    }
}
