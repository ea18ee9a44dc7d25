package dev.homeport.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.Optional;

/** The driver begins transactions by itself; connections are opened with the isolation that their pool needs. */
final class PostgresDialect implements Dialect {
    /** transaction_resolution_unknown. */
    private static final String UNKNOWN_END = "08007";

    @Override
    public void begin(Session session, Intent intent) throws SQLException {
        if (intent == Intent.SCAN || intent == Intent.REPLACE) {
            session.run("SET LOCAL statement_timeout = 0");
            session.run("SET LOCAL idle_in_transaction_session_timeout = 0");
        }
    }

    @Override
    public void commit(Session session) throws SQLException {
        Connection connection = session.connection();
        connection.clearWarnings();
        connection.commit();
        SQLWarning warning = connection.getWarnings();
        if (warning != null) {
            // A wait for the standby that was cancelled is only warned of: a failover would lose the commit.
            throw new SQLException(
                    "the commit may not be on the standby: " + warning.getMessage(), UNKNOWN_END, warning);
        }
    }

    @Override
    public void rollback(Session session) throws SQLException {
        session.connection().rollback();
    }

    @Override
    public String lockHead() {
        return """
                SELECT epoch, revision, hash, time, fence, (SELECT store_id FROM store_meta), (SELECT quarantine FROM store_state)
                FROM head
                FOR UPDATE
                """;
    }

    @Override
    public boolean isFenced() {
        return false;
    }

    @Override
    public boolean writesAlone() {
        return false;
    }

    @Override
    public String hasTable() {
        return "SELECT CASE WHEN to_regclass(?) IS NULL THEN 0 ELSE 1 END";
    }

    @Override
    public String isReplica() {
        return "CASE WHEN pg_is_in_recovery() THEN 1 ELSE 0 END";
    }

    @Override
    public String replicaAge() {
        return """
                CASE WHEN pg_is_in_recovery()
                     THEN (extract(epoch FROM clock_timestamp()) * 1000000)::bigint - (SELECT at FROM heartbeat)
                END
                """;
    }

    @Override
    public Optional<String> heartbeat() {
        return Optional.of("""
                UPDATE heartbeat
                SET at = greatest(at, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)
                """);
    }

    @Override
    public void announce(Session session, long revision) throws SQLException {
        session.first("SELECT pg_notify('homeport_head', ?)", row -> true, Long.toString(revision));
    }

    @Override
    public void scrub(Session session) throws SQLException {
        session.connection().setAutoCommit(true);
        try {
            session.run("VACUUM changes");
        } finally {
            session.connection().setAutoCommit(false);
        }
    }

    @Override
    public String savedByOthers(String columns, String table) {
        return "SELECT " + columns + " FROM " + table + " WHERE last_at >= ? AND observer <> ?";
    }

    @Override
    public String bytes() {
        return """
                SELECT sum(pg_total_relation_size(c.oid))
                FROM pg_class c
                WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
                """;
    }

    /** Classes from https://www.postgresql.org/docs/current/errcodes-appendix.html */
    @Override
    public Fault fault(SQLException error) {
        String state = error.getSQLState();
        if (state == null || state.length() != 5) {
            return Fault.OTHER;
        }
        return switch (state.substring(0, 2)) {
            case "08", // connection
                    "53", // resources
                    "57", // shut down, cancelled by a timeout
                    "58", // the server's disk
                    "40" // deadlock: the transaction may be tried again
            -> Fault.UNAVAILABLE;
            case "55", "25" -> // lock timeout; a transaction that the server ended; a server that became a standby
                state.equals("55P03") || state.equals("25P03") || state.equals("25P04") || state.equals("25006")
                        ? Fault.UNAVAILABLE
                        : Fault.OTHER;
            case "42" -> state.equals("42501") ? Fault.FORBIDDEN : Fault.OTHER;
            case "XX" -> state.equals("XX001") || state.equals("XX002") ? Fault.CORRUPT : Fault.OTHER;
            default -> Fault.OTHER;
        };
    }
}
