package dev.homeport.store;

import dev.homeport.change.Head;
import dev.homeport.change.StoreRefused;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
            return opening.writes() ? sqliteWriter(directory, opening) : sqliteFollower(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A store in a PostgreSQL database. Several processes may write; the lock on the head row orders them. */
    public static SqlStore postgres(PostgresSettings settings, Opening opening) {
        PostgresConnector connector = new PostgresConnector(settings);
        new PostgresOpening(connector).prepare(opening);
        Optional<Connections> writers =
                opening.writes() ? Optional.of(new Connections(POSTGRES_WRITERS, connector::writer)) : Optional.empty();
        Database database = new Database(new PostgresDialect(), new Connections(READERS, connector::reader), writers);
        HeadWatch watch = new HeadWatch(() -> new PostgresHeadSource(connector.listener()));
        return new SqlStore(database, HeadLock.none(database.dialect()), watch, () -> {});
    }

    /** Which store a backup is of, and where it ends. Reads the first line. */
    public static Head headOfBackup(BufferedReader in) {
        try {
            String line = in.readLine();
            if (line == null) {
                throw new StoreRefused("this is not a backup: it is empty");
            }
            return BackupFile.head(BackupFile.parse(line));
        } catch (EOFException e) {
            throw BackupReader.cutOff();
        } catch (IOException e) {
            throw new StoreRefused("this is not a backup: " + e.getMessage());
        }
    }

    private static SqlStore sqliteWriter(Path directory, Opening opening) throws IOException {
        Files.createDirectories(directory);
        DirectoryLock directoryLock = DirectoryLock.acquire(directory);
        try {
            SqliteDirectory files = new SqliteDirectory(directory);
            files.prepareForWriter(opening);
            SqliteConnector connector = new SqliteConnector(files.database());
            Database database = new Database(
                    new SqliteDialect(),
                    new Connections(READERS, connector::reader),
                    Optional.of(new Connections(1, connector::writer)));
            return new SqlStore(database, HeadLock.acquire(database), watch(connector), directoryLock::release);
        } catch (IOException | RuntimeException e) {
            directoryLock.release();
            throw e;
        }
    }

    private static SqlStore sqliteFollower(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            throw new StoreRefused("there is no directory " + directory + "; start a writer there first");
        }
        SqliteDirectory files = new SqliteDirectory(directory);
        files.requireForFollower();
        SqliteConnector connector = new SqliteConnector(files.database());
        Database database =
                new Database(new SqliteDialect(), new Connections(READERS, connector::reader), Optional.empty());
        return new SqlStore(database, HeadLock.none(database.dialect()), watch(connector), () -> {});
    }

    private static HeadWatch watch(SqliteConnector connector) {
        return new HeadWatch(() -> new SqliteHeadSource(connector.reader()));
    }
}
