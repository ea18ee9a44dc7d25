package dev.homeport.store;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/** A database of its own in one server that lives as long as this JVM. */
record PostgresBackend(String name) implements Backend {
    private static final AtomicInteger COUNT = new AtomicInteger();

    static PostgresBackend fresh() {
        PostgresBackend backend = new PostgresBackend("homeport_" + COUNT.incrementAndGet());
        admin("CREATE DATABASE " + backend.name);
        return backend;
    }

    PostgresSettings settings() {
        return new PostgresSettings(Server.RUNNING.getJdbcUrl("postgres", name), "postgres", "postgres");
    }

    @Override
    public SqlStore open(Opening opening) {
        return Stores.postgres(settings(), opening);
    }

    @Override
    public Connection raw() throws SQLException {
        return DriverManager.getConnection(
                Server.RUNNING.getJdbcUrl("postgres", name) + "&currentSchema=homeport", "postgres", "postgres");
    }

    @Override
    public String withoutForeignKeys() {
        return "SET session_replication_role = replica";
    }

    @Override
    public void close() {
        admin("DROP DATABASE " + name + " WITH (FORCE)");
    }

    static void admin(String sql) {
        try (Connection connection = DriverManager.getConnection(
                        Server.RUNNING.getJdbcUrl("postgres", "postgres"), "postgres", "postgres");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Started by the first test that needs it. */
    private static final class Server {
        static final EmbeddedPostgres RUNNING = start();

        private static EmbeddedPostgres start() {
            try {
                return EmbeddedPostgres.builder()
                        .setServerConfig("max_connections", "200")
                        .start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
