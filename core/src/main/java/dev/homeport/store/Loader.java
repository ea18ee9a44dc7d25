package dev.homeport.store;

import dev.homeport.change.ChangeLog.DocumentVisitor;
import dev.homeport.change.Commit;
import dev.homeport.change.CommitHash;
import dev.homeport.change.Head;
import dev.homeport.change.StoreCorrupt;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/** Reads all current documents in one transaction and makes sure that they are all there. */
final class Loader {
    private static final int CHUNK = 1_000;

    private final Session session;
    private final DocumentVisitor visitor;
    private final StampBook stamps = new StampBook();
    private final TypeTotals counted = new TypeTotals();

    private Loader(Session session, DocumentVisitor visitor) {
        this.session = session;
        this.visitor = visitor;
    }

    static Head load(Session session, DocumentVisitor visitor) throws SQLException {
        Head head = HeadRow.head(session);
        Loader loader = new Loader(session, visitor);
        loader.visitAll();
        loader.counted.requireEqual(TypeTotals.stored(session));
        requireNewest(session, head);
        return head;
    }

    private void visitAll() throws SQLException {
        try (PreparedStatement statement = DocumentRow.scan(session);
                ResultSet rows = statement.executeQuery()) {
            List<DocumentRow> chunk = new ArrayList<>(CHUNK);
            while (rows.next()) {
                chunk.add(DocumentRow.read(rows));
                if (chunk.size() == CHUNK) {
                    visit(chunk);
                    chunk.clear();
                }
            }
            visit(chunk);
        }
    }

    private void visit(List<DocumentRow> chunk) throws SQLException {
        stamps.learn(
                session, chunk.stream().flatMapToLong(row -> LongStream.of(row.revision(), row.createdRevision())));
        for (DocumentRow row : chunk) {
            counted.add(row.key(), row.revision(), row.payloadDigest());
            visitor.visit(row.document(stamps));
        }
    }

    /** The head row must be the newest commit's, and that commit must be what its hash says. */
    private static void requireNewest(Session session, Head head) throws SQLException {
        long newest = session.first("SELECT coalesce(max(revision), 0) FROM commits", row -> row.getLong(1))
                .orElse(0L);
        if (newest != head.revision()) {
            throw new StoreCorrupt("the head is at revision " + head.revision() + ", but the log ends at " + newest);
        }
        String hash = newest == 0 ? CommitHash.GENESIS : recomputed(session, newest);
        if (!hash.equals(head.hash())) {
            throw new StoreCorrupt("the head's hash is not that of revision " + newest);
        }
    }

    private static String recomputed(Session session, long revision) throws SQLException {
        Commit commit = CommitRows.find(session, revision).orElseThrow();
        String hash = CommitHash.ofCommit(commit, ChangeRows.digests(session, revision));
        if (!hash.equals(commit.hash())) {
            throw new StoreCorrupt("revision " + revision + " is not what its hash says");
        }
        return hash;
    }
}
