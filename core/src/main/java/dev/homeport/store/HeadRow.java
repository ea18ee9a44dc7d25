package dev.homeport.store;

import dev.homeport.change.Head;
import dev.homeport.change.StoreCorrupt;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The single row that orders all writers.
 *
 * @param time the newest commit's, in microseconds
 * @param fence counts the writers that have opened a store which allows one at a time
 * @param quarantine why nothing may be written
 */
record HeadRow(
        long epoch,
        long revision,
        String hash,
        long time,
        long fence,
        String storeId,
        @Nullable String quarantine) {

    static HeadRow read(ResultSet row) throws SQLException {
        return new HeadRow(
                row.getLong(1),
                row.getLong(2),
                row.getString(3),
                row.getLong(4),
                row.getLong(5),
                row.getString(6),
                row.getString(7));
    }

    Head head() {
        return new Head(storeId, epoch, revision, hash);
    }

    static Head head(Session session) throws SQLException {
        return session.first("""
                        SELECT store_meta.store_id, head.epoch, head.revision, head.hash
                        FROM head, store_meta
                        """, row -> new Head(row.getString(1), row.getLong(2), row.getLong(3), row.getString(4)))
                .orElseThrow(HeadRow::missing);
    }

    static StoreCorrupt missing() {
        return new StoreCorrupt("the row that says where the log ends is missing");
    }
}
