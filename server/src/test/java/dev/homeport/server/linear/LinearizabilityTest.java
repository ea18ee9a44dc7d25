package dev.homeport.server.linear;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestClient;
import dev.homeport.server.TestServer;
import dev.homeport.server.ops.ServerProcess;
import dev.homeport.testing.OutsideIn;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Concurrent clients of the document API are answered as by one copy of each document, changed by one client at a time. */
@OutsideIn
class LinearizabilityTest {
    private static final int CLIENTS = 6;
    private static final int OPERATIONS = 25;
    private static final int DOCUMENTS = 3;

    @TempDir
    Path folder;

    private static int histories(int quick, int normal, int asLong) {
        return switch (System.getProperty("homeport.depth", "normal")) {
            case "quick" -> quick;
            case "long" -> asLong;
            default -> normal;
        };
    }

    @Test
    void oneServerOnSqlite() throws Exception {
        try (TestServer server = TestServer.in(folder)) {
            for (int i = 0; i < histories(2, 6, 200); i++) {
                ConcurrentClients clients = new ConcurrentClients(List.of(server::admin), "h" + i + "-", DOCUMENTS);
                List<DocumentOperation> history = clients.run(CLIENTS, OPERATIONS, i);
                assertThat(LinearizabilityChecker.fault(history))
                        .as("seed %s", i)
                        .isEmpty();
                assertThat(clients.answered()).isEqualTo(CLIENTS * OPERATIONS);
            }
        }
    }

    /** What a killed server had not answered may be there afterwards or not; what it had answered is. */
    @Test
    @Tag("slow")
    void aServerThatIsKilledInBetween() throws Exception {
        Path data = folder.resolve("killed");
        ServerProcess first = ServerProcess.serve(data);
        String token = token(first);
        AtomicReference<ServerProcess> now = new AtomicReference<>(first);
        try {
            for (int i = 0; i < histories(1, 2, 40); i++) {
                ConcurrentClients clients = new ConcurrentClients(
                        List.of(() -> new TestClient(now.get().admin(), token)), "k" + i + "-", DOCUMENTS);
                CompletableFuture<Void> kill = CompletableFuture.runAsync(() -> killAndRestart(clients, now, data));
                List<DocumentOperation> history = clients.run(CLIENTS, 60, i);
                kill.get();
                assertThat(LinearizabilityChecker.fault(history))
                        .as("seed %s", i)
                        .isEmpty();
                assertThat(clients.answered()).isPositive();
            }
        } finally {
            now.get().close();
        }
    }

    private static void killAndRestart(ConcurrentClients clients, AtomicReference<ServerProcess> now, Path data) {
        try {
            while (clients.answered() < 40) {
                Thread.sleep(1);
            }
            now.get().close();
            now.get().awaitExit();
            now.set(ServerProcess.serve(data));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static String token(ServerProcess server) {
        return server.lines().stream()
                .filter(line -> line.startsWith("admin token"))
                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .findFirst()
                .orElseThrow();
    }

    /**
     * Two servers that both write: whichever takes a write decides on the newest state. A get is answered from memory, which may
     * be behind by the freshness bound where another server has written, so gets are left out here.
     */
    @Test
    void twoServersOnPostgres() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                .setDataDirectory(folder.resolve("postgres"))
                .start()) {
            String url = "postgresql://postgres:postgres@127.0.0.1:" + postgres.getPort() + "/postgres";
            Path other = Files.createDirectories(folder.resolve("other/data"));
            try (TestServer one = TestServer.in(folder, Map.of("--database-url", url, "--init", "true"))) {
                Files.copy(folder.resolve("data/master.key"), other.resolve("master.key"));
                try (TestServer two = TestServer.in(folder.resolve("other"), Map.of("--database-url", url))) {
                    for (int i = 0; i < histories(2, 5, 200); i++) {
                        ConcurrentClients clients = new ConcurrentClients(
                                List.of(one::admin, () -> two.admin(one.adminToken())), "p" + i + "-", DOCUMENTS);
                        List<DocumentOperation> history = clients.run(CLIENTS, OPERATIONS, i);
                        assertThat(LinearizabilityChecker.fault(history.stream()
                                        .filter(operation -> operation.kind() != DocumentOperation.Kind.GET)
                                        .toList()))
                                .as("seed %s", i)
                                .isEmpty();
                        everySeenValueWasWritten(history);
                    }
                }
            }
        }
    }

    private static void everySeenValueWasWritten(List<DocumentOperation> history) {
        List<String> written = history.stream()
                .filter(operation -> operation.value() != null)
                .map(DocumentOperation::value)
                .toList();
        assertThat(history)
                .filteredOn(operation -> operation.seen() != null)
                .allSatisfy(operation -> assertThat(written).contains(operation.seen()));
    }
}
