package dev.homeport.bench.core;

import dev.homeport.access.Actor;
import dev.homeport.change.AppendResult;
import dev.homeport.change.ChangeLog;
import dev.homeport.change.Commit;
import dev.homeport.change.Head;
import dev.homeport.change.Proposal;
import dev.homeport.change.RecordedCommit;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The store, with a look at the clock around appends: most of a commit is waiting for the disk, and that is not ours. */
final class TimedLog implements ChangeLog {
    private final ChangeLog log;
    private long lastAppendNanos;

    TimedLog(ChangeLog log) {
        this.log = log;
    }

    long lastAppendNanos() {
        return lastAppendNanos;
    }

    @Override
    public AppendResult append(Proposal proposal) {
        long start = System.nanoTime();
        AppendResult result = log.append(proposal);
        lastAppendNanos = System.nanoTime() - start;
        return result;
    }

    @Override
    public Head head() {
        return log.head();
    }

    @Override
    public Optional<AppendResult> committedUnder(Actor actor, Proposal.Idempotency idempotency) {
        return log.committedUnder(actor, idempotency);
    }

    @Override
    public List<RecordedCommit> after(long revision, int limit) {
        return log.after(revision, limit);
    }

    @Override
    public Optional<Commit> newest() {
        return log.newest();
    }

    @Override
    public Head load(DocumentVisitor visitor) {
        return log.load(visitor);
    }

    @Override
    public void awaitBeyond(long revision, Duration atMost) throws InterruptedException {
        log.awaitBeyond(revision, atMost);
    }

    @Override
    public void close() {
        log.close();
    }
}
