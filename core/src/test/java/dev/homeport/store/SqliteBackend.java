package dev.homeport.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.stream.Stream;

/** A directory that is deleted at the end. */
record SqliteBackend(Path directory) implements Backend {
    static SqliteBackend fresh() {
        try {
            return new SqliteBackend(Files.createTempDirectory("homeport-store"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public SqlStore open(Opening opening) {
        return Stores.sqlite(directory, opening);
    }

    @Override
    public Connection raw() throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + directory.resolve(SqliteDirectory.DATABASE));
    }

    @Override
    public String withoutForeignKeys() {
        return "PRAGMA foreign_keys = OFF";
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
