package dev.homeport.store;

import dev.homeport.access.Actor;
import dev.homeport.change.Commit;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Reads and writes headers of commits. */
final class CommitRows {
    private CommitRows() {}

    static void insert(Session session, Commit commit, Optional<String> requestDigest) throws SQLException {
        session.update(
                """
                INSERT INTO commits (revision, epoch, time, actor, reason, request_id, idempotency_key, request_digest,
                                     marks, change_count, previous_hash, hash)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                commit.revision(),
                commit.epoch(),
                MicroTime.floor(commit.at()),
                commit.actor().toString(),
                commit.reason(),
                commit.requestId(),
                commit.idempotencyKey().orElse(null),
                requestDigest.orElse(null),
                RowJson.ofMarks(commit.marks()),
                commit.changeCount(),
                commit.previousHash(),
                commit.hash());
    }

    static Optional<Commit> find(Session session, long revision) throws SQLException {
        return session.first("""
                SELECT revision, epoch, time, actor, reason, request_id, idempotency_key,
                       marks, change_count, previous_hash, hash
                FROM commits
                WHERE revision = ?
                """, CommitRows::read, revision);
    }

    static List<Commit> after(Session session, long revision, int limit) throws SQLException {
        return session.list("""
                SELECT revision, epoch, time, actor, reason, request_id, idempotency_key,
                       marks, change_count, previous_hash, hash
                FROM commits
                WHERE revision > ?
                ORDER BY revision
                LIMIT ?
                """, CommitRows::read, revision, limit);
    }

    static Optional<Keyed> under(Session session, Actor actor, String idempotencyKey) throws SQLException {
        return session.first("""
                SELECT revision, epoch, time, actor, reason, request_id, idempotency_key,
                       marks, change_count, previous_hash, hash, request_digest
                FROM commits
                WHERE actor = ? AND idempotency_key = ?
                """, row -> new Keyed(read(row), row.getString(12)), actor.toString(), idempotencyKey);
    }

    /** Expects the columns in the order that every query here has them. */
    static Commit read(ResultSet row) throws SQLException {
        return new Commit(
                row.getLong(1),
                row.getLong(2),
                MicroTime.of(row.getLong(3)),
                Actor.parse(row.getString(4)),
                row.getString(5),
                row.getString(6),
                Optional.ofNullable(row.getString(7)),
                RowJson.marks(row.getString(8)),
                row.getInt(9),
                row.getString(10),
                row.getString(11));
    }

    /** A commit with what its idempotency key stood for. */
    record Keyed(Commit commit, String requestDigest) {}
}
