package dev.homeport.server.ops;

import dev.homeport.server.TestClient;
import dev.homeport.server.TestServer;
import dev.homeport.testing.OutsideIn;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is revoked on one server is soon worth nothing on the others. */
@OutsideIn
class RevocationTest {
    private static final String PATH = "/api/v2/flux/clusters/c1.example.com/namespaces";

    @TempDir
    Path folder;

    @Test
    void aReadOnlyServerRefusesARevokedTokenWithinFiveSeconds() throws InterruptedException {
        try (TestServer writer = TestServer.in(folder)) {
            revoke(writer, () -> TestServer.in(folder, Map.of("--mode", "read-only")));
        }
    }

    /** Another process on another machine, with nothing but the database and the key in common. */
    @Test
    void soDoesOneThatHasNothingButPostgresqlInCommon() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                .setDataDirectory(folder.resolve("postgres"))
                .start()) {
            String url = "postgresql://postgres:postgres@127.0.0.1:" + postgres.getPort() + "/postgres";
            Path there = Files.createDirectories(folder.resolve("reader"));
            try (TestServer writer = TestServer.in(folder, Map.of("--database-url", url, "--init", "true"))) {
                Path key = Files.createDirectories(there.resolve("data")).resolve("master.key");
                Files.copy(writer.data().resolve("master.key"), key);
                revoke(writer, () -> TestServer.in(there, Map.of("--database-url", url, "--mode", "read-only")));
            }
        }
    }

    private static void revoke(TestServer writer, Supplier<TestServer> other) throws InterruptedException {
        writer.admin()
                .post(
                        "/api/v2/clusters",
                        "{\"id\":\"c1\",\"spec\":{\"cluster_name\":\"c1\",\"cluster_dns\":\"c1.example.com\","
                                + "\"environment\":\"dev\",\"owner\":\"x1\"}}")
                .expect(201);
        var made = writer.admin()
                .post("/api/v2/tokens", "{\"spec\":{\"kind\":\"cluster\",\"subject\":\"c1\"}}")
                .expect(201);
        try (TestServer reader = other.get()) {
            TestClient poll = reader.poll(made.at("/token").asString(""));
            await(poll, 200);
            writer.admin()
                    .send("DELETE", "/api/v2/tokens/" + made.at("/id").asString(""), "", Map.of())
                    .expect(200);
            writer.poll(made.at("/token").asString("")).get(PATH).expect(401);
            await(poll, 401);
        }
    }

    private static void await(TestClient poll, int status) throws InterruptedException {
        Instant end = Instant.now().plusSeconds(60);
        while (poll.get(PATH).status() != status && Instant.now().isBefore(end)) {
            Thread.sleep(50);
        }
        poll.get(PATH).expect(status);
    }
}
