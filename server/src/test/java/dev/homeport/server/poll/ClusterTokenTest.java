package dev.homeport.server.poll;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestClient;
import dev.homeport.server.TestServer;
import dev.homeport.testing.OutsideIn;
import dev.homeport.testing.Requirement;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a cluster's own token opens, and how often. */
@OutsideIn
class ClusterTokenTest {
    @TempDir
    Path folder;

    private TestServer server;
    private String token;

    @BeforeEach
    void start() {
        server = TestServer.in(folder, Map.of("--poll-rate", "2"));
        for (String id : List.of("mine", "mine2", "theirs")) {
            server.admin()
                    .post(
                            "/clusters",
                            "{\"id\": \"" + id + "\", \"cluster_name\": \"" + id + "\", \"cluster_dns\": \"" + id
                                    + ".example.com\", \"environment\": \"dev\"}")
                    .expect(200);
        }
        token = token("mine");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String token(String cluster) {
        String made = server.admin()
                .post("/api/v2/tokens", "{\"spec\": {\"kind\": \"cluster\", \"subject\": \"" + cluster + "\"}}")
                .expect(201)
                .text();
        return made.replaceAll("(?s).*\"(hpc_[A-Za-z0-9_]+)\".*", "$1");
    }

    private static String path(String cluster) {
        return "/api/v2/flux/clusters/" + cluster + ".example.com/namespaces";
    }

    @Test
    @Requirement("E2")
    void anotherClustersPathLooksLikeAnUnknownOne() {
        TestClient client = server.poll(token);
        client.get(path("mine")).expect(200);
        TestClient.Answer foreign = client.get(path("theirs")).expect(404);
        TestClient.Answer unknown = client.get(path("nobody")).expect(404);
        assertThat(foreign.text()).isEqualTo(unknown.text());
        // Both are there: neither an id that begins with the token's, nor one that the token's begins with, is its own.
        TestClient longer = server.poll(token("mine2"));
        longer.get(path("mine2")).expect(200);
        assertThat(client.get(path("mine2")).expect(404).text()).isEqualTo(unknown.text());
        assertThat(longer.get(path("mine")).expect(404).text()).isEqualTo(unknown.text());
    }

    @Test
    @Requirement("E4")
    void itReadsNothingOfTheAdminPlaneAndWritesNothing() {
        TestClient client = server.admin(token);
        client.get("/api/v2/flux/clusters").expect(403);
        client.get("/api/v2/clusters").expect(403);
        client.get("/clusters").expect(403);
        client.get("/metrics").expect(403);
        client.post("/namespaces", "{\"id\": \"x\"}").expect(401);
        client.post("/api/v2/namespaces", "{\"spec\": {\"id\": \"x\"}}").expect(403);
        server.admin().get("/namespaces/x").expect(404);
    }

    @Test
    void oneTokenThatPollsTooOftenIsToldSoAndOthersAreNot() {
        Set<Integer> seen = new HashSet<>();
        for (int i = 0; i < 40; i++) {
            seen.add(server.poll(token).get(path("mine")).status());
        }
        assertThat(seen).containsExactlyInAnyOrder(200, 429);
        server.poll(token("theirs")).get(path("theirs")).expect(200);
        for (int i = 0; i < 40; i++) {
            server.poll(server.adminToken()).get(path("mine")).expect(200);
        }
    }

    @Test
    void aQueryThatCannotBeReadIsTheCallersFault() throws Exception {
        var address = server.running().poll().orElseThrow();
        try (Socket socket = new Socket(address.host(), address.port())) {
            socket.getOutputStream()
                    .write(("GET /api/v2/flux/clusters?label_selector=%zz HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
                                    + server.adminToken() + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 400 ");
        }
    }

    @Test
    void whoeverGuessesIsStoppedAndHonestNeighboursAreNot() {
        int refused = 0;
        for (int i = 0; i < 70; i++) {
            int status = server.poll("guess-" + i).get(path("mine")).status();
            assertThat(status).isIn(401, 429);
            refused += status == 429 ? 1 : 0;
        }
        assertThat(refused).isBetween(10, 25);
        server.poll(token).get(path("mine")).expect(200);
        // One more is allowed every now and then, so not of each guess can it be said.
        assertThat(List.of(1, 2, 3))
                .extracting(i -> server.admin("guess").get("/clusters").status())
                .contains(429);
        server.admin().get("/clusters").expect(200);
    }
}
