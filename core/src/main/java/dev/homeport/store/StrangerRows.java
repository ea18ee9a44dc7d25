package dev.homeport.store;

import dev.homeport.observe.Stranger;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Unknown clients that sent requests. */
final class StrangerRows {
    /** A client that uses ever new names pushes out older rows, and cannot fill a disk. */
    private static final int MOST = 10_000;

    private static final Comparator<Stranger> ORDER = Comparator.comparing(Stranger::name)
            .thenComparing(Stranger::address)
            .thenComparing(Stranger::why);

    private StrangerRows() {}

    static void save(Session session, Collection<Stranger> strangers) throws SQLException {
        Session.Batch rows = session.batch("""
                INSERT INTO stranger (name, address, why, first_at, last_at, times)
                VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (name, address, why) DO UPDATE
                SET last_at = CASE WHEN excluded.last_at > stranger.last_at
                        THEN excluded.last_at ELSE stranger.last_at END,
                    times = stranger.times + excluded.times
                """);
        for (Stranger stranger : strangers.stream().sorted(ORDER).toList()) {
            rows.add(
                    stranger.name(),
                    stranger.address(),
                    stranger.why(),
                    MicroTime.floor(stranger.firstAt()),
                    MicroTime.floor(stranger.lastAt()),
                    stranger.count());
        }
        rows.flush();
    }

    static List<Stranger> since(Session session, Instant time, int most) throws SQLException {
        return session.list(
                """
                SELECT name, address, why, first_at, last_at, times
                FROM stranger
                WHERE last_at >= ?
                ORDER BY last_at DESC, name, address, why
                LIMIT ?
                """,
                row -> new Stranger(
                        row.getString(1),
                        row.getString(2),
                        row.getString(3),
                        MicroTime.of(row.getLong(4)),
                        MicroTime.of(row.getLong(5)),
                        row.getLong(6)),
                MicroTime.floor(time),
                most);
    }

    static void forget(Session session, String why) throws SQLException {
        session.update("DELETE FROM stranger WHERE why = ?", why);
    }

    static void forget(Session session, Instant before) throws SQLException {
        session.update("DELETE FROM stranger WHERE last_at < ?", MicroTime.floor(before));
        session.update("""
                DELETE FROM stranger
                WHERE last_at < (SELECT last_at FROM stranger ORDER BY last_at DESC LIMIT 1 OFFSET ?)
                """, MOST);
    }
}
