package dev.homeport.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.observe.Stranger;
import dev.homeport.server.TestClient;
import dev.homeport.server.TestServer;
import dev.homeport.store.ObservedStore;
import dev.homeport.store.ObservedStores;
import dev.homeport.store.Opening;
import dev.homeport.testing.OutsideIn;
import dev.homeport.testing.Requirement;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Problems that need attention are listed, with their age and what to do. */
@OutsideIn
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FindingsTest {
    private TestServer server;
    private TestClient admin;

    @BeforeAll
    void start(@TempDir Path folder) {
        server = TestServer.in(folder);
        admin = server.admin();
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private JsonNode finding(String kind, String about) {
        JsonNode found = Await.until(() -> look(kind, about), JsonNode::isObject);
        assertThat(found.path("next").asString()).isNotEmpty();
        assertThat(found.path("severity").asString()).isIn("error", "warning", "info");
        assertThat(found.path("age_seconds").isNumber()).isTrue();
        Instant.parse(found.path("since").asString());
        return found;
    }

    private JsonNode look(String kind, String about) {
        for (JsonNode item : admin.get("/api/v2/findings?page_size=1000&kind=" + kind)
                .expect(200)
                .json()
                .path("items")) {
            if (item.path("subject").asString().contains(about)) {
                return item;
            }
        }
        return tools.jackson.databind.node.MissingNode.getInstance();
    }

    private void patch(String path, String spec) {
        TestClient.Answer first = admin.patch(path, "{\"spec\":" + spec + "}");
        if (first.status() == 409) {
            admin.send(
                            "PATCH",
                            path,
                            "{\"spec\":" + spec + "}",
                            Map.of(
                                    "Content-Type",
                                    "application/merge-patch+json",
                                    "Homeport-Confirm",
                                    first.header("Homeport-Confirm")))
                    .expect(200);
        } else {
            first.expect(200);
        }
    }

    @Test
    @Requirement("G7")
    void aClusterThatIsNotOnWhatItWasServedIsListedWithItsAge() throws InterruptedException {
        Flux flux = Flux.adopt(server, "drifting", "drifting");
        flux.post(flux.release("drifting", "InstallSucceeded", "1.0.0", flux.poll()))
                .expect(202);
        Await.until(() -> look("not_applied", "drifting").isMissingNode(), missing -> missing);
        patch("/api/v2/platform-components/drifting", "{\"oci_tag\":\"2.0.0\"}");
        finding("behind", "drifting");
        String second = flux.poll();
        flux.post(flux.heartbeat("drifting", "1.0.0@sha256:abc", second)).expect(202);
        JsonNode first = finding("not_applied", "drifting");
        Await.until(() -> look("behind", "drifting").isMissingNode(), missing -> missing);
        Thread.sleep(1100);
        JsonNode later = finding("not_applied", "drifting");
        assertThat(later.path("age_seconds").asLong())
                .isGreaterThan(first.path("age_seconds").asLong());
        assertThat(later.path("since")).isEqualTo(first.path("since"));
        flux.post(flux.heartbeat("drifting", "2.0.0@sha256:def", second)).expect(202);
        Await.until(() -> look("not_applied", "drifting").isMissingNode(), missing -> missing);
    }

    @Test
    void aClusterThatStopsPollingIsSilentUntilItPollsAgain() {
        Flux flux = Flux.adopt(server, "quiet");
        patch("/api/v2/clusters/quiet", "{\"poll_interval\":\"500ms\"}");
        flux.poll();
        JsonNode silent = finding("silent", "quiet");
        assertThat(silent.path("cluster").asString()).isEqualTo("quiet");
        assertThat(admin.get("/api/v2/clusters/quiet").at("/status/state").asString())
                .isEqualTo("silent");
        patch("/api/v2/clusters/quiet", "{\"poll_interval\":\"10m\"}");
        flux.poll();
        Await.until(
                () -> admin.get("/api/v2/clusters/quiet").at("/status/state").asString(), "in-sync"::equals);
    }

    @Test
    void strangersAtTheDoorAreNoted() {
        server.poll("wrong")
                .get("/api/v2/flux/clusters/stray.example.com/namespaces")
                .expect(401);
        server.poll(server.adminToken())
                .get("/api/v2/flux/clusters/lost.example.com/namespaces")
                .expect(404);
        Flux known = Flux.adopt(server, "forged");
        known.post("{}".getBytes(java.nio.charset.StandardCharsets.UTF_8), "sha256=00")
                .expect(401);
        assertThat(finding("stranger", "stray.example.com").path("detail").asString())
                .contains("wrong token");
        assertThat(finding("stranger", "lost.example.com").path("detail").asString())
                .contains("unknown name");
        assertThat(finding("stranger", Flux.dns("forged")).path("detail").asString())
                .contains("wrong signature");
    }

    @Test
    void anAnswerThatWasNeverGivenIsTold() {
        Flux.adopt(server, "older-copy");
        Instant now = Instant.now();
        try (ObservedStore observed = ObservedStores.sqlite(server.data(), Opening.Mode.FOLLOWER, "a test")) {
            observed.saveStrangers(List.of(
                    new Stranger("older-copy", "127.0.0.1", Stranger.UNKNOWN_ANSWER, now, now, 3),
                    new Stranger("polled.example.com", "127.0.0.1", Stranger.IN_QUARANTINE, now, now, 3)));
        }
        JsonNode found = finding("unknown_answer", "older-copy");
        assertThat(found.path("detail").asString()).contains("3 times");
        assertThat(found.path("cluster").asString()).isEqualTo("older-copy");
        assertThat(look("stranger", "older-copy").isMissingNode()).isTrue();
        assertThat(look("stranger", "polled.example.com").isMissingNode()).isTrue();
    }

    @Test
    void twoThatShareATokenAreTold() throws Exception {
        Flux flux = Flux.adopt(server, "twins");
        URI uri =
                URI.create(server.poll("").base() + "/api/v2/flux/clusters/" + Flux.dns("twins") + "/sets/namespaces");
        for (String address : new String[] {"127.0.0.1", "127.0.0.2", "127.0.0.1", "127.0.0.2"}) {
            try (HttpClient client = HttpClient.newBuilder()
                    .localAddress(InetAddress.getByName(address))
                    .build()) {
                HttpRequest request = HttpRequest.newBuilder(uri)
                        .header("Authorization", "Bearer " + flux.token())
                        .build();
                assertThat(client.send(request, HttpResponse.BodyHandlers.discarding())
                                .statusCode())
                        .isEqualTo(200);
            }
        }
        assertThat(finding("two_addresses", "twins").path("detail").asString()).contains("127.0.0.1", "127.0.0.2");
    }

    @Test
    void whatRunsOutIsToldBefore() {
        Flux.adopt(server, "full", "full-1", "full-2", "full-3", "full-4");
        patch("/api/v2/clusters/full", "{\"input_limit\":5}");
        assertThat(finding("near_limit", "full").path("detail").asString()).contains("80 %");
        String soon = Instant.now().plus(Duration.ofDays(3)).toString();
        admin.post(
                        "/api/v2/tokens",
                        "{\"spec\":{\"kind\":\"cluster\",\"subject\":\"full\",\"expires_at\":\"" + soon + "\"}}")
                .expect(201);
        assertThat(admin.get("/api/v2/findings?kind=token_expires&cluster=full")
                        .expect(200)
                        .at("/total")
                        .asInt())
                .isEqualTo(1);
    }

    @Test
    void debtsAreListedAndPagesFollowEachOther() {
        for (int i = 0; i < 5; i++) {
            admin.post("/clusters", """
                            {"id": "debt-I", "cluster_name": "debt-I", "cluster_dns": "debt-I.example.com",
                             "environment": "dev"}""".replace("I", Integer.toString(i))).expect(200);
        }
        JsonNode first = admin.get("/api/v2/findings?kind=debt_no_owner&page_size=2")
                .expect(200)
                .json();
        assertThat(first.path("total").asInt()).isEqualTo(5);
        assertThat(first.at("/counts/debt_no_owner").asInt()).isEqualTo(5);
        assertThat(first.path("items")).hasSize(2);
        JsonNode second = admin.get("/api/v2/findings?kind=debt_no_owner&page_size=2&page_token="
                        + first.path("next_page_token").asString())
                .expect(200)
                .json();
        assertThat(second.at("/items/0/cluster").asString()).isEqualTo("debt-2");
        admin.get("/api/v2/findings?kind=none-such").expect(422);
        admin.get("/api/v2/findings?severity=fatal").expect(422);
        server.admin("").get("/api/v2/findings").expect(401);
    }
}
