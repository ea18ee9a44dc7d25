package dev.homeport.bench.core;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A PostgreSQL server of our own that does not cheat: what it has committed is on the disk. */
final class PostgresServer implements AutoCloseable {
    static final String USER = "postgres";
    static final String PASSWORD = "postgres";

    private final EmbeddedPostgres server;

    private PostgresServer(EmbeddedPostgres server) {
        this.server = server;
    }

    static PostgresServer start(Path data) throws IOException, SQLException {
        Files.createDirectories(data);
        // The library turns both off, for tests.
        EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("shared_buffers", "512MB")
                .setServerConfig("max_wal_size", "4GB")
                .start();
        PostgresServer started = new PostgresServer(server);
        started.requireDurable("fsync");
        started.requireDurable("synchronous_commit");
        return started;
    }

    /** A database of this name, created if missing. */
    StoreAddress database(String name) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            if (!exists(statement, name)) {
                statement.execute("CREATE DATABASE " + name);
            }
        }
        return new StoreAddress(StoreKind.POSTGRES, server.getJdbcUrl(USER, name));
    }

    void drop(String name) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
        }
    }

    private static boolean exists(Statement statement, String name) throws SQLException {
        try (ResultSet found = statement.executeQuery("SELECT 1 FROM pg_database WHERE datname = '" + name + "'")) {
            return found.next();
        }
    }

    private void requireDurable(String setting) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet value = statement.executeQuery("SHOW " + setting)) {
            value.next();
            if (!value.getString(1).equals("on")) {
                throw new IllegalStateException(setting + " is " + value.getString(1) + ", so times would be too good");
            }
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(server.getJdbcUrl(USER, "postgres"), USER, PASSWORD);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
