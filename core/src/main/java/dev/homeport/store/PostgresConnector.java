package dev.homeport.store;

import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.ds.PGSimpleDataSource;

/** Opens connections to one PostgreSQL database. */
final class PostgresConnector {
    private static final int CONNECT_SECONDS = 5;

    /** More than the server's own limit on statements, so that it is met only when the server cannot be reached. */
    private static final int ANSWER_SECONDS = 60;

    private static final String LIMITS =
            "-c statement_timeout=30s -c lock_timeout=20s -c idle_in_transaction_session_timeout=60s";

    private final PostgresSettings settings;

    PostgresConnector(PostgresSettings settings) {
        this.settings = settings;
    }

    /** Without limits on time, for migrations. */
    PGSimpleDataSource source() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(settings.jdbcUrl());
        source.setUser(settings.user());
        source.setPassword(settings.password());
        source.setApplicationName("homeport");
        source.setConnectTimeout(CONNECT_SECONDS);
        source.setTcpKeepAlive(true);
        return source;
    }

    Session writer() throws SQLException {
        return prepared(limited().getConnection(), connection -> {
            connection.setAutoCommit(false);
            try (var statement = connection.createStatement()) {
                // A server may be set not to wait for its disk, or for its standby. An append has to.
                statement.execute("""
                        SELECT set_config('synchronous_commit', 'on', false)
                        WHERE current_setting('synchronous_commit') IN ('off', 'local')
                        """);
            }
            connection.commit();
        });
    }

    Session reader() throws SQLException {
        return prepared(limited().getConnection(), connection -> {
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            connection.setReadOnly(true);
            connection.setAutoCommit(false);
        });
    }

    /** For observations: commits do not wait for a disk, and a crash may lose the last batches. */
    Session observer(String schema) throws SQLException {
        PGSimpleDataSource source = limited();
        source.setCurrentSchema(schema);
        source.setOptions(LIMITS + " -c synchronous_commit=off");
        return prepared(source.getConnection(), connection -> connection.setAutoCommit(false));
    }

    Connection listener() throws SQLException {
        return limited().getConnection();
    }

    private PGSimpleDataSource limited() {
        PGSimpleDataSource source = source();
        source.setCurrentSchema(PostgresSettings.SCHEMA);
        source.setReWriteBatchedInserts(true);
        source.setSocketTimeout(ANSWER_SECONDS);
        source.setOptions(LIMITS);
        return source;
    }

    private static Session prepared(Connection connection, SetUp setUp) throws SQLException {
        try {
            setUp.run(connection);
            return new Session(connection);
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    @FunctionalInterface
    private interface SetUp {
        void run(Connection connection) throws SQLException;
    }
}
