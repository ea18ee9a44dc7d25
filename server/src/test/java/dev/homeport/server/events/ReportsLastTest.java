package dev.homeport.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestServer;
import dev.homeport.server.storage.MasterKeyFile;
import dev.homeport.testing.OutsideIn;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was reported survives restarts on each store, and processes beside one store know the same. */
@OutsideIn
class ReportsLastTest {
    @TempDir
    Path folder;

    @Test
    void inTheEmbeddedStore() {
        try (TestServer server = TestServer.in(folder)) {
            survives(server);
        }
    }

    @Test
    void inPostgresqlAndSeenByAllBesideIt() throws IOException {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                .setDataDirectory(folder.resolve("postgres"))
                .start()) {
            String url = "postgresql://postgres:postgres@127.0.0.1:" + postgres.getPort() + "/postgres";
            try (TestServer crud = TestServer.in(folder, Map.of("--database-url", url, "--init", "true"))) {
                survives(crud);
                Path own = Files.createDirectories(folder.resolve("replica/data"));
                Files.copy(crud.data().resolve(MasterKeyFile.NAME), own.resolve(MasterKeyFile.NAME));
                try (TestServer replica = TestServer.in(
                        folder.resolve("replica"), Map.of("--database-url", url, "--mode", "read-only"))) {
                    beside(crud, replica);
                }
            }
        }
    }

    private static void survives(TestServer server) {
        Flux flux = Flux.adopt(server, "stays", "stays");
        flux.post(flux.release("stays", "InstallFailed", "1.0.0\u0000", flux.poll())
                        .put("message", "no\u0000 luck"))
                .expect(202);
        assertThat(state(server, "stays")).isEqualTo("failing");
        server.stop();
        server.startAgain();
        Await.until(() -> state(server, "stays"), "failing"::equals);
        Flux again = flux.at(server.poll("").base());
        again.post(again.release("stays", "InstallSucceeded", "1.0.0", again.poll()))
                .expect(202);
        assertThat(state(server, "stays")).isEqualTo("in-sync");
    }

    /** The cluster talks to the process that only reads. */
    private static void beside(TestServer crud, TestServer replica) {
        Flux flux = Flux.adopt(crud, "beside", "beside").at(replica.poll("").base());
        Await.until(
                () -> flux.client()
                        .get("/api/v2/flux/clusters/" + Flux.dns("beside") + "/namespaces")
                        .status(),
                status -> status == 200);
        String answer = flux.poll();
        flux.post(flux.release("beside", "InstallSucceeded", "1.0.0", answer)).expect(202);
        Await.until(() -> state(crud, "beside"), "in-sync"::equals);
        flux.post(Flux.at(
                        flux.release("beside", "UpgradeFailed", "1.0.0", answer),
                        Instant.now().plusSeconds(2)))
                .expect(202);
        Await.until(() -> state(crud, "beside"), "failing"::equals);
        String mine = "homeport_clusters{environment=\"dev\",state=\"failing\"} 1.0";
        Await.until(() -> crud.admin().get("/metrics").expect(200).text(), text -> text.contains(mine));
        Await.until(
                () -> replica.poll(crud.adminToken())
                        .get("/metrics")
                        .expect(200)
                        .text(),
                text -> text.contains(mine));
    }

    private static String state(TestServer server, String cluster) {
        return server.admin()
                .get("/api/v2/clusters/" + cluster + "/delivery")
                .expect(200)
                .at("/state")
                .asString("");
    }
}
