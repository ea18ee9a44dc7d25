package dev.homeport.server.tracing;

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

/** A log whose appends are traced; all else is as it was. */
public record TracedLog(ChangeLog log, Tracing tracing) implements ChangeLog {
    @Override
    public Head head() {
        return log.head();
    }

    @Override
    public AppendResult append(Proposal proposal) {
        try (Tracing.Part _ = tracing.appending()) {
            return log.append(proposal);
        }
    }

    @Override
    public Optional<Commit> newest() {
        return log.newest();
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
