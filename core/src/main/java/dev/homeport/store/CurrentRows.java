package dev.homeport.store;

import dev.homeport.document.DocumentKey;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Looks up the current versions of many documents with few queries. */
final class CurrentRows {
    /** How many keys may be looked up at a time. */
    static final int MOST = ManyValues.MOST;

    private static final ManyValues BY_ID = new ManyValues("""
            SELECT id, revision, created_revision, payload_digest
            FROM documents
            WHERE type = ? AND id IN (%s)
            """);

    private CurrentRows() {}

    record Row(long revision, long createdRevision, String payloadDigest) {}

    static Map<DocumentKey, Row> find(Session session, Collection<DocumentKey> keys) throws SQLException {
        Map<String, List<String>> idsByType = new TreeMap<>();
        keys.forEach(key ->
                idsByType.computeIfAbsent(key.type(), type -> new ArrayList<>()).add(key.id()));
        Map<DocumentKey, Row> found = new HashMap<>();
        for (Map.Entry<String, List<String>> entry : idsByType.entrySet()) {
            String type = entry.getKey();
            List<String> ids = entry.getValue();
            session.each(
                    BY_ID.query(ids.size()),
                    row -> found.put(
                            new DocumentKey(type, row.getString(1)),
                            new Row(row.getLong(2), row.getLong(3), row.getString(4))),
                    ManyValues.padded(List.of(type), ids));
        }
        return found;
    }
}
