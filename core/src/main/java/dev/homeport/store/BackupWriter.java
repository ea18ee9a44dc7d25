package dev.homeport.store;

import dev.homeport.change.Commit;
import dev.homeport.change.Head;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.LongConsumer;
import tools.jackson.databind.node.ObjectNode;

/** Writes the whole log as one transaction sees it, while others go on writing. */
final class BackupWriter {
    private final Writer out;
    private final LongConsumer progress;

    BackupWriter(Writer out, LongConsumer progress) {
        this.out = out;
        this.progress = progress;
    }

    Head write(Session session, Dialect dialect) throws SQLException {
        Head head = HeadRow.head(session);
        put(BackupFile.header(new BackupHeader(head, StoreState.masterKey(session, dialect))));
        try (PreparedStatement commits = session.scan("""
                        SELECT revision, epoch, time, actor, reason, request_id, idempotency_key,
                               marks, change_count, previous_hash, hash, request_digest
                        FROM commits
                        ORDER BY revision
                        """);
                PreparedStatement changes = session.scan("""
                        SELECT revision, ordinal, type, id, payload, payload_digest, before_digest, redacted
                        FROM changes
                        ORDER BY revision, ordinal
                        """);
                ResultSet headers = commits.executeQuery();
                ResultSet rows = changes.executeQuery()) {
            boolean more = rows.next();
            while (headers.next()) {
                Commit commit = CommitRows.read(headers);
                put(BackupFile.commit(commit, Optional.ofNullable(headers.getString(12))));
                while (more && rows.getLong(1) == commit.revision()) {
                    put(BackupFile.change(ChangeRows.read(rows)));
                    more = rows.next();
                }
                progress.accept(commit.revision());
            }
        }
        put(BackupFile.end(head.revision()));
        return head;
    }

    private void put(ObjectNode line) {
        try {
            out.write(line.toString());
            out.write('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
