package dev.homeport.store;

import dev.homeport.access.Actor;
import dev.homeport.change.AppendResult;
import dev.homeport.change.ChangeLog;
import dev.homeport.change.Commit;
import dev.homeport.change.CommitQuery;
import dev.homeport.change.Head;
import dev.homeport.change.History;
import dev.homeport.change.LogMaintenance;
import dev.homeport.change.Proposal;
import dev.homeport.change.RecordedCommit;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import java.io.BufferedReader;
import java.io.Writer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/** The ports, each method in one transaction. Opened by {@link Stores}. */
public final class SqlStore implements ChangeLog, History, LogMaintenance {
    private final Database database;
    private final HeadLock lock;
    private final HeadWatch watch;
    private final Runnable onClose;

    SqlStore(Database database, HeadLock lock, HeadWatch watch, Runnable onClose) {
        this.database = database;
        this.lock = lock;
        this.watch = watch;
        this.onClose = onClose;
    }

    Database database() {
        return database;
    }

    @Override
    public Head head() {
        return database.read(HeadRow::head);
    }

    @Override
    public AppendResult append(Proposal proposal) {
        Appender.check(proposal);
        AppendResult result = database.write(session -> {
            AppendResult written = Appender.append(session, lock, proposal);
            if (written instanceof AppendResult.Appended appended) {
                database.dialect().announce(session, appended.commit().revision());
            }
            return written;
        });
        if (result instanceof AppendResult.Appended appended) {
            watch.appended(appended.commit().revision());
        }
        return result;
    }

    @Override
    public Optional<Commit> newest() {
        return database.read(
                session -> CommitRows.find(session, HeadRow.head(session).revision()));
    }

    @Override
    public Optional<AppendResult> committedUnder(Actor actor, Proposal.Idempotency idempotency) {
        return database.read(session -> Appender.committedUnder(session, actor, idempotency));
    }

    @Override
    public List<RecordedCommit> after(long revision, int limit) {
        return database.read(session -> HistoryReader.after(session, revision, limit));
    }

    @Override
    public Head load(DocumentVisitor visitor) {
        return database.scan(session -> Loader.load(session, visitor));
    }

    @Override
    public void awaitBeyond(long revision, Duration atMost) throws InterruptedException {
        watch.awaitBeyond(revision, atMost);
    }

    @Override
    public Optional<RecordedCommit> commit(long revision) {
        return database.read(session -> HistoryReader.commit(session, revision));
    }

    @Override
    public Optional<Document> documentAt(DocumentKey key, long revision) {
        return database.read(session -> HistoryReader.documentAt(session, key, revision));
    }

    @Override
    public List<Document> documentsAt(String type, long revision) {
        return database.scan(session -> HistoryReader.documentsAt(session, type, revision));
    }

    @Override
    public List<Commit> commitsOf(DocumentKey key, long below, int limit) {
        return database.read(session -> HistoryReader.commitsOf(session, key, below, limit));
    }

    @Override
    public List<Commit> commits(CommitQuery query) {
        return database.read(session -> CommitSearch.search(session, query));
    }

    @Override
    public long revisionAt(Instant time) {
        return database.read(session -> HistoryReader.revisionAt(session, time));
    }

    @Override
    public Verified verify(LongConsumer progress) {
        return database.scan(session -> {
            Head head = HeadRow.head(session);
            ChainWalk chain = new ChainWalk(head, progress);
            chain.walk(session);
            FoldWalk fold = new FoldWalk();
            fold.walk(session);
            return new Verified(head.revision(), chain.changes(), fold.documents(), chain.redacted());
        });
    }

    @Override
    public void redact(long revision, DocumentKey key, String pointer) {
        database.write(session -> {
            Redaction.redact(session, lock, revision, key, pointer);
            return true;
        });
        database.outside(database.dialect()::scrub);
    }

    @Override
    public long raiseEpoch() {
        return database.write(session -> {
            long epoch = lock.take(session).epoch() + 1;
            session.update("UPDATE head SET epoch = ?", epoch);
            return epoch;
        });
    }

    /** Writes the whole log, as it is at this moment, in a form that every store can read. Returns where it ends. */
    public Head backup(Writer out, LongConsumer progress) {
        return database.scan(session -> new BackupWriter(out, progress).write(session));
    }

    /**
     * Puts a backup in the place of everything here, or changes nothing. The epoch goes up, so that nobody who saw what was
     * here takes this for its continuation. Returns the new head.
     */
    public Head restore(BufferedReader in, LongConsumer progress) {
        Head restored = database.replace(session -> {
            Head head = new BackupReader(in, progress).read(session, lock);
            database.dialect().announce(session, head.revision());
            return head;
        });
        watch.appended(restored.revision());
        return restored;
    }

    public StoreSize size(Instant now) {
        return database.scan(session -> StoreSize.of(session, database.dialect(), now));
    }

    @Override
    public void close() {
        watch.close();
        database.close();
        onClose.run();
    }
}
