package dev.homeport.store;

import dev.homeport.observe.Refusal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/** The newest refusals only, so that refused requests cannot fill a disk. */
final class RefusalRows {
    private static final int KEPT = 10_000;
    private static final int KEPT_OF_STRANGERS = 1_000;

    private RefusalRows() {}

    static void save(Session session, List<Refusal> refusals) throws SQLException {
        if (refusals.isEmpty()) {
            return;
        }
        Session.Batch rows = session.batch("""
                INSERT INTO refused (at, request_id, actor, address, method, path, status, code, detail)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (at, request_id) DO NOTHING
                """);
        for (Refusal one : refusals.stream()
                .sorted(Comparator.comparing(Refusal::at).thenComparing(Refusal::requestId))
                .toList()) {
            rows.add(
                    MicroTime.floor(one.at()),
                    one.requestId(),
                    one.actor(),
                    one.address(),
                    one.method(),
                    one.path(),
                    one.status(),
                    one.code(),
                    one.detail());
        }
        rows.flush();
        session.update("""
                DELETE FROM refused
                WHERE actor = '' AND at < (
                    SELECT at FROM refused WHERE actor = '' ORDER BY at DESC LIMIT 1 OFFSET ?)
                """, KEPT_OF_STRANGERS - 1);
        session.update("""
                DELETE FROM refused
                WHERE at < (SELECT at FROM refused ORDER BY at DESC LIMIT 1 OFFSET ?)
                """, KEPT - 1);
    }

    static List<Refusal> since(Session session, Instant time, int limit) throws SQLException {
        return session.list("""
                SELECT at, request_id, actor, address, method, path, status, code, detail
                FROM refused
                WHERE at >= ?
                ORDER BY at DESC, request_id DESC
                LIMIT ?
                """, RefusalRows::read, MicroTime.floor(time), limit);
    }

    private static Refusal read(ResultSet row) throws SQLException {
        return new Refusal(
                MicroTime.of(row.getLong(1)),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getString(5),
                row.getString(6),
                row.getInt(7),
                row.getString(8),
                row.getString(9));
    }
}
