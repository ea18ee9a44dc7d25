package dev.homeport.store;

import dev.homeport.change.Commit;
import dev.homeport.change.CommitOutline;
import dev.homeport.change.RecordedCommit;
import dev.homeport.change.StoreCorrupt;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Stamp;
import dev.homeport.problem.WorkBudget;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Readings of the past, all by index. A change that found no document before it made the document. */
final class HistoryReader {
    /** A page of commits stops here, however many commits were asked for. */
    private static final int MOST_CHANGES = 20_000;

    private static final ManyValues BY_KEY = new ManyValues("""
            WITH newest AS (
                SELECT id, max(revision) AS revision
                FROM changes
                WHERE type = ? AND revision <= ? AND id IN (%s)
                GROUP BY id
            )
            SELECT changes.revision, ordinal, changes.type, changes.id, payload, payload_digest, before_digest, redacted,
                   (SELECT max(made.revision)
                    FROM changes AS made
                    WHERE made.type = changes.type AND made.id = changes.id
                      AND made.revision <= changes.revision AND made.before_digest = '')
            FROM newest
            JOIN changes ON changes.type = ? AND changes.id = newest.id AND changes.revision = newest.revision
            WHERE payload_digest <> ''
            """);

    private HistoryReader() {}

    static List<RecordedCommit> after(Session session, long revision, int limit) throws SQLException {
        List<Commit> page = new ArrayList<>();
        long changes = 0;
        for (Commit commit : CommitRows.after(session, revision, Math.min(limit, MOST_CHANGES + 1))) {
            if (!page.isEmpty() && changes > MOST_CHANGES) {
                break;
            }
            if (commit.revision() != revision + page.size() + 1) {
                throw new StoreCorrupt("revision " + (revision + page.size() + 1) + " is missing from the log");
            }
            page.add(commit);
            changes += commit.changeCount();
        }
        return ChangeRows.complete(session, page);
    }

    static Optional<RecordedCommit> commit(Session session, long revision) throws SQLException {
        Optional<Commit> commit = CommitRows.find(session, revision);
        return commit.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        ChangeRows.complete(session, List.of(commit.get())).getFirst());
    }

    static Optional<CommitOutline> outline(Session session, long revision) throws SQLException {
        Optional<Commit> commit = CommitRows.find(session, revision);
        return commit.isEmpty() ? Optional.empty() : Optional.of(ChangeRows.outline(session, commit.get()));
    }

    static Optional<Document> documentAt(Session session, DocumentKey key, long revision) throws SQLException {
        Optional<Version> newest = session.first("""
                SELECT revision, ordinal, type, id, payload, payload_digest, before_digest, redacted,
                       (SELECT max(made.revision)
                        FROM changes AS made
                        WHERE made.type = changes.type AND made.id = changes.id
                          AND made.revision <= changes.revision AND made.before_digest = '')
                FROM changes
                WHERE type = ? AND id = ? AND revision <= ?
                ORDER BY revision DESC
                LIMIT 1
                """, Version::read, key.type(), key.id(), revision);
        return documents(session, newest.stream().toList()).stream().findFirst();
    }

    static Map<DocumentKey, Document> documentsAt(Session session, Collection<DocumentKey> keys, long revision)
            throws SQLException {
        Map<String, Set<String>> idsByType = new TreeMap<>();
        keys.forEach(key ->
                idsByType.computeIfAbsent(key.type(), type -> new TreeSet<>()).add(key.id()));
        WorkBudget budget = WorkBudget.current();
        List<Version> versions = new ArrayList<>();
        for (Map.Entry<String, Set<String>> entry : idsByType.entrySet()) {
            List<String> ids = List.copyOf(entry.getValue());
            for (int from = 0; from < ids.size(); from += ManyValues.MOST) {
                budget.check();
                List<String> some = ids.subList(from, Math.min(from + ManyValues.MOST, ids.size()));
                List<Object> before = List.of(entry.getKey(), revision);
                Object[] values = ManyValues.padded(before, some);
                versions.addAll(session.list(
                        BY_KEY.query(some.size()),
                        Version::read,
                        Stream.concat(Stream.of(values), Stream.of(entry.getKey()))
                                .toArray()));
            }
        }
        Map<DocumentKey, Document> found = new HashMap<>();
        documents(session, versions).forEach(document -> found.put(document.key(), document));
        return found;
    }

    static List<Document> documentsAt(Session session, String type, long revision) throws SQLException {
        WorkBudget budget = WorkBudget.current();
        List<Version> versions = session.list(
                """
                WITH newest AS (
                    SELECT id, max(revision) AS revision
                    FROM changes
                    WHERE type = ? AND revision <= ?
                    GROUP BY id
                )
                SELECT changes.revision, ordinal, changes.type, changes.id, payload, payload_digest, before_digest, redacted,
                       (SELECT max(made.revision)
                        FROM changes AS made
                        WHERE made.type = changes.type AND made.id = changes.id
                          AND made.revision <= changes.revision AND made.before_digest = '')
                FROM newest
                JOIN changes ON changes.type = ? AND changes.id = newest.id AND changes.revision = newest.revision
                WHERE payload_digest <> ''
                ORDER BY changes.id
                """,
                row -> {
                    budget.check();
                    return Version.read(row);
                },
                type,
                revision,
                type);
        return documents(session, versions);
    }

    static List<Commit> commitsOf(Session session, DocumentKey key, long below, int limit) throws SQLException {
        return session.list("""
                SELECT commits.revision, epoch, time, actor, reason, request_id, idempotency_key,
                       marks, change_count, previous_hash, hash
                FROM changes
                JOIN commits ON commits.revision = changes.revision
                WHERE changes.type = ? AND changes.id = ? AND changes.revision < ?
                ORDER BY changes.revision DESC
                LIMIT ?
                """, CommitRows::read, key.type(), key.id(), below, limit);
    }

    static long revisionAt(Session session, Instant time) throws SQLException {
        return session.first("""
                        SELECT revision
                        FROM commits
                        WHERE time <= ?
                        ORDER BY time DESC
                        LIMIT 1
                        """, row -> row.getLong(1), MicroTime.floor(time)).orElse(0L);
    }

    private static List<Document> documents(Session session, List<Version> versions) throws SQLException {
        StampBook stamps = new StampBook();
        List<Version> present =
                versions.stream().filter(version -> !version.change.isRemoval()).toList();
        stamps.learn(
                session,
                present.stream().flatMapToLong(version -> LongStream.of(version.change.revision(), version.made)));
        return present.stream().map(version -> version.document(stamps)).toList();
    }

    /** A change and the revision that made its document. */
    private record Version(ChangeRows.Row change, long made) {
        static Version read(ResultSet row) throws SQLException {
            return new Version(ChangeRows.read(row), row.getLong(9));
        }

        Document document(StampBook stamps) {
            Stamp created = stamps.of(made);
            Stamp updated = stamps.of(change.revision());
            return change.fault()
                    .map(fault -> Document.broken(change.key(), fault, created, updated))
                    .orElseGet(() ->
                            Document.of(change.key(), change.recorded().after().orElseThrow(), created, updated));
        }
    }
}
