package dev.homeport.store;

import dev.homeport.access.Actor;
import dev.homeport.change.AppendResult;
import dev.homeport.change.Change;
import dev.homeport.change.Commit;
import dev.homeport.change.CommitHash;
import dev.homeport.change.Failpoint;
import dev.homeport.change.Proposal;
import dev.homeport.change.StoreRefused;
import dev.homeport.document.DocumentKey;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Writes one commit, all inside one transaction. Bodies become canonical text one by one and go to the database a few
 * hundred at a time, so the size of a commit is bounded by the proposal itself and not by what writing it takes.
 */
final class Appender {
    private final Session session;
    private final Proposal proposal;
    private final Commit draft;
    private final TypeTotals totals;
    private final Set<String> types = new TreeSet<>();
    private final List<String> digests;

    private final Session.Batch changes;
    private final Session.Batch puts;
    private final Session.Batch removals;

    private Appender(Session session, Proposal proposal, Commit draft) throws SQLException {
        this.session = session;
        this.proposal = proposal;
        this.draft = draft;
        this.totals = TypeTotals.stored(session);
        this.digests = new ArrayList<>(proposal.changes().size());
        this.changes = session.batch("""
                INSERT INTO changes (revision, ordinal, type, id, payload, payload_digest, before_digest)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """);
        this.puts = session.batch("""
                INSERT INTO documents (type, id, revision, created_revision, body, payload_digest)
                VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (type, id) DO UPDATE
                SET revision = excluded.revision, body = excluded.body, payload_digest = excluded.payload_digest
                """);
        this.removals = session.batch("""
                DELETE FROM documents
                WHERE type = ? AND id = ?
                """);
    }

    /** What can be seen to be a bug without the database. */
    static void check(Proposal proposal) {
        if (proposal.changes().isEmpty()) {
            throw new IllegalArgumentException("a proposal without changes");
        }
        Set<DocumentKey> keys = new HashSet<>();
        for (Change change : proposal.changes()) {
            if (!keys.add(change.key())) {
                throw new IllegalArgumentException("a proposal that names " + change.key() + " twice");
            }
        }
    }

    static AppendResult append(Session session, HeadLock lock, Proposal proposal) throws SQLException {
        HeadRow head = lock.take(session);
        Failpoint.APPEND_LOCKED.reach();
        if (head.quarantine() != null) {
            throw new StoreRefused("nothing can be written in quarantine: " + head.quarantine()
                    + ". Look at it with `homeport admin accept`");
        }
        if (proposal.idempotency().isPresent()) {
            Optional<AppendResult> answered = committedUnder(
                    session, proposal.actor(), proposal.idempotency().get());
            if (answered.isPresent()) {
                return answered.get();
            }
        }
        if (!head.head().equals(proposal.expectedHead())) {
            return new AppendResult.HeadMoved(head.head());
        }
        return new AppendResult.Appended(new Appender(session, proposal, draft(proposal, head)).write());
    }

    static Optional<AppendResult> committedUnder(Session session, Actor actor, Proposal.Idempotency asked)
            throws SQLException {
        return CommitRows.under(session, actor, asked.key())
                .map(first -> first.requestDigest().equals(asked.requestDigest())
                        ? new AppendResult.Replayed(first.commit())
                        : new AppendResult.KeyReused(first.commit()));
    }

    private static Commit draft(Proposal proposal, HeadRow head) {
        long time = Math.max(MicroTime.floor(proposal.now()), head.time() + 1);
        return new Commit(
                head.revision() + 1,
                head.epoch(),
                MicroTime.of(time),
                proposal.actor(),
                proposal.reason(),
                proposal.requestId(),
                proposal.idempotency().map(Proposal.Idempotency::key),
                proposal.marks(),
                proposal.changes().size(),
                head.hash(),
                "");
    }

    private Commit write() throws SQLException {
        // The row comes first, because changes refer to it; its hash comes when all changes are digested.
        CommitRows.insert(session, draft, proposal.idempotency().map(Proposal.Idempotency::requestDigest));
        List<Change> all = proposal.changes();
        for (int from = 0; from < all.size(); from += CurrentRows.MOST) {
            writeSome(all.subList(from, Math.min(from + CurrentRows.MOST, all.size())));
        }
        Commit commit = withHash(CommitHash.ofCommit(draft, digests));
        session.update("UPDATE commits SET hash = ? WHERE revision = ?", commit.hash(), commit.revision());
        totals.store(session, types);
        session.update(
                "UPDATE head SET revision = ?, hash = ?, time = ?",
                commit.revision(),
                commit.hash(),
                MicroTime.floor(commit.at()));
        return commit;
    }

    private void writeSome(List<Change> some) throws SQLException {
        Map<DocumentKey, CurrentRows.Row> current =
                CurrentRows.find(session, some.stream().map(Change::key).toList());
        for (Change change : some) {
            types.add(change.key().type());
            CurrentRows.Row before = current.get(change.key());
            switch (change) {
                case Change.Put put -> put(put, before);
                case Change.Remove remove -> remove(remove, before);
            }
        }
        changes.flush();
        puts.flush();
        removals.flush();
    }

    private void put(Change.Put put, CurrentRows.@Nullable Row before) throws SQLException {
        DocumentKey key = put.key();
        byte[] bytes = put.after().canonicalBytes();
        String text = new String(bytes, StandardCharsets.UTF_8);
        String digest = CommitHash.ofPayload(bytes);
        long created = before == null ? draft.revision() : before.createdRevision();
        record(key, text, digest, before);
        puts.add(key.type(), key.id(), draft.revision(), created, text, digest);
        totals.add(key, draft.revision(), digest);
    }

    private void remove(Change.Remove remove, CurrentRows.@Nullable Row before) throws SQLException {
        DocumentKey key = remove.key();
        if (before == null) {
            throw new IllegalArgumentException("a proposal that removes " + key + ", which does not exist");
        }
        record(key, null, CommitHash.NOTHING, before);
        removals.add(key.type(), key.id());
    }

    private void record(DocumentKey key, @Nullable String payload, String digest, CurrentRows.@Nullable Row before)
            throws SQLException {
        String beforeDigest = CommitHash.NOTHING;
        if (before != null) {
            beforeDigest = before.payloadDigest();
            totals.remove(key, before.revision(), before.payloadDigest());
        }
        changes.add(draft.revision(), digests.size(), key.type(), key.id(), payload, digest, beforeDigest);
        digests.add(CommitHash.ofChange(key, digest));
    }

    private Commit withHash(String hash) {
        return new Commit(
                draft.revision(),
                draft.epoch(),
                draft.at(),
                draft.actor(),
                draft.reason(),
                draft.requestId(),
                draft.idempotencyKey(),
                draft.marks(),
                draft.changeCount(),
                draft.previousHash(),
                hash);
    }
}
