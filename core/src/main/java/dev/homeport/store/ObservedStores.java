package dev.homeport.store;

import dev.homeport.change.StoreUnavailable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Opens the tables of what was observed. They are made and brought up to date by the process that writes the log; the others
 * may start sooner and find them later.
 */
public final class ObservedStores {
    static final String DATABASE = "observed.db";
    static final String SCHEMA = "observed";

    private ObservedStores() {}

    /**
     * A file of its own, so that a crowd of polls never keeps the log's writer waiting.
     *
     * @param observer a name that no other process has or had
     */
    public static ObservedStore sqlite(Path directory, Opening.Mode mode, String observer) {
        Path file = directory.resolve(DATABASE);
        SqliteConnector connector = new SqliteConnector(file);
        if (mode == Opening.Mode.WRITER) {
            createFile(file);
            new Migrations("sqlite-observed", Optional.empty(), new SqliteDialect()).update(connector.source());
        } else if (!Files.exists(file)) {
            // SQLite would make an empty one.
            throw new StoreUnavailable(
                    "there is no " + file + " yet; the writer makes it", new NoSuchFileException(file.toString()));
        }
        return open(new SqliteDialect(), connector::observer, observer);
    }

    /**
     * A schema of its own, so that a server that only reads needs the right to write nowhere else.
     *
     * @param observer a name that no other process has or had
     */
    public static ObservedStore postgres(PostgresSettings settings, Opening.Mode mode, String observer) {
        PostgresConnector connector = new PostgresConnector(settings);
        if (mode == Opening.Mode.WRITER) {
            new Migrations("postgresql-observed", Optional.of(SCHEMA), new PostgresDialect())
                    .update(connector.source());
        }
        return open(new PostgresDialect(), () -> connector.observer(SCHEMA), observer);
    }

    private static void createFile(Path file) {
        try {
            PrivateFiles.createFile(file);
        } catch (IOException e) {
            throw new StoreUnavailable(file + " cannot be made: " + e.getMessage(), e);
        }
    }

    private static ObservedStore open(Dialect dialect, Connections.Opener opener, String observer) {
        Connections one = new Connections(1, opener);
        return new ObservedStore(
                new Database(dialect, new Connections(1, opener), Optional.of(one)), new Observer(observer));
    }
}
