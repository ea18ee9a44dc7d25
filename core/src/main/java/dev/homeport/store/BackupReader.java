package dev.homeport.store;

import dev.homeport.access.Actor;
import dev.homeport.change.Commit;
import dev.homeport.change.Failpoint;
import dev.homeport.change.Head;
import dev.homeport.change.StoreRefused;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Puts a backup in the place of whatever the tables hold, inside one transaction, and walks all of it before that commits. So
 * readers see the old store or the new one, and the epoch of the new one is higher than both had.
 */
final class BackupReader {
    private static final int FLUSH = 500;

    private final BufferedReader in;
    private final LongConsumer progress;

    BackupReader(BufferedReader in, LongConsumer progress) {
        this.in = in;
        this.progress = progress;
    }

    Head read(Session session, HeadLock lock) throws SQLException {
        long epoch = lock.take(session).epoch();
        BackupHeader header = BackupFile.header(line());
        Head saved = header.head();
        String here = HeadRow.head(session).storeId();
        if (!here.equals(saved.storeId())) {
            throw new StoreRefused("this is a backup of store " + saved.storeId() + ", and the store here is " + here
                    + "; restore it into a place of its own");
        }
        for (String table : new String[] {"documents", "type_state", "changes", "commits"}) {
            session.update("DELETE FROM " + table);
        }
        Failpoint.RESTORE_EMPTIED.reach();
        long time = insertAll(session, saved);
        fold(session);
        Head restored = new Head(saved.storeId(), Math.max(epoch, saved.epoch()) + 1, saved.revision(), saved.hash());
        session.update(
                "UPDATE head SET epoch = ?, revision = ?, hash = ?, time = ?",
                restored.epoch(),
                restored.revision(),
                restored.hash(),
                time);
        StoreState.quarantine(
                session,
                "the store was restored from a backup of revision " + saved.revision() + " of epoch " + saved.epoch());
        if (header.masterKey().isPresent()) {
            StoreState.setMasterKey(session, header.masterKey().get());
        }
        new ChainWalk(restored, revision -> {}).walk(session);
        new FoldWalk().walk(session);
        Failpoint.RESTORE_FILLED.reach();
        return restored;
    }

    private long insertAll(Session session, Head saved) throws SQLException {
        Session.Batch changes = session.batch("""
                INSERT INTO changes (revision, ordinal, type, id, payload, payload_digest, before_digest, redacted)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """);
        int waiting = 0;
        long time = -1;
        for (ObjectNode line = line(); !line.has("end"); line = line()) {
            Commit commit = commit(line);
            CommitRows.insert(session, commit, Optional.ofNullable(text(line, "request_digest")));
            for (int ordinal = 0; ordinal < commit.changeCount(); ordinal++) {
                ObjectNode change = line();
                changes.add(
                        commit.revision(),
                        ordinal,
                        need(change, "type"),
                        need(change, "id"),
                        text(change, "payload"),
                        need(change, "payload_digest"),
                        need(change, "before_digest"),
                        change.path("redacted").booleanValue(false) ? 1 : 0);
                if (++waiting % FLUSH == 0) {
                    changes.flush();
                }
            }
            time = MicroTime.floor(commit.at());
            progress.accept(commit.revision());
        }
        changes.flush();
        return saved.revision() == 0 ? -1 : time;
    }

    /** Current documents are each one's newest version, made when it first came after its last removal. */
    private static void fold(Session session) throws SQLException {
        session.update("""
                INSERT INTO documents (type, id, revision, created_revision, body, payload_digest)
                SELECT newest.type, newest.id, newest.revision,
                       (SELECT min(made.revision)
                        FROM changes made
                        WHERE made.type = newest.type AND made.id = newest.id
                          AND made.revision > coalesce(
                              (SELECT max(gone.revision)
                               FROM changes gone
                               WHERE gone.type = newest.type AND gone.id = newest.id AND gone.payload IS NULL), 0)),
                       newest.payload, newest.payload_digest
                FROM changes newest
                WHERE newest.payload IS NOT NULL
                  AND NOT EXISTS (SELECT 1
                                  FROM changes later
                                  WHERE later.type = newest.type AND later.id = newest.id
                                    AND later.revision > newest.revision)
                """);
        TypeTotals totals = new TypeTotals();
        Set<String> types = new TreeSet<>();
        try (PreparedStatement statement = DocumentRow.scan(session);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                DocumentRow row = DocumentRow.read(rows);
                types.add(row.key().type());
                totals.add(row.key(), row.revision(), row.payloadDigest());
            }
        }
        totals.store(session, types);
    }

    private static Commit commit(ObjectNode line) {
        return new Commit(
                number(line, "revision"),
                number(line, "epoch"),
                MicroTime.of(number(line, "time")),
                Actor.parse(need(line, "actor")),
                need(line, "reason"),
                need(line, "request_id"),
                Optional.ofNullable(text(line, "idempotency_key")),
                RowJson.marks(need(line, "marks")),
                Math.toIntExact(number(line, "changes")),
                need(line, "previous_hash"),
                need(line, "hash"));
    }

    private ObjectNode line() {
        try {
            String line = in.readLine();
            if (line == null) {
                throw cutOff();
            }
            return BackupFile.parse(line);
        } catch (EOFException e) {
            throw cutOff();
        } catch (ZipException e) {
            throw new StoreRefused("the backup is damaged: " + e.getMessage());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static StoreRefused cutOff() {
        return new StoreRefused("the backup ends before its end: it was cut off");
    }

    private static @Nullable String text(ObjectNode line, String name) {
        JsonNode value = line.get(name);
        return value == null ? null : value.stringValue();
    }

    static String need(ObjectNode line, String name) {
        String value = text(line, name);
        if (value == null) {
            throw new StoreRefused("the backup is damaged: a line has no " + name);
        }
        return value;
    }

    static long number(ObjectNode line, String name) {
        JsonNode value = line.get(name);
        if (value == null || !value.isIntegralNumber()) {
            throw new StoreRefused("the backup is damaged: a line has no " + name);
        }
        return value.longValue();
    }
}
