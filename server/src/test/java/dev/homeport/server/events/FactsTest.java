package dev.homeport.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestServer;
import dev.homeport.testing.OutsideIn;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Clusters say which versions they run, and people are shown that with its source. */
@OutsideIn
class FactsTest {
    @TempDir
    static Path folder;

    private static TestServer server;

    @BeforeAll
    static void start() {
        server = TestServer.in(folder);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static JsonNode facts(String cluster) {
        return server.admin()
                .get("/api/v2/clusters/" + cluster + "/delivery")
                .expect(200)
                .at("/facts");
    }

    private static JsonNode status(String cluster) {
        return server.admin().get("/api/v2/clusters/" + cluster).expect(200).at("/status");
    }

    private static List<JsonNode> findings(String kind, String cluster) {
        return server.admin()
                .get("/api/v2/findings?kind=" + kind + "&cluster=" + cluster)
                .expect(200)
                .at("/items")
                .valueStream()
                .toList();
    }

    private static Flux talking(String cluster) {
        Flux flux = Flux.adopt(server, cluster, cluster + "-app");
        flux.poll();
        flux.post(flux.witness("type/namespaces", "ResourceSet", "True", "", ""))
                .expect(202);
        return flux;
    }

    @Test
    void versionsAreShownWithTheirSourceAndTime() {
        Flux flux = talking("told");
        assertThat(facts("told").path("current").asBoolean(true)).isFalse();
        assertThat(facts("told").path("reason").asString("")).isEqualTo("the cluster has not answered yet");
        assertThat(facts("told").has("kubernetes_version")).isFalse();
        flux.post(flux.facts("v1.34.2+k0s.0", "v2.7.1")).expect(202);
        JsonNode facts = facts("told");
        assertThat(facts.path("current").asBoolean(false)).isTrue();
        assertThat(facts.at("/kubernetes_version/value").asString("")).isEqualTo("v1.34.2+k0s.0");
        assertThat(facts.at("/kubernetes_version/source").asString("")).isEqualTo("witness");
        assertThat(Instant.parse(facts.at("/kubernetes_version/at").asString("")))
                .isBefore(Instant.now().plusSeconds(2));
        assertThat(facts.at("/platform/value").asString("")).isEqualTo("linux/amd64");
        assertThat(facts.at("/flux_version/value").asString("")).isEqualTo("v2.7.1");
        assertThat(facts.at("/flux_operator_version/value").asString("")).isEqualTo("v0.58.1");
        assertThat(status("told").path("kubernetes_version").asString("")).isEqualTo("v1.34.2+k0s.0");
        assertThat(status("told").path("flux_version").asString("")).isEqualTo("v2.7.1");
        Await.until(
                () -> server.admin()
                        .get("/api/v2/clusters?filter=status.flux_version%20%3D%20%22v2.7.1%22")
                        .expect(200)
                        .at("/items/0/id")
                        .asString(""),
                "told"::equals);
    }

    @Test
    void aNewVersionReplacesTheOld() {
        Flux flux = talking("upgraded");
        flux.post(flux.facts("v1.33.1", "v2.7.0")).expect(202);
        String before = flux.witnesses().path("digest").asString();
        flux.post(Flux.at(flux.facts("v1.34.1", "v2.7.0"), Instant.now().plusSeconds(2)))
                .expect(202);
        assertThat(facts("upgraded").at("/kubernetes_version/value").asString(""))
                .isEqualTo("v1.34.1");
        assertThat(flux.witnesses().path("digest").asString())
                .as("the cluster is asked with what it said")
                .isNotEqualTo(before);
    }

    @Test
    void aClusterWithoutReportSaysSo() {
        Flux flux = talking("bare");
        flux.pollAs("flux-operator/v0.57.0");
        flux.post(flux.absent("facts")).expect(202);
        JsonNode facts = facts("bare");
        assertThat(facts.path("current").asBoolean(true)).isFalse();
        assertThat(facts.path("reason").asString("")).contains("FluxReport");
        assertThat(facts.has("kubernetes_version")).isFalse();
        assertThat(facts.at("/flux_operator_version/value").asString("")).isEqualTo("v0.57.0");
        assertThat(facts.at("/flux_operator_version/source").asString("")).isEqualTo("poll");
    }

    @Test
    void anotherVersionThanDeclaredIsAFinding() {
        Flux flux = talking("declared");
        flux.post(flux.facts("v1.33.4", "v2.7.0")).expect(202);
        server.admin()
                .send(
                        "PATCH",
                        "/api/v2/clusters/declared",
                        "{\"spec\":{\"kubernetes_version\":\"1.34\"}}",
                        Map.of("Content-Type", "application/merge-patch+json"))
                .expect(200);
        JsonNode finding = Await.until(() -> findings("kubernetes_version", "declared"), found -> found.size() == 1)
                .getFirst();
        assertThat(finding.path("detail").asString(""))
                .isEqualTo("it runs Kubernetes v1.33.4, and its document declares 1.34");
        assertThat(finding.path("source").asString("")).isEqualTo("witness");
        flux.post(Flux.at(flux.facts("v1.34.0", "v2.7.0"), Instant.now().plusSeconds(2)))
                .expect(202);
        Await.until(() -> findings("kubernetes_version", "declared"), List::isEmpty);
    }

    @Test
    void aFluxThatIsNoLongerSupportedIsAFinding() {
        Flux old = talking("old-flux");
        Flux recent = talking("recent-flux");
        old.post(old.facts("v1.34.1", "v2.5.1")).expect(202);
        recent.post(recent.facts("v1.34.1", "v2.8.0")).expect(202);
        JsonNode finding = Await.until(() -> findings("flux_version", "old-flux"), found -> found.size() == 1)
                .getFirst();
        assertThat(finding.path("detail").asString("")).contains("v2.5.1").contains("v2.8.0");
        assertThat(findings("flux_version", "recent-flux")).isEmpty();
    }

    @Test
    void whatIsSwitchedOffIsNotCurrent(@TempDir Path own) {
        try (TestServer off = TestServer.in(own)) {
            Flux flux = Flux.adopt(off, "quiet", "quiet-app");
            flux.poll();
            flux.post(flux.witness("type/namespaces", "ResourceSet", "True", "", ""))
                    .expect(202);
            flux.post(flux.facts("v1.34.1", "v2.7.0")).expect(202);
            off.admin()
                    .send(
                            "PATCH",
                            "/api/v2/settings/fleet",
                            "{\"spec\":{\"witnesses\":false}}",
                            Map.of("Content-Type", "application/merge-patch+json"))
                    .expect(200);
            JsonNode facts = off.admin()
                    .get("/api/v2/clusters/quiet/delivery")
                    .expect(200)
                    .at("/facts");
            assertThat(facts.path("current").asBoolean(true)).isFalse();
            assertThat(facts.path("reason").asString("")).contains("witnesses are off");
            assertThat(facts.at("/kubernetes_version/value").asString("")).isEqualTo("v1.34.1");
        }
    }
}
