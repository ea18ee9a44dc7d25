package dev.homeport.store;

import static dev.homeport.store.ChainWalk.require;

import dev.homeport.change.CommitHash;
import dev.homeport.document.DocumentKey;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Folds the log one document at a time and compares each with its row of current documents. Both tables are read in the
 * order of keys, side by side, so nothing is kept but one document.
 */
final class FoldWalk {
    private final TypeTotals counted = new TypeTotals();
    private long documents;

    private @Nullable DocumentKey key;
    private String digest = CommitHash.NOTHING;
    private long made;
    private long changed;

    long documents() {
        return documents;
    }

    void walk(Session session) throws SQLException {
        try (PreparedStatement statement = session.scan("""
                        SELECT type, id, revision, payload_digest, before_digest
                        FROM changes
                        ORDER BY type, id, revision
                        """);
                PreparedStatement current = DocumentRow.scan(session);
                ResultSet changes = statement.executeQuery();
                ResultSet rows = current.executeQuery()) {
            while (changes.next()) {
                DocumentKey next = new DocumentKey(changes.getString(1), changes.getString(2));
                if (!next.equals(key)) {
                    finish(rows);
                    key = next;
                }
                fold(next, changes.getLong(3), changes.getString(4), changes.getString(5));
            }
            finish(rows);
            require(!rows.next(), "there is a current document that the log does not know");
        }
        counted.requireEqual(TypeTotals.stored(session));
    }

    private void fold(DocumentKey of, long revision, String after, String before) {
        require(before.equals(digest), of + " in revision " + revision + " does not follow from its version before");
        require(
                !before.equals(after) || !after.isEmpty(),
                of + " in revision " + revision + " is removed and did not exist");
        if (before.equals(CommitHash.NOTHING)) {
            made = revision;
        }
        changed = revision;
        digest = after;
    }

    private void finish(ResultSet rows) throws SQLException {
        if (key != null && !digest.equals(CommitHash.NOTHING)) {
            require(rows.next(), key + " is in the log, but not among the current documents");
            DocumentRow row = DocumentRow.read(rows);
            require(row.key().equals(key), "the current documents have " + row.key() + " where the log has " + key);
            require(
                    row.revision() == changed
                            && row.createdRevision() == made
                            && row.payloadDigest().equals(digest),
                    "the current " + key + " is not the log's newest version");
            require(row.isIntact(), "the body of " + key + " does not match its digest");
            counted.add(key, changed, digest);
            documents++;
        }
        digest = CommitHash.NOTHING;
    }
}
