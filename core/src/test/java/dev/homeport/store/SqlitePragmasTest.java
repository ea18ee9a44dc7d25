package dev.homeport.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** A connection that writes to the log waits for the disk. */
class SqlitePragmasTest {
    private static final int FULL = 2;

    @Test
    void everyConnectionThatWritesTheLogWaitsForTheDisk() throws SQLException {
        try (SqliteBackend backend = SqliteBackend.fresh()) {
            backend.openWriter().close();
            SqliteConnector connector = new SqliteConnector(backend.directory().resolve(SqliteDirectory.DATABASE));
            for (Connections.Opener opener : new Connections.Opener[] {connector::writer, connector::operator}) {
                try (Session session = opener.open()) {
                    assertThat(pragma(session, "synchronous")).isEqualTo(Integer.toString(FULL));
                    assertThat(pragma(session, "journal_mode")).isEqualTo("wal");
                }
            }
            try (Session session = connector.writer()) {
                assertThat(pragma(session, "foreign_keys")).isEqualTo("1");
                assertThat(pragma(session, "secure_delete")).isEqualTo("1");
            }
        }
    }

    private static String pragma(Session session, String name) throws SQLException {
        return session.first("PRAGMA " + name, row -> row.getString(1)).orElseThrow();
    }
}
