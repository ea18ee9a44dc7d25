package dev.homeport.change;

import dev.homeport.access.Actor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The totally ordered, append-only log, and the current documents folded from it. Every sentence here has a test in the
 * contract suite, which every store passes.
 *
 * <p><b>Order.</b> Revisions start at 1 and have no gaps: a reader that has seen revision n will never be handed one that is
 * not n + 1. A commit's time is at least one microsecond after its predecessor's.
 *
 * <p><b>Atomicity.</b> The commit, its changes, the current documents, counts, fingerprints and the head become visible
 * together or not at all, to every reader, also after a crash.
 *
 * <p><b>Durability.</b> When {@link #append} returns {@code Appended}, the commit survives a crash of process or machine.
 *
 * <p><b>Threads.</b> All methods may be called from any thread. A method that meets a store out of reach throws
 * {@link StoreUnavailable}; whether an append that did so took effect is unknown, and an idempotency key tells.
 */
public interface ChangeLog extends AutoCloseable {

    /** The end of the log as the database has it now. */
    Head head();

    /** The end of the log with what the store says about itself, all of one moment. */
    LogStatus status();

    /**
     * Adds a commit if the log still ends at {@code proposal.expectedHead()}.
     *
     * <p>If the head is elsewhere, by revision, epoch, hash or store, nothing is written and {@code HeadMoved} names where.
     * If the actor has committed the same idempotency key before, nothing is written, and the first commit is returned as
     * {@code Replayed} (same request digest) or {@code KeyReused} (another); this is looked at before the head. Keys of
     * different actors are independent.
     *
     * <p>A proposal with no changes is a bug and is rejected with {@link IllegalArgumentException}, as is one that names a
     * document twice or removes one that does not exist.
     */
    AppendResult append(Proposal proposal);

    /** The header of the newest commit; empty for an empty log. */
    Optional<Commit> newest();

    /**
     * What {@link #append} would say to this key without trying: {@code Replayed}, {@code KeyReused}, or nothing when the
     * actor has not used it.
     */
    Optional<AppendResult> committedUnder(Actor actor, Proposal.Idempotency idempotency);

    /**
     * Commits after the given revision, oldest first, at most {@code limit}; empty at the end of the log. What is returned is
     * one consistent prefix: no commit is skipped.
     */
    List<RecordedCommit> after(long revision, int limit);

    /**
     * Hands every current document to the visitor, ordered by type and id, all as of one revision, which is returned. Counts
     * and fingerprints of each type are verified against what was read, and the head against its commit; a mismatch throws
     * {@link StoreCorrupt} after the visit. A row whose body does not match its digest is handed over as broken.
     */
    Head load(DocumentVisitor visitor);

    /**
     * Waits until the head may be beyond the given revision or the time is up, whichever is first. It may return early; it
     * does not return late by more than a poll interval of the store.
     */
    void awaitBeyond(long revision, Duration atMost) throws InterruptedException;

    @Override
    void close();

    /** Receives current documents. */
    interface DocumentVisitor {
        void visit(dev.homeport.document.Document document);
    }
}
