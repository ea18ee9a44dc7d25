package dev.homeport.snapshot;

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

/** A log whose database is exchanged while it is in use, as by a failover to a standby that lags. */
final class Replaceable implements ChangeLog {
    ChangeLog store;

    Replaceable(ChangeLog store) {
        this.store = store;
    }

    @Override
    public Optional<Commit> newest() {
        return store.newest();
    }

    @Override
    public Head head() {
        return store.head();
    }

    @Override
    public AppendResult append(Proposal proposal) {
        return store.append(proposal);
    }

    @Override
    public Optional<AppendResult> committedUnder(Actor actor, Proposal.Idempotency idempotency) {
        return store.committedUnder(actor, idempotency);
    }

    @Override
    public List<RecordedCommit> after(long revision, int limit) {
        return store.after(revision, limit);
    }

    @Override
    public Head load(DocumentVisitor visitor) {
        return store.load(visitor);
    }

    @Override
    public void awaitBeyond(long revision, Duration atMost) throws InterruptedException {
        store.awaitBeyond(revision, atMost);
    }

    @Override
    public void close() {
        store.close();
    }
}
