package dev.homeport.store;

import static dev.homeport.observe.PollLog.From.OTHERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.homeport.change.StoreUnavailable;
import dev.homeport.observe.Observations;
import dev.homeport.observe.ObservedPoll;
import dev.homeport.observe.TokenUse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Instant;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

class SqliteObservedTest extends ObservedContract {
    @TempDir
    private Path directory;

    @Override
    Observations open(Opening.Mode mode) {
        return ObservedStores.sqlite(directory, mode, newName());
    }

    @Test
    void aFollowerMakesNoFile() {
        Path empty = directory.resolve("elsewhere");
        assertThatThrownBy(() -> ObservedStores.sqlite(empty, Opening.Mode.FOLLOWER, newName()))
                .isInstanceOf(StoreUnavailable.class);
        assertThat(empty).doesNotExist();
    }

    /** An installation of before V5 keeps what it saw. */
    @Test
    void rowsOfTheTablesBeforeAreKept() throws Exception {
        Path old = Files.createDirectory(directory.resolve("old"));
        SQLiteDataSource source = new SqliteConnector(old.resolve(ObservedStores.DATABASE)).source();
        Flyway.configure()
                .loggers(FlywayLog.class.getName())
                .locations("classpath:dev/homeport/store/sqlite-observed")
                .target("4")
                .dataSource(source)
                .load()
                .migrate();
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("""
                    INSERT INTO poll_seen (cluster, type, last_at, digest, revision, status, shape, operator_version,
                        address, digest_since, observer)
                    VALUES ('c1', 'namespaces', 2000000, 'd', 7, 200, 'set', 'flux-operator/v1', '192.0.2.1', 1000000,
                        'somebody')
                    """);
            statement.execute("INSERT INTO token_used (token, last_at, observer) VALUES ('t1', 3000000, '')");
        }
        try (Observations now = ObservedStores.sqlite(old, Opening.Mode.WRITER, newName())) {
            assertThat(now.since(Instant.EPOCH, OTHERS))
                    .containsExactly(new ObservedPoll(
                            "c1",
                            "namespaces",
                            Instant.ofEpochSecond(2),
                            Instant.ofEpochSecond(1),
                            200,
                            "d",
                            7,
                            "set",
                            "flux-operator/v1",
                            "192.0.2.1"));
            assertThat(now.tokensUsedSince(Instant.EPOCH, OTHERS))
                    .containsExactly(new TokenUse("t1", Instant.ofEpochSecond(3)));
        }
    }
}
