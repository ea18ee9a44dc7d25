package dev.homeport.store;

import dev.homeport.change.Commit;
import dev.homeport.change.CommitHash;
import dev.homeport.change.Head;
import dev.homeport.change.StoreCorrupt;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/** Walks the chain from the first commit to the head, with both tables side by side and nothing kept but the last commit. */
final class ChainWalk {
    private final Head head;
    private final LongConsumer progress;

    private long revision;
    private String hash = CommitHash.GENESIS;
    private Instant time = Instant.MIN;
    private long changes;
    private long redacted;

    ChainWalk(Head head, LongConsumer progress) {
        this.head = head;
        this.progress = progress;
    }

    long changes() {
        return changes;
    }

    long redacted() {
        return redacted;
    }

    void walk(Session session) throws SQLException {
        try (PreparedStatement commits = session.scan("""
                        SELECT revision, epoch, time, actor, reason, request_id, idempotency_key,
                               marks, change_count, previous_hash, hash
                        FROM commits
                        ORDER BY revision
                        """);
                PreparedStatement statement = session.scan("""
                        SELECT revision, ordinal, type, id, payload, payload_digest, before_digest, redacted
                        FROM changes
                        ORDER BY revision, ordinal
                        """);
                ResultSet headers = commits.executeQuery();
                ResultSet rows = statement.executeQuery()) {
            boolean more = rows.next();
            while (headers.next()) {
                Commit commit = CommitRows.read(headers);
                List<String> digests = new ArrayList<>();
                while (more && rows.getLong(1) <= commit.revision()) {
                    digests.add(digest(ChangeRows.read(rows), commit.revision(), digests.size()));
                    more = rows.next();
                }
                step(commit, digests, Redaction.headerHash(session, commit));
                progress.accept(revision);
            }
            require(!more, "the log has changes without a commit");
        }
        require(
                revision == head.revision() && hash.equals(head.hash()),
                "the head is not the newest commit, revision " + revision);
    }

    private String digest(ChangeRows.Row change, long inRevision, int ordinal) {
        require(
                change.revision() == inRevision && change.ordinal() == ordinal,
                "change " + change.ordinal() + " of revision " + change.revision() + " is out of place");
        change.fault().ifPresent(fault -> {
            throw new StoreCorrupt(fault);
        });
        changes++;
        redacted += change.redacted() ? 1 : 0;
        return CommitHash.ofChange(change.key(), change.payloadDigest());
    }

    private void step(Commit commit, List<String> digests, Optional<String> redactedHash) {
        String name = "revision " + commit.revision();
        require(commit.revision() == revision + 1, "revision " + (revision + 1) + " is missing from the log");
        require(commit.previousHash().equals(hash), name + " does not follow from the one before");
        require(commit.at().isAfter(time), name + " is not later than the one before");
        require(commit.changeCount() == digests.size(), name + " lacks changes or has too many");
        String recomputed = CommitHash.ofCommit(commit, digests);
        require(recomputed.equals(redactedHash.orElse(commit.hash())), name + " is not what its hash says");
        redacted += redactedHash.isPresent() ? 1 : 0;
        revision = commit.revision();
        hash = commit.hash();
        time = commit.at();
    }

    static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new StoreCorrupt(otherwise);
        }
    }
}
