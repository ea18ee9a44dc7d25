package dev.homeport.store;

import dev.homeport.change.StoreRefused;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;

/** Opens stores. What is refused here is refused with words on what to do. */
public final class Stores {
    private static final int READERS = 4;
    private static final int POSTGRES_WRITERS = 2;

    private Stores() {}

    /**
     * A store in files of its own. One process writes to a directory; any number may follow. An absent or empty directory
     * becomes a new store; one that has lost its database is refused unless initialisation is asked for.
     */
    public static SqlStore sqlite(Path directory, Opening opening) {
        try {
            return opening.writes() ? sqliteWriter(directory, opening) : sqliteFollower(directory, opening);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A store in a PostgreSQL database. Several processes may write; the lock on the head row orders them. */
    public static SqlStore postgres(PostgresSettings settings, Opening opening) {
        PostgresConnector connector = new PostgresConnector(settings);
        new PostgresOpening(connector).prepare(opening);
        Optional<Connections> writers = opening.mode() == Opening.Mode.FOLLOWER
                ? Optional.empty()
                : Optional.of(new Connections(POSTGRES_WRITERS, connector::writer));
        Database database = new Database(new PostgresDialect(), new Connections(READERS, connector::reader), writers);
        HeadWatch watch = new HeadWatch(() -> new PostgresHeadSource(connector.listener()));
        return new SqlStore(database, HeadLock.none(database.dialect()), watch, Optional.empty(), () -> {});
    }

    /** Which store a backup is of, and where it ends. Reads the first line. */
    public static BackupHeader headerOfBackup(BufferedReader in) {
        try {
            String line = in.readLine();
            if (line == null) {
                throw new StoreRefused("this is not a backup: it is empty");
            }
            return BackupFile.header(BackupFile.parse(line));
        } catch (EOFException e) {
            throw BackupReader.cutOff();
        } catch (IOException e) {
            throw new StoreRefused("this is not a backup: " + e.getMessage());
        }
    }

    private static SqlStore sqliteWriter(Path directory, Opening opening) throws IOException {
        PrivateFiles.createFolder(directory);
        PrivateFiles.tighten(directory);
        DirectoryLock directoryLock = DirectoryLock.acquire(directory);
        try {
            SqliteDirectory files = new SqliteDirectory(directory);
            files.prepareForWriter(opening);
            SqliteConnector connector = new SqliteConnector(files.database());
            SqliteFileGuard guard = new SqliteFileGuard(files.database(), true);
            Database database = new Database(
                    new SqliteDialect(guard),
                    new Connections(READERS, connector::reader),
                    Optional.of(new Connections(1, connector::writer)));
            HeadLock lock = HeadLock.acquire(database);
            guard.arm(connector.reader());
            return new SqlStore(database, lock, watch(connector), Optional.of(guard), directoryLock::release);
        } catch (SQLException e) {
            directoryLock.release();
            throw Database.translate(e, new SqliteDialect());
        } catch (IOException | RuntimeException e) {
            directoryLock.release();
            throw e;
        }
    }

    private static SqlStore sqliteFollower(Path directory, Opening opening) throws IOException {
        if (!Files.isDirectory(directory)) {
            throw new StoreRefused("there is no directory " + directory + "; start a writer there first");
        }
        SqliteDirectory files = new SqliteDirectory(directory);
        files.requireForFollower();
        SqliteConnector connector = new SqliteConnector(files.database());
        SqliteFileGuard guard = new SqliteFileGuard(files.database(), false);
        Optional<Connections> writers = opening.mode() == Opening.Mode.OPERATOR
                ? Optional.of(new Connections(1, connector::operator))
                : Optional.empty();
        Database database =
                new Database(new SqliteDialect(guard), new Connections(READERS, connector::reader), writers);
        try {
            guard.arm(connector.reader());
        } catch (SQLException e) {
            throw Database.translate(e, database.dialect());
        }
        return new SqlStore(
                database, HeadLock.none(database.dialect()), watch(connector), Optional.of(guard), () -> {});
    }

    private static HeadWatch watch(SqliteConnector connector) {
        return new HeadWatch(() -> new SqliteHeadSource(connector.reader()));
    }
}
