package dev.homeport.store;

import java.sql.SQLException;
import java.util.Optional;

/** Transactions are spelled out, because the driver's own would take the write lock again right after each commit. */
final class SqliteDialect implements Dialect {
    // https://sqlite.org/rescode.html
    private static final int BUSY = 5;
    private static final int LOCKED = 6;
    private static final int NOMEM = 7;
    private static final int READONLY = 8;
    private static final int IOERR = 10;
    private static final int CORRUPT = 11;
    private static final int FULL = 13;
    private static final int CANTOPEN = 14;
    private static final int PROTOCOL = 15;
    private static final int NOTADB = 26;

    private final Optional<SqliteFileGuard> guard;

    SqliteDialect() {
        this.guard = Optional.empty();
    }

    SqliteDialect(SqliteFileGuard guard) {
        this.guard = Optional.of(guard);
    }

    @Override
    public void begin(Session session, Intent intent) throws SQLException {
        boolean writes = intent == Intent.WRITE || intent == Intent.REPLACE;
        session.run(writes ? "BEGIN IMMEDIATE" : "BEGIN DEFERRED");
    }

    @Override
    public void commit(Session session) throws SQLException {
        session.run("COMMIT");
    }

    @Override
    public void rollback(Session session) throws SQLException {
        session.run("ROLLBACK");
    }

    @Override
    public String lockHead() {
        return """
                SELECT epoch, revision, hash, time, fence, (SELECT store_id FROM store_meta), (SELECT quarantine FROM store_state)
                FROM head
                """; // BEGIN IMMEDIATE holds the only write lock there is
    }

    @Override
    public boolean isFenced() {
        return true;
    }

    @Override
    public boolean writesAlone() {
        return true;
    }

    @Override
    public String hasTable() {
        return "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?";
    }

    @Override
    public String isReplica() {
        return "0";
    }

    @Override
    public String replicaAge() {
        return "NULL";
    }

    @Override
    public Optional<String> heartbeat() {
        return Optional.empty();
    }

    @Override
    public void beforeCommit() {
        guard.ifPresent(SqliteFileGuard::committing);
    }

    @Override
    public void afterCommit() {
        guard.ifPresent(SqliteFileGuard::committed);
    }

    @Override
    public void requireCommitted() {
        guard.ifPresent(SqliteFileGuard::refuse);
    }

    @Override
    public void announce(Session session, long revision) {
        // other processes watch PRAGMA data_version
    }

    @Override
    public void scrub(Session session) throws SQLException {
        // secure_delete is on, so old content is zeroed in the file once the WAL is folded into it and cut off
        session.run("PRAGMA wal_checkpoint(TRUNCATE)");
    }

    @Override
    public String savedByOthers(String columns, String table) {
        // Left to itself it reads the whole table. An index by time would be written at every poll.
        String side = """
                SELECT %1$s FROM %2$s INDEXED BY %2$s_by_observer WHERE observer %3$s ?2 AND last_at >= ?1
                """;
        return side.formatted(columns, table, "<") + "UNION ALL\n" + side.formatted(columns, table, ">");
    }

    @Override
    public String bytes() {
        return "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
    }

    @Override
    public Fault fault(SQLException error) {
        return switch (error.getErrorCode() & 0xFF) {
            case BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL, CANTOPEN, PROTOCOL -> Fault.UNAVAILABLE;
            case CORRUPT, NOTADB -> Fault.CORRUPT;
            default -> Fault.OTHER;
        };
    }
}
