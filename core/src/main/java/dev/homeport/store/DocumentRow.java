package dev.homeport.store;

import dev.homeport.change.CommitHash;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Stamp;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** A current document as its row has it, unchecked. */
record DocumentRow(DocumentKey key, long revision, long createdRevision, byte[] body, String payloadDigest) {

    /** All of them, ordered by type and id. The caller closes it. */
    static PreparedStatement scan(Session session) throws SQLException {
        return session.scan("""
                SELECT type, id, revision, created_revision, body, payload_digest
                FROM documents
                ORDER BY type, id
                """);
    }

    static DocumentRow read(ResultSet row) throws SQLException {
        return new DocumentRow(
                new DocumentKey(row.getString(1), row.getString(2)),
                row.getLong(3),
                row.getLong(4),
                row.getBytes(5),
                row.getString(6));
    }

    boolean isIntact() {
        return CommitHash.ofPayload(body).equals(payloadDigest);
    }

    Document document(StampBook stamps) {
        Stamp created = stamps.of(createdRevision);
        Stamp updated = stamps.of(revision);
        return isIntact()
                ? Document.of(key, RowJson.body(body), created, updated)
                : Document.broken(key, "the stored body does not match its digest", created, updated);
    }
}
