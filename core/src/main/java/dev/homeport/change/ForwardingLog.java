package dev.homeport.change;

import dev.homeport.access.Actor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A log that is another one, but for what a subclass does differently. */
public abstract class ForwardingLog implements ChangeLog {

    /** The other one; may be another each time. */
    protected abstract ChangeLog log();

    @Override
    public Head head() {
        return log().head();
    }

    @Override
    public LogStatus status() {
        return log().status();
    }

    @Override
    public AppendResult append(Proposal proposal) {
        return log().append(proposal);
    }

    @Override
    public Optional<Commit> newest() {
        return log().newest();
    }

    @Override
    public Optional<AppendResult> committedUnder(Actor actor, Proposal.Idempotency idempotency) {
        return log().committedUnder(actor, idempotency);
    }

    @Override
    public List<RecordedCommit> after(long revision, int limit) {
        return log().after(revision, limit);
    }

    @Override
    public Head load(DocumentVisitor visitor) {
        return log().load(visitor);
    }

    @Override
    public void awaitBeyond(long revision, Duration atMost) throws InterruptedException {
        log().awaitBeyond(revision, atMost);
    }

    @Override
    public void close() {
        log().close();
    }
}
