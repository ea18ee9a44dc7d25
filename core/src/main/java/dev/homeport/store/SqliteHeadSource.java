package dev.homeport.store;

import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks for PRAGMA data_version, which costs next to nothing and changes when another connection has committed. */
final class SqliteHeadSource implements HeadWatch.Source {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteHeadSource.class);
    private static final long POLL_MILLIS = 200;

    private final Session session;
    private long version = -1;
    private long revision;

    SqliteHeadSource(Session session) {
        this.session = session;
    }

    @Override
    public long next() throws SQLException, InterruptedException {
        if (version >= 0) {
            Thread.sleep(POLL_MILLIS);
        }
        long now = session.first("PRAGMA data_version", row -> row.getLong(1)).orElseThrow();
        if (now != version) {
            revision = session.first("SELECT revision FROM head", row -> row.getLong(1))
                    .orElseThrow(HeadRow::missing);
            version = now;
        }
        return revision;
    }

    @Override
    public void close() {
        try {
            session.close();
        } catch (SQLException e) {
            LOG.debug("a connection did not close", e);
        }
    }
}
