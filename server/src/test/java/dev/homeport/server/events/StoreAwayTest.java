package dev.homeport.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestServer;
import dev.homeport.testing.OutsideIn;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** Nothing can be written to where reports and polls are kept: polls are answered, events are taken, and nothing is lost. */
@OutsideIn
class StoreAwayTest {
    private static final List<String> COMPONENTS = List.of("away-a", "away-b", "away-c");
    private static final Duration AWAY = Duration.ofSeconds(3);
    private static final int POLLS = 100;

    @TempDir
    Path folder;

    /** How the store is taken away, and given back. */
    private interface Store {
        void take() throws Exception;

        void give() throws Exception;

        static Store locked(Statement other, String lock) {
            return new Store() {
                @Override
                public void take() throws SQLException {
                    other.execute(lock);
                }

                @Override
                public void give() throws SQLException {
                    other.execute("ROLLBACK");
                }
            };
        }
    }

    @Test
    void theFileIsLocked() throws Exception {
        try (TestServer server = TestServer.in(folder, Map.of("--poll-rate", "0"));
                Connection other = DriverManager.getConnection(
                        "jdbc:sqlite:" + server.data().resolve("observed.db"));
                Statement statement = other.createStatement()) {
            goesOn(server, Store.locked(statement, "BEGIN EXCLUSIVE"));
        }
    }

    @Test
    void theTablesAreLocked() throws Exception {
        try (EmbeddedPostgres postgres = postgres(0);
                TestServer server = on(postgres);
                Connection other = postgres.getPostgresDatabase().getConnection();
                Statement statement = other.createStatement()) {
            goesOn(
                    server,
                    Store.locked(
                            statement,
                            "BEGIN; LOCK TABLE observed.report, observed.poll_seen IN ACCESS EXCLUSIVE MODE"));
        }
    }

    @Test
    void theDatabaseIsStoppedAndStartedAgain() throws Exception {
        EmbeddedPostgres first = postgres(0);
        try (TestServer server = on(first);
                Database database = new Database(first)) {
            goesOn(server, database);
        }
    }

    private final class Database implements Store, AutoCloseable {
        private final int port;
        private EmbeddedPostgres running;

        Database(EmbeddedPostgres running) {
            this.running = running;
            this.port = running.getPort();
        }

        @Override
        public void take() throws IOException {
            running.close();
        }

        @Override
        public void give() throws IOException {
            running = postgres(port);
        }

        @Override
        public void close() throws IOException {
            running.close();
        }
    }

    /** @param port zero: any */
    private EmbeddedPostgres postgres(int port) throws IOException {
        return EmbeddedPostgres.builder()
                .setDataDirectory(folder.resolve("postgres"))
                .setCleanDataDirectory(false)
                .setPort(port)
                .start();
    }

    /** It trusts what it knows for longer than the database is away; what it does later, other tests show. */
    private TestServer on(EmbeddedPostgres postgres) {
        return TestServer.in(
                folder,
                Map.of(
                        "--database-url",
                        "postgresql://postgres:postgres@127.0.0.1:" + postgres.getPort() + "/postgres",
                        "--init",
                        "true",
                        "--freshness-ms",
                        "60000",
                        "--poll-rate",
                        "0"));
    }

    private static void goesOn(TestServer server, Store store) throws Exception {
        Flux flux = Flux.adopt(server, "away", COMPONENTS.toArray(String[]::new));
        String answer = flux.poll();
        List<Future<Integer>> events = new ArrayList<>();
        int polls = 0;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            store.take();
            for (String component : COMPONENTS) {
                ObjectNode event = flux.release(component, "InstallFailed", "1.0.0", answer);
                events.add(threads.submit(() -> flux.post(event).status()));
            }
            long end = System.nanoTime() + AWAY.toNanos();
            // The store comes back behind this loop: a poll that waited for it would never end.
            while (System.nanoTime() < end || polls <= POLLS) {
                flux.poll("namespaces");
                polls++;
                Thread.sleep(5);
            }
            assertThat(state(server))
                    .as("what was reported is known, stored or not")
                    .isEqualTo("failing");
            store.give();
            for (Future<Integer> event : events) {
                assertThat(event.get()).isEqualTo(202);
            }
        }
        server.stop();
        server.startAgain();
        for (String component : COMPONENTS) {
            Await.until(
                    () -> server.admin()
                            .get("/api/v2/clusters/away/delivery")
                            .expect(200)
                            .at("/components/" + component + "/failure/message")
                            .asString(""),
                    message -> message.contains("InstallFailed"));
        }
        assertThat(server.admin()
                        .get("/api/v2/clusters/away/delivery")
                        .expect(200)
                        .at("/types/namespaces/served/digest")
                        .asString(""))
                .as("so are the polls")
                .isNotEmpty();
    }

    private static String state(TestServer server) {
        return server.admin()
                .get("/api/v2/clusters/away/delivery")
                .expect(200)
                .at("/state")
                .asString("");
    }
}
