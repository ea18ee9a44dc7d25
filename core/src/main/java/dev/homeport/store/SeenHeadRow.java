package dev.homeport.store;

import dev.homeport.change.Head;
import java.sql.SQLException;
import java.util.Optional;

/** The furthest head that any server answered from. Heads of another store do not count. */
final class SeenHeadRow {
    private SeenHeadRow() {}

    static void raise(Session session, Head head) throws SQLException {
        session.update("""
                INSERT INTO seen_head (one, store_id, epoch, revision, hash)
                VALUES (1, ?, ?, ?, ?)
                ON CONFLICT (one) DO UPDATE
                SET store_id = excluded.store_id, epoch = excluded.epoch,
                    revision = excluded.revision, hash = excluded.hash
                WHERE excluded.store_id <> seen_head.store_id
                   OR excluded.epoch > seen_head.epoch
                   OR (excluded.epoch = seen_head.epoch AND excluded.revision > seen_head.revision)
                """, head.storeId(), head.epoch(), head.revision(), head.hash());
    }

    static void replace(Session session, Head head) throws SQLException {
        session.update("DELETE FROM seen_head");
        raise(session, head);
    }

    static Optional<Head> read(Session session) throws SQLException {
        return session.first(
                "SELECT store_id, epoch, revision, hash FROM seen_head",
                row -> new Head(row.getString(1), row.getLong(2), row.getLong(3), row.getString(4)));
    }
}
