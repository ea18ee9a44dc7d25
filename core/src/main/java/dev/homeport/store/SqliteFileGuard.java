package dev.homeport.store;

import dev.homeport.change.StoreUnavailable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects that the files of an open store were removed, replaced or overwritten. SQLite goes on with the files it has open,
 * so what it writes then is lost at the next start.
 *
 * <p>The files are never opened here: closing a second descriptor of a file drops the locks that SQLite holds on it.
 */
final class SqliteFileGuard implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteFileGuard.class);

    private static final String WHAT_TO_DO =
            ". Stop it, put the right files back or restore a backup, and start it again";

    private final Path database;
    private final Path wal;
    private final boolean writes;
    private final ReentrantLock commit = new ReentrantLock();

    /** While one connection is open, SQLite never deletes the WAL by itself. */
    private @Nullable Session anchor;

    private @Nullable Object databaseKey;
    private @Nullable Object walKey;
    private volatile @Nullable Content content;
    private volatile @Nullable String fault;

    private record Content(long size, FileTime modified) {}

    /** @param writes whether this process is the only one that changes the files */
    SqliteFileGuard(Path database, boolean writes) {
        this.database = database;
        this.wal = database.resolveSibling(database.getFileName() + "-wal");
        this.writes = writes;
    }

    /** From now on the files must stay what they are. Takes over a connection. */
    void arm(Session connection) {
        try {
            connection.first("SELECT count(*) FROM sqlite_schema", row -> row.getLong(1));
            anchor = connection;
            BasicFileAttributes now = attributes(database);
            databaseKey = now.fileKey();
            // A reader may not create it, so it does not exist until a writer has created it.
            walKey = Files.exists(wal) ? attributes(wal).fileKey() : null;
            content = content(now);
        } catch (SQLException e) {
            throw Database.translate(e, new SqliteDialect());
        } catch (IOException e) {
            throw new StoreUnavailable("the files of the store cannot be read: " + e.getMessage(), e);
        }
    }

    /** What happened to the files, if anything; once something has, that is all it says. */
    Optional<String> fault() {
        if (anchor == null || fault != null) {
            return Optional.ofNullable(fault);
        }
        // A commit under way may just be changing the content.
        boolean quiet = commit.tryLock();
        try {
            return look(quiet && writes);
        } finally {
            if (quiet) {
                commit.unlock();
            }
        }
    }

    /** Before a commit, which {@link #committed} ends. */
    void committing() {
        commit.lock();
        if (anchor != null && fault == null) {
            look(writes);
        }
        refuse();
    }

    /** After a commit that may have changed the database file, whether it failed or not. */
    void committed() {
        if (!commit.isHeldByCurrentThread()) {
            return;
        }
        try {
            if (anchor != null && fault == null && look(false).isEmpty()) {
                content = content(attributes(database));
            }
        } catch (IOException e) {
            fault = gone(database, e);
        } finally {
            commit.unlock();
        }
    }

    void refuse() {
        String what = fault;
        if (what != null) {
            throw new StoreUnavailable(what, new IllegalStateException(what));
        }
    }

    private Optional<String> look(boolean compareContent) {
        try {
            BasicFileAttributes now = attributes(database);
            if (!Objects.equals(now.fileKey(), databaseKey)) {
                found(database + " was replaced by another file while this server runs" + WHAT_TO_DO);
            } else if (compareContent && !content(now).equals(content)) {
                found(database + " was overwritten by another program while this server runs" + WHAT_TO_DO);
            } else if (walKey != null && !Objects.equals(attributes(wal).fileKey(), walKey)) {
                found(wal + " was replaced by another file while this server runs" + WHAT_TO_DO);
            }
        } catch (NoSuchFileException e) {
            found(gone(Path.of(e.getFile()), e));
        } catch (IOException e) {
            found(gone(database, e));
        }
        return Optional.ofNullable(fault);
    }

    private static String gone(Path file, IOException cause) {
        return cause instanceof NoSuchFileException
                ? file + " was removed while this server runs" + WHAT_TO_DO
                : file + " cannot be read: " + cause.getMessage();
    }

    private void found(String what) {
        LOG.error("{}", what);
        fault = what;
    }

    private static Content content(BasicFileAttributes attributes) {
        return new Content(attributes.size(), attributes.lastModifiedTime());
    }

    private static BasicFileAttributes attributes(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class);
    }

    @Override
    public void close() {
        Session connection = anchor;
        anchor = null;
        if (connection != null) {
            try {
                connection.close();
            } catch (SQLException e) {
                LOG.debug("a connection did not close", e);
            }
        }
    }
}
