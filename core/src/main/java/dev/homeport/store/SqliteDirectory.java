package dev.homeport.store;

import dev.homeport.change.StoreRefused;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The files of a SQLite store, and whether it exists. A missing store is never created again unless that is requested: an
 * empty store would look like a fleet without clusters.
 */
final class SqliteDirectory {
    static final String DATABASE = "homeport.db";
    static final String STORE_ID = "store-id";

    private static final Dialect DIALECT = new SqliteDialect();
    private static final Migrations MIGRATIONS = new Migrations("sqlite", Optional.empty(), DIALECT);

    private final Path directory;
    private final Path database;
    private final Path storeId;

    SqliteDirectory(Path directory) {
        this.directory = directory;
        this.database = directory.resolve(DATABASE);
        this.storeId = directory.resolve(STORE_ID);
    }

    Path database() {
        return database;
    }

    /** Leaves a store behind that can be opened, or refuses. The caller holds the directory's lock. */
    void prepareForWriter(Opening opening) throws IOException {
        if (!isPresent()) {
            if (wasPresent() && !opening.initialise()) {
                throw new StoreRefused(
                        "there was a store in " + directory + ", and its database " + DATABASE
                                + " is missing or empty. Restore a backup, or ask for initialisation to begin with an empty store");
            }
            initialise(opening);
        }
        requireOurs();
        MIGRATIONS.update(new SqliteConnector(database).source());
        String id = requireKnown();
        if (Files.exists(storeId)) {
            requireSameId(id);
        } else {
            write(storeId, id + "\n");
        }
    }

    void requireForFollower() throws IOException {
        if (!isPresent()) {
            throw new StoreRefused("there is no store in " + directory + "; start a writer there first");
        }
        requireOurs();
        String id = requireKnown();
        if (Files.exists(storeId)) {
            requireSameId(id);
        }
    }

    private boolean isPresent() throws IOException {
        return Files.exists(database) && Files.size(database) > 0 && tables("") > 0;
    }

    private boolean wasPresent() {
        return Files.exists(database) || Files.exists(storeId) || Files.exists(directory.resolve(HighWater.NAME));
    }

    /** Under another name first, so that a crash in the middle leaves nothing that looks like a lost store. */
    private void initialise(Opening opening) throws IOException {
        Path next = directory.resolve(DATABASE + ".new");
        Files.deleteIfExists(next);
        PrivateFiles.createFile(next); // SQLite gives its other files the same permissions
        MIGRATIONS.create(new SqliteConnector(next).source(), opening);
        force(next);
        // A log left by a database that is gone must not be replayed into this one.
        Files.deleteIfExists(directory.resolve(DATABASE + "-wal"));
        Files.deleteIfExists(directory.resolve(DATABASE + "-shm"));
        Files.deleteIfExists(directory.resolve(HighWater.NAME));
        Files.deleteIfExists(storeId);
        Files.move(next, database, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        force(directory);
    }

    private void requireOurs() {
        if (tables("store_meta") == 0) {
            throw new StoreRefused(database + " is the database of something else; use another directory");
        }
    }

    private void requireSameId(String id) throws IOException {
        String expected = Files.readString(storeId).strip();
        if (!expected.equals(id)) {
            throw new StoreRefused("the file " + storeId + " names store " + expected + ", but the database is store "
                    + id + ". Put the right database back, or, if this one is meant, delete the file");
        }
    }

    private String requireKnown() {
        return ask(Migrations::requireKnown);
    }

    private long tables(String name) {
        return ask(session -> session.first(
                        "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND (? = '' OR name = ?)",
                        row -> row.getLong(1),
                        name,
                        name)
                .orElseThrow());
    }

    private <T> T ask(Database.Work<T> question) {
        try (Session session = new SqliteConnector(database).reader()) {
            return question.run(session);
        } catch (SQLException e) {
            throw Database.translate(e, DIALECT);
        }
    }

    private void write(Path file, String text) throws IOException {
        Path next = directory.resolve(file.getFileName() + ".new");
        PrivateFiles.write(next, text);
        force(next);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        force(directory);
    }

    private static void force(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
