package dev.homeport.store;

import dev.homeport.access.Actor;
import dev.homeport.change.AppendResult;
import dev.homeport.change.ChangeLog;
import dev.homeport.change.Commit;
import dev.homeport.change.CommitOutline;
import dev.homeport.change.CommitQuery;
import dev.homeport.change.Failpoint;
import dev.homeport.change.Head;
import dev.homeport.change.History;
import dev.homeport.change.LogMaintenance;
import dev.homeport.change.LogStatus;
import dev.homeport.change.Proposal;
import dev.homeport.change.RecordedCommit;
import dev.homeport.change.RedactionRequest;
import dev.homeport.change.StoreRefused;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import java.io.BufferedReader;
import java.io.Writer;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;

/** The ports, each method in one transaction. Opened by {@link Stores}. */
public final class SqlStore implements ChangeLog, History, LogMaintenance {
    private final Database database;
    private final HeadLock lock;
    private final HeadWatch watch;
    private final Optional<SqliteFileGuard> files;
    private final Runnable onClose;

    SqlStore(Database database, HeadLock lock, HeadWatch watch, Optional<SqliteFileGuard> files, Runnable onClose) {
        this.database = database;
        this.lock = lock;
        this.watch = watch;
        this.files = files;
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
    public LogStatus status() {
        LogStatus status = database.read(session -> StoreState.status(session, database.dialect()));
        Optional<String> fault = files.flatMap(SqliteFileGuard::fault);
        return fault.isEmpty() ? status : new LogStatus(status.head(), fault, 0, status.replicaAge());
    }

    @Override
    public AppendResult append(Proposal proposal) {
        Appender.check(proposal);
        AppendResult result = database.write(session -> {
            AppendResult written = Appender.append(session, lock, proposal);
            if (written instanceof AppendResult.Appended appended) {
                database.dialect().announce(session, appended.commit().revision());
                Failpoint.APPEND_WRITTEN.reach();
            }
            return written;
        });
        if (result instanceof AppendResult.Appended appended) {
            Failpoint.APPEND_COMMITTED.reach();
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

    /** Reports each turn of the thread that watches the head, which runs from now on. */
    public void watchHead(HeadWatchListener listener) {
        watch.reportTo(listener);
    }

    /** Whether the thread that watches the head runs. */
    public boolean isHeadWatched() {
        return watch.isRunning();
    }

    @Override
    public Optional<RecordedCommit> commit(long revision) {
        return database.read(session -> HistoryReader.commit(session, revision));
    }

    @Override
    public Optional<CommitOutline> outline(long revision) {
        return database.read(session -> HistoryReader.outline(session, revision));
    }

    @Override
    public Map<DocumentKey, Document> documentsAt(Collection<DocumentKey> keys, long revision) {
        return database.read(session -> HistoryReader.documentsAt(session, keys, revision));
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
    public Commit redact(RedactionRequest request) {
        Commit commit = database.write(session -> {
            Commit written = Redaction.redact(session, lock, request);
            database.dialect().announce(session, written.revision());
            return written;
        });
        watch.appended(commit.revision());
        database.outside(database.dialect()::scrub);
        return commit;
    }

    @Override
    public long raiseEpoch() {
        return database.write(session -> {
            long epoch = lock.take(session).epoch() + 1;
            session.update("UPDATE head SET epoch = ?", epoch);
            return epoch;
        });
    }

    @Override
    public Head accept(Head seen) {
        Head accepted = database.write(session -> {
            Head now = lock.take(session).head();
            if (!now.equals(seen)) {
                throw new StoreRefused("the store has changed meanwhile: it is at revision " + now.revision()
                        + " of epoch " + now.epoch() + ". Look at it again");
            }
            Head next = new Head(now.storeId(), now.epoch() + 1, now.revision(), now.hash());
            session.update("UPDATE head SET epoch = ?", next.epoch());
            StoreState.accept(session, next.epoch());
            database.dialect().announce(session, next.revision());
            return next;
        });
        watch.appended(accepted.revision());
        return accepted;
    }

    /** Whether the store can keep its state: a store that only earlier releases have written cannot. */
    public boolean hasState() {
        return database.read(session -> StoreState.isPresent(session, database.dialect()));
    }

    /** Fingerprint of the newest master key that tokens here are hashed with; empty until a writer has recorded one. */
    public Optional<String> masterKey() {
        return database.read(session -> StoreState.masterKey(session, database.dialect()));
    }

    /**
     * Records the newest of a writer's keys, if the store knows none yet or one of the others. Returns what the store knows
     * afterwards: another one means that these keys are not this store's.
     */
    public String recordMasterKey(List<String> fingerprints) {
        return database.write(session -> {
            lock.take(session);
            Optional<String> known = StoreState.masterKey(session, database.dialect());
            if (known.isPresent() && !fingerprints.contains(known.get())) {
                return known.get();
            }
            if (!known.equals(Optional.of(fingerprints.getFirst()))) {
                StoreState.setMasterKey(session, fingerprints.getFirst());
            }
            return fingerprints.getFirst();
        });
    }

    /** Records a key that replaces one which is lost; tokens made under that one never work again. */
    public void replaceMasterKey(String fingerprint) {
        database.write(session -> {
            lock.take(session);
            StoreState.setMasterKey(session, fingerprint);
            return true;
        });
    }

    /** Tells replicas of the database that it was reached just now. */
    public void heartbeat() {
        Optional<String> beat = database.dialect().heartbeat();
        if (beat.isPresent()) {
            database.write(session -> session.update(beat.get()));
        }
    }

    /** Writes the whole log, as it is at this moment, in a form that every store can read. Returns where it ends. */
    public Head backup(Writer out, LongConsumer progress) {
        return database.scan(session -> new BackupWriter(out, progress).write(session, database.dialect()));
    }

    /**
     * Replaces everything here by a backup, or changes nothing. The epoch is raised, so that a server or cluster that saw the
     * old content does not take this for its continuation, and the store is in quarantine until an operator accepts it.
     * Returns the new head.
     */
    public Head restore(BufferedReader in, LongConsumer progress) {
        Head restored = database.replace(session -> {
            Head head = new BackupReader(in, progress).read(session, lock);
            database.dialect().announce(session, head.revision());
            return head;
        });
        Failpoint.RESTORE_COMMITTED.reach();
        watch.appended(restored.revision());
        return restored;
    }

    public StoreSize size(Instant now) {
        return database.scan(session -> StoreSize.of(session, database.dialect(), now));
    }

    @Override
    public void close() {
        watch.close();
        files.ifPresent(SqliteFileGuard::close); // before the writer, whose closing folds the WAL into the database
        database.close();
        onClose.run();
    }
}
