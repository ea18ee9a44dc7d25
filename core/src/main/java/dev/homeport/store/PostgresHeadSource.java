package dev.homeport.store;

import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.jdbc.PgConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for appends and asks every second besides, because a notification may be lost with its connection. A standby cannot
 * listen, so it is asked more often.
 */
final class PostgresHeadSource implements HeadWatch.Source {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresHeadSource.class);
    private static final int POLL_MILLIS = 1_000;
    private static final int STANDBY_POLL_MILLIS = 200;

    private final Session session;
    private boolean asked;
    private boolean listening;

    /** Takes over a connection in auto-commit mode. */
    PostgresHeadSource(Connection connection) {
        this.session = new Session(connection);
    }

    @Override
    public long next() throws SQLException, InterruptedException {
        if (listening) {
            session.connection().unwrap(PgConnection.class).getNotifications(POLL_MILLIS);
        } else if (!isStandby()) {
            session.run("LISTEN homeport_head");
            listening = true;
        } else if (asked) {
            Thread.sleep(STANDBY_POLL_MILLIS);
        }
        asked = true;
        return session.first("SELECT revision FROM head", row -> row.getLong(1)).orElseThrow(HeadRow::missing);
    }

    /** It may have been promoted meanwhile. */
    private boolean isStandby() throws SQLException {
        return session.first("SELECT pg_is_in_recovery()", row -> row.getBoolean(1))
                .orElse(false);
    }

    /** Cuts the connection, which ends a wait for a notification. */
    @Override
    public void close() {
        try {
            session.connection().abort(Runnable::run);
        } catch (SQLException e) {
            LOG.debug("a connection did not close", e);
        }
    }
}
