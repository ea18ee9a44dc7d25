package dev.homeport.store;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * How large a store is, and how it grows.
 *
 * @param bytes on the database's disk
 * @param documents how many of each type
 * @param recent what the last thirty days have added
 */
public record StoreSize(long bytes, Map<String, Long> documents, long commits, long changes, Growth recent) {
    /** The span that {@link #recent} covers. */
    public static final Duration SPAN = Duration.ofDays(30);

    /** What was added; bytes are those of payloads alone. */
    public record Growth(long commits, long changes, long payloadBytes) {}

    static StoreSize of(Session session, Dialect dialect, Instant now) throws SQLException {
        Map<String, Long> documents = new TreeMap<>();
        session.each("SELECT type, documents FROM type_state", row -> documents.put(row.getString(1), row.getLong(2)));
        return new StoreSize(
                number(session, dialect.bytes()),
                documents,
                number(session, "SELECT count(*) FROM commits"),
                number(session, "SELECT count(*) FROM changes"),
                session.first(
                                """
                                SELECT count(DISTINCT commits.revision), count(changes.revision),
                                       coalesce(sum(length(changes.payload)), 0)
                                FROM commits
                                LEFT JOIN changes ON changes.revision = commits.revision
                                WHERE commits.time >= ?
                                """,
                                row -> new Growth(row.getLong(1), row.getLong(2), row.getLong(3)),
                                MicroTime.floor(now.minus(SPAN)))
                        .orElseThrow());
    }

    private static long number(Session session, String sql) throws SQLException {
        return session.first(sql, row -> row.getLong(1)).orElse(0L);
    }
}
