package dev.homeport.store;

import java.sql.SQLException;
import java.util.Optional;

/** What differs between the databases. Everything else is the same SQL. */
interface Dialect {
    /** What a transaction is for. */
    enum Intent {
        /** A short reading of one state. */
        READ,
        /** A reading of everything: it may take minutes and its cursor must not hold all rows in memory. */
        SCAN,
        WRITE,
        /** A writing of everything, which may take minutes too. */
        REPLACE
    }

    /** What an error means to the caller. */
    enum Fault {
        UNAVAILABLE,
        CORRUPT,
        /** The database's user has no right to do this. */
        FORBIDDEN,
        OTHER
    }

    void begin(Session session, Intent intent) throws SQLException;

    void commit(Session session) throws SQLException;

    void rollback(Session session) throws SQLException;

    /** Reads the head row so that no other writer gets past it before this transaction ends. */
    String lockHead();

    /** Whether there is one writer at a time, which takes the fence when it opens the store. */
    boolean isFenced();

    /** Whether only one transaction writes at a time, so that none waits for another's rows in whatever order it takes them. */
    boolean writesAlone();

    /** Asks whether a table is there: 1 or 0. */
    String hasTable();

    /** An expression: 1 on a replica, otherwise 0. */
    String isReplica();

    /** An expression: how many microseconds ago a replica was equal to its primary; null on a primary. */
    String replicaAge();

    /** Tells replicas that a writer has just reached the primary; empty where there are no replicas. */
    Optional<String> heartbeat();

    /** Before the commit of a transaction that wrote. {@link #afterCommit} follows in any case. */
    default void beforeCommit() {}

    default void afterCommit() {}

    /** Throws when a commit that succeeded may have gone to files that are not the store's any more. */
    default void requireCommitted() {}

    /** Tells other processes, when this transaction commits. */
    void announce(Session session, long revision) throws SQLException;

    /** Makes the database forget old versions of rows, as far as it lies with the database. Outside a transaction. */
    void scrub(Session session) throws SQLException;

    /**
     * Asks for what others than one process saved at or after a time: takes the time and that process's name. The table has
     * the columns {@code last_at} and {@code observer}.
     */
    String savedByOthers(String columns, String table);

    /** Asks how much room the log takes on disk. */
    String bytes();

    /** Judges by code, never by text. */
    Fault fault(SQLException error);
}
