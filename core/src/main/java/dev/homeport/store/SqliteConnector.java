package dev.homeport.store;

import dev.homeport.change.StoreRefused;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Opens connections to one SQLite file. */
final class SqliteConnector {
    /** Earlier ones may lose a WAL reset: https://sqlite.org/wal.html#walresetbug */
    private static final int[] OLDEST = {3, 51, 3};

    private static final int BUSY_MILLIS = 10_000;
    private static final int BUSY_TRIES = 200;
    private static final long BUSY_PAUSE_NANOS = 10_000_000;

    private final Path file;

    SqliteConnector(Path file) {
        this.file = file;
    }

    SQLiteDataSource source() {
        return source(new SQLiteConfig());
    }

    Session writer() throws SQLException {
        Session session = new Session(source().getConnection());
        return prepared(
                session,
                "PRAGMA journal_mode = WAL",
                "PRAGMA synchronous = FULL",
                "PRAGMA foreign_keys = ON",
                "PRAGMA secure_delete = ON",
                "PRAGMA cache_size = -65536",
                "PRAGMA journal_size_limit = 67108864");
    }

    Session reader() throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setReadOnly(true);
        Session session = new Session(source(config).getConnection());
        return prepared(session, "PRAGMA query_only = ON", "PRAGMA cache_size = -16384");
    }

    /** Beside a writer in another process, which alone may move the WAL into the database. */
    Session operator() throws SQLException {
        return prepared(
                new Session(source().getConnection()),
                "PRAGMA journal_mode = WAL",
                "PRAGMA synchronous = FULL",
                "PRAGMA wal_autocheckpoint = 0");
    }

    /** For what was observed: a power cut may cost the last batches, never the file. */
    Session observer() throws SQLException {
        Session session = new Session(source().getConnection());
        return prepared(
                session,
                "PRAGMA journal_mode = WAL",
                "PRAGMA synchronous = NORMAL",
                "PRAGMA cache_size = -32768",
                "PRAGMA journal_size_limit = 16777216");
    }

    /** The driver sets the busy timeout before anything else, so that not even the first pragma meets a lock. */
    private SQLiteDataSource source(SQLiteConfig config) {
        config.setBusyTimeout(BUSY_MILLIS);
        config.setGetGeneratedKeys(false);
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl("jdbc:sqlite:" + file);
        return source;
    }

    private static Session prepared(Session session, String... pragmas) throws SQLException {
        try {
            requireVersion(session);
            for (String pragma : pragmas) {
                run(session, pragma);
            }
            return session;
        } catch (SQLException | RuntimeException e) {
            session.close();
            throw e;
        }
    }

    /** While another connection opens or closes the log beside the file, SQLite says busy at once instead of waiting. */
    private static void run(Session session, String pragma) throws SQLException {
        for (int left = BUSY_TRIES; ; left--) {
            try {
                session.run(pragma);
                return;
            } catch (SQLiteException e) {
                if (left == 0 || e.getResultCode().code % 256 != SQLiteErrorCode.SQLITE_BUSY.code) {
                    throw e;
                }
                LockSupport.parkNanos(BUSY_PAUSE_NANOS);
            }
        }
    }

    private static void requireVersion(Session session) throws SQLException {
        String version = session.first("SELECT sqlite_version()", row -> row.getString(1))
                .orElseThrow();
        int[] numbers =
                Arrays.stream(version.split("\\.")).mapToInt(Integer::parseInt).toArray();
        if (Arrays.compare(numbers, OLDEST) < 0) {
            throw new StoreRefused("SQLite " + version + " has known faults; Homeport needs 3.51.3 or later");
        }
    }
}
