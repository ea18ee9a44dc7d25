package dev.homeport.store;

import dev.homeport.change.StoreCorrupt;
import dev.homeport.change.StoreRefused;
import dev.homeport.change.StoreUnavailable;
import dev.homeport.store.Dialect.Intent;
import java.sql.SQLException;
import java.util.Optional;

/** Runs transactions. What comes out of here is the ports' vocabulary, never an SQLException. */
final class Database implements AutoCloseable {
    private final Dialect dialect;
    private final Connections readers;
    private final Optional<Connections> writers;

    /** Without writers, as a follower has it, each write is refused. */
    Database(Dialect dialect, Connections readers, Optional<Connections> writers) {
        this.dialect = dialect;
        this.readers = readers;
        this.writers = writers;
    }

    Dialect dialect() {
        return dialect;
    }

    <T> T read(Work<T> work) {
        return transaction(readers, Intent.READ, work);
    }

    <T> T scan(Work<T> work) {
        return transaction(readers, Intent.SCAN, work);
    }

    <T> T write(Work<T> work) {
        return transaction(writers(), Intent.WRITE, work);
    }

    <T> T replace(Work<T> work) {
        return transaction(writers(), Intent.REPLACE, work);
    }

    /** For commands that cannot run inside a transaction. */
    void outside(Command command) {
        Connections pool = writers();
        Session session = take(pool);
        try {
            dialect.beforeCommit();
            command.run(session);
            pool.giveBack(session);
        } catch (SQLException e) {
            pool.discard(session);
            throw translate(e, dialect);
        } catch (RuntimeException e) {
            pool.discard(session);
            throw e;
        } finally {
            dialect.afterCommit();
        }
    }

    @Override
    public void close() {
        readers.close();
        writers.ifPresent(Connections::close); // last, so that SQLite folds its WAL into the database
    }

    private Connections writers() {
        return writers.orElseThrow(() -> new StoreRefused("this store was opened as a follower, which never writes"));
    }

    private <T> T transaction(Connections pool, Intent intent, Work<T> work) {
        Session session = take(pool);
        boolean reusable = false;
        try {
            dialect.begin(session, intent);
            T result = work.run(session);
            commit(session, intent);
            reusable = true;
            return result;
        } catch (SQLException e) {
            reusable = dialect.fault(e) == Dialect.Fault.OTHER && rolledBack(session, e);
            throw translate(e, dialect);
        } catch (RuntimeException | Error e) {
            reusable = rolledBack(session, e);
            throw e;
        } finally {
            if (reusable) {
                pool.giveBack(session);
            } else {
                pool.discard(session);
            }
        }
    }

    private void commit(Session session, Intent intent) throws SQLException {
        if (intent == Intent.READ || intent == Intent.SCAN) {
            dialect.commit(session);
            return;
        }
        try {
            dialect.beforeCommit();
            dialect.commit(session);
        } finally {
            dialect.afterCommit();
        }
        dialect.requireCommitted();
    }

    private Session take(Connections pool) {
        try {
            return pool.take();
        } catch (SQLException e) {
            throw translate(e, dialect);
        }
    }

    private boolean rolledBack(Session session, Throwable cause) {
        try {
            dialect.rollback(session);
            return true;
        } catch (SQLException e) {
            cause.addSuppressed(e);
            return false;
        }
    }

    static RuntimeException translate(SQLException error, Dialect dialect) {
        return switch (dialect.fault(error)) {
            case UNAVAILABLE -> new StoreUnavailable("the database did not answer: " + error.getMessage(), error);
            case CORRUPT -> {
                StoreCorrupt corrupt = new StoreCorrupt("the database says it is damaged: " + error.getMessage());
                corrupt.initCause(error);
                yield corrupt;
            }
            case FORBIDDEN ->
                new StoreRefused("the database role lacks a right: " + error.getMessage()
                        + ". Grant it what docs/howto/postgresql.md lists, again after an upgrade that adds tables");
            case OTHER -> new IllegalStateException("the database refused a statement", error);
        };
    }

    /** The inside of a transaction. */
    @FunctionalInterface
    interface Work<T> {
        T run(Session session) throws SQLException;
    }

    /** Something done on a connection, without a result. */
    @FunctionalInterface
    interface Command {
        void run(Session session) throws SQLException;
    }
}
