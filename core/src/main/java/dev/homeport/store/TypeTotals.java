package dev.homeport.store;

import dev.homeport.change.CommitHash;
import dev.homeport.change.Fingerprint;
import dev.homeport.change.StoreCorrupt;
import dev.homeport.document.DocumentKey;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** How many documents each type has, and their fingerprint: as the table says, or as counted row by row. */
final class TypeTotals {
    private final Map<String, Total> totals = new TreeMap<>();

    record Total(long documents, Fingerprint fingerprint) {
        static final Total NONE = new Total(0, Fingerprint.ZERO);
    }

    static TypeTotals stored(Session session) throws SQLException {
        TypeTotals stored = new TypeTotals();
        session.each(
                """
                SELECT type, documents, fingerprint
                FROM type_state
                """,
                row -> stored.totals.put(
                        row.getString(1), new Total(row.getLong(2), Fingerprint.parse(row.getString(3)))));
        return stored;
    }

    void add(DocumentKey key, long revision, String payloadDigest) {
        Total total = of(key.type());
        String row = CommitHash.ofRow(key, revision, payloadDigest);
        totals.put(key.type(), new Total(total.documents + 1, total.fingerprint.plus(row)));
    }

    void remove(DocumentKey key, long revision, String payloadDigest) {
        Total total = of(key.type());
        String row = CommitHash.ofRow(key, revision, payloadDigest);
        totals.put(key.type(), new Total(total.documents - 1, total.fingerprint.minus(row)));
    }

    void store(Session session, Set<String> types) throws SQLException {
        for (String type : types) {
            Total total = of(type);
            session.update("""
                    INSERT INTO type_state (type, documents, fingerprint)
                    VALUES (?, ?, ?)
                    ON CONFLICT (type) DO UPDATE
                    SET documents = excluded.documents, fingerprint = excluded.fingerprint
                    """, type, total.documents, total.fingerprint.toString());
        }
    }

    /** Compares what was counted, which is this, with what the table says. */
    void requireEqual(TypeTotals stored) {
        Set<String> types = new TreeSet<>(totals.keySet());
        types.addAll(stored.totals.keySet());
        for (String type : types) {
            Total read = of(type);
            Total expected = stored.of(type);
            if (read.documents != expected.documents) {
                throw new StoreCorrupt("there should be " + expected.documents + " documents of type " + type + ", but "
                        + read.documents + " are there");
            }
            if (!read.fingerprint.equals(expected.fingerprint)) {
                throw new StoreCorrupt("the documents of type " + type + " are not those that were written");
            }
        }
    }

    private Total of(String type) {
        return totals.getOrDefault(type, Total.NONE);
    }
}
