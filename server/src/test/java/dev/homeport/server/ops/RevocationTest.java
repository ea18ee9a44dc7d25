package dev.homeport.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestClient;
import dev.homeport.server.TestServer;
import dev.homeport.testing.OutsideIn;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is revoked on one server is soon worth nothing on the others. */
@OutsideIn
class RevocationTest {
    private static final Duration EVERYWHERE = Duration.ofSeconds(5);
    private static final String PATH = "/api/v2/flux/clusters/c1.example.com/namespaces";

    @TempDir
    Path folder;

    @Test
    void aReadOnlyServerRefusesARevokedTokenWithinFiveSeconds() throws InterruptedException {
        try (TestServer writer = TestServer.in(folder)) {
            writer.admin()
                    .post(
                            "/api/v2/clusters",
                            "{\"id\":\"c1\",\"spec\":{\"cluster_name\":\"c1\",\"cluster_dns\":\"c1.example.com\","
                                    + "\"environment\":\"dev\",\"owner\":\"x1\"}}")
                    .expect(201);
            var made = writer.admin()
                    .post("/api/v2/tokens", "{\"spec\":{\"kind\":\"cluster\",\"subject\":\"c1\"}}")
                    .expect(201);
            try (TestServer reader = TestServer.in(folder, Map.of("--mode", "read-only"))) {
                TestClient poll = reader.poll(made.at("/token").asString(""));
                await(poll, 200);
                writer.admin()
                        .send("DELETE", "/api/v2/tokens/" + made.at("/id").asString(""), "", Map.of())
                        .expect(200);
                Instant revoked = Instant.now();
                writer.poll(made.at("/token").asString("")).get(PATH).expect(401);
                await(poll, 401);
                assertThat(Duration.between(revoked, Instant.now())).isLessThan(EVERYWHERE);
            }
        }
    }

    private static void await(TestClient poll, int status) throws InterruptedException {
        Instant end = Instant.now().plusSeconds(20);
        while (poll.get(PATH).status() != status && Instant.now().isBefore(end)) {
            Thread.sleep(50);
        }
        poll.get(PATH).expect(status);
    }
}
