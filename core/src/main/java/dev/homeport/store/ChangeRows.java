package dev.homeport.store;

import dev.homeport.change.ChangeOutline;
import dev.homeport.change.Commit;
import dev.homeport.change.CommitHash;
import dev.homeport.change.CommitOutline;
import dev.homeport.change.RecordedChange;
import dev.homeport.change.RecordedCommit;
import dev.homeport.change.StoreCorrupt;
import dev.homeport.document.DocumentKey;
import dev.homeport.problem.WorkBudget;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads changes. A payload that does not match its digest is never handed out. */
final class ChangeRows {
    private static final int MANY = 1_000;

    private ChangeRows() {}

    /** A change as its row has it, unchecked. */
    record Row(
            long revision,
            int ordinal,
            DocumentKey key,
            byte @Nullable [] payload,
            String payloadDigest,
            String beforeDigest,
            boolean redacted) {

        boolean isRemoval() {
            return payloadDigest.equals(CommitHash.NOTHING);
        }

        /** What is wrong with the payload, if anything. */
        Optional<String> fault() {
            if (isRemoval() != (payload == null)) {
                return Optional.of(
                        "payload and digest of " + key + " in revision " + revision + " disagree on removal");
            }
            if (payload != null && !redacted && !CommitHash.ofPayload(payload).equals(payloadDigest)) {
                return Optional.of("the payload of " + key + " in revision " + revision + " does not match its digest");
            }
            return Optional.empty();
        }

        RecordedChange recorded() {
            fault().ifPresent(fault -> {
                throw new StoreCorrupt(fault);
            });
            return new RecordedChange(
                    key, Optional.ofNullable(payload).map(RowJson::body), payloadDigest, beforeDigest, redacted);
        }
    }

    /** The commits, which follow one another, with their changes. */
    static List<RecordedCommit> complete(Session session, List<Commit> commits) throws SQLException {
        if (commits.isEmpty()) {
            return List.of();
        }
        List<Row> rows = session.list(
                """
                SELECT revision, ordinal, type, id, payload, payload_digest, before_digest, redacted
                FROM changes
                WHERE revision BETWEEN ? AND ?
                ORDER BY revision, ordinal
                """,
                ChangeRows::read,
                commits.getFirst().revision(),
                commits.getLast().revision());
        // A follower serves the older state meanwhile, so a large commit is checked and parsed on all cores.
        Stream<Row> all = rows.size() > MANY ? rows.parallelStream() : rows.stream();
        List<RecordedChange> recorded = all.map(Row::recorded).toList();
        Map<Long, List<RecordedChange>> changes = new HashMap<>();
        for (int i = 0; i < rows.size(); i++) {
            changes.computeIfAbsent(rows.get(i).revision(), revision -> new ArrayList<>())
                    .add(recorded.get(i));
        }
        List<RecordedCommit> complete = new ArrayList<>();
        for (Commit commit : commits) {
            complete.add(complete(
                    commit, changes.getOrDefault(commit.revision(), List.of()), Redaction.headerHash(session, commit)));
        }
        return complete;
    }

    private static RecordedCommit complete(Commit commit, List<RecordedChange> changes, Optional<String> redactedHash) {
        requireAll(commit, changes.size());
        return new RecordedCommit(commit, changes, redactedHash);
    }

    private static void requireAll(Commit commit, int found) {
        if (found != commit.changeCount()) {
            throw new StoreCorrupt("revision " + commit.revision() + " says it has " + commit.changeCount()
                    + " changes, but " + found + " are there");
        }
    }

    /** The outlines of a commit's changes. */
    static CommitOutline outline(Session session, Commit commit) throws SQLException {
        WorkBudget budget = WorkBudget.current();
        List<ChangeOutline> changes = session.list(
                """
                SELECT type, id, payload_digest, before_digest, redacted
                FROM changes
                WHERE revision = ?
                ORDER BY ordinal
                """,
                row -> {
                    budget.check();
                    return new ChangeOutline(
                            new DocumentKey(row.getString(1), row.getString(2)),
                            row.getString(3),
                            row.getString(4),
                            row.getInt(5) != 0);
                },
                commit.revision());
        requireAll(commit, changes.size());
        return new CommitOutline(commit, changes);
    }

    /** Digests of a commit's changes, in order, without their payloads. */
    static List<String> digests(Session session, long revision) throws SQLException {
        return session.list(
                """
                SELECT type, id, payload_digest
                FROM changes
                WHERE revision = ?
                ORDER BY ordinal
                """,
                row -> CommitHash.ofChange(new DocumentKey(row.getString(1), row.getString(2)), row.getString(3)),
                revision);
    }

    /** Expects the columns in the order that every query for whole changes has them. */
    static Row read(ResultSet row) throws SQLException {
        return new Row(
                row.getLong(1),
                row.getInt(2),
                new DocumentKey(row.getString(3), row.getString(4)),
                row.getBytes(5),
                row.getString(6),
                row.getString(7),
                row.getInt(8) != 0);
    }
}
