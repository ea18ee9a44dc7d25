package dev.homeport.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestClient;
import dev.homeport.server.TestServer;
import dev.homeport.server.stream.EventReader;
import dev.homeport.testing.OutsideIn;
import dev.homeport.testing.Requirement;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** From a cluster's desired state to what it reports as running, seen from outside. */
@OutsideIn
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeliveryTest {
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

    private JsonNode delivery(String cluster) {
        return admin.get("/api/v2/clusters/" + cluster + "/delivery")
                .expect(200)
                .json();
    }

    private String state(String cluster) {
        return delivery(cluster).path("state").asString("");
    }

    private void change(String path, String spec) {
        confirmed("PATCH", path, "{\"spec\":" + spec + "}", Map.of("Content-Type", "application/merge-patch+json"))
                .expect(200);
    }

    private TestClient.Answer confirmed(String method, String path, String body, Map<String, String> headers) {
        TestClient.Answer first = admin.send(method, path, body, headers);
        if (first.status() != 409 || first.header("Homeport-Confirm").isEmpty()) {
            return first;
        }
        Map<String, String> again = new java.util.TreeMap<>(headers);
        again.put("Homeport-Confirm", first.header("Homeport-Confirm"));
        return admin.send(method, path, body, again);
    }

    @Test
    void aReleaseIsFollowedFromTheWishToHealth() {
        Flux flux = Flux.adopt(server, "follow", "follow");
        assertThat(state("follow")).isEqualTo("new");
        String first = flux.poll();
        assertThat(state("follow")).isEqualTo("applying");
        assertThat(delivery("follow").path("reporting").asBoolean()).isFalse();
        flux.post(flux.release("follow", "InstallSucceeded", "1.0.0+0123456789ab", first))
                .expect(202);
        JsonNode receipt = delivery("follow");
        assertThat(receipt.path("state").asString()).isEqualTo("in-sync");
        JsonNode component = receipt.at("/components/follow");
        assertThat(component.at("/healthy/digest")).isEqualTo(component.at("/desired/digest"));
        assertThat(component.at("/healthy/version").asString()).isEqualTo("1.0.0+0123456789ab");
        assertThat(receipt.at("/types/platform-components/served/digest").asString())
                .isEqualTo(first);

        change("/api/v2/platform-components/follow", "{\"oci_tag\":\"2.0.0\"}");
        assertThat(state("follow")).isEqualTo("pending");
        String second = flux.poll();
        assertThat(state("follow")).isEqualTo("applying");
        // The annotation is new, but what runs is the old chart.
        flux.post(flux.heartbeat("follow", "1.0.0@sha256:abc", second)).expect(202);
        assertThat(state("follow")).isEqualTo("applying");
        flux.post(flux.release("follow", "UpgradeFailed", "2.0.0+0123456789ab", second))
                .expect(202);
        assertThat(state("follow")).isEqualTo("failing");
        assertThat(delivery("follow").at("/components/follow/failure/message").asString())
                .contains("UpgradeFailed");
        flux.post(flux.release("follow", "RollbackSucceeded", "1.0.0+0123456789ab", second))
                .expect(202);
        assertThat(state("follow")).isEqualTo("failing");
        flux.post(flux.release("follow", "UpgradeSucceeded", "2.0.0+0123456789ab", second))
                .expect(202);
        assertThat(state("follow")).isEqualTo("in-sync");
    }

    /** A client that has just seen the poll must not be shown the state before it. */
    @Test
    void aClusterIsShownAsOfNow() {
        Flux flux = Flux.adopt(server, "shown", "shown");
        assertThat(shown("shown").path("state").asString()).isEqualTo("new");
        for (int poll = 0; poll < 20; poll++) {
            Instant before = Instant.now();
            flux.pollAs("flux-operator/v0.30." + poll);
            JsonNode status = shown("shown");
            assertThat(status.path("state").asString()).isEqualTo("applying");
            assertThat(status.path("flux_operator_version").asString()).isEqualTo("v0.30." + poll);
            assertThat(Instant.parse(status.path("last_polled_at").asString())).isAfterOrEqualTo(before);
            assertThat(Instant.parse(listed("shown").path("last_polled_at").asString()))
                    .isAfterOrEqualTo(before);
        }
        Await.until(() -> listed("shown").path("flux_operator_version").asString(""), "v0.30.19"::equals);
    }

    private JsonNode shown(String cluster) {
        return admin.get("/api/v2/clusters/" + cluster).expect(200).at("/status");
    }

    private JsonNode listed(String cluster) {
        return admin.get("/api/v2/clusters?filter=id%3D" + cluster).expect(200).at("/items/0/status");
    }

    @Test
    void changedValuesCountAlthoughTheVersionStays() {
        Flux flux = Flux.adopt(server, "values", "values", "bystander");
        String first = flux.poll();
        flux.post(flux.release("values", "InstallSucceeded", "1.0.0", first)).expect(202);
        flux.post(flux.release("bystander", "InstallSucceeded", "1.0.0", first)).expect(202);
        assertThat(state("values")).isEqualTo("in-sync");
        change("/api/v2/clusters/values", "{\"patches\":{\"values\":{\"replicas\":3}}}");
        String second = flux.poll();
        assertThat(delivery("values").at("/components/bystander").has("healthy"))
                .isTrue();
        assertThat(delivery("values").at("/components/values").has("healthy")).isFalse();
        flux.post(flux.heartbeat("values", "1.0.0@sha256:abc", first)).expect(202);
        assertThat(state("values")).isEqualTo("applying");
        flux.post(flux.release("values", "UpgradeSucceeded", "1.0.0", second)).expect(202);
        assertThat(state("values")).isEqualTo("in-sync");
    }

    @Test
    void aRecoveryWithoutAnEventIsFoundByTheNextReport() {
        Flux flux = Flux.adopt(server, "reverted", "reverted");
        String first = flux.poll();
        Instant now = Instant.now();
        flux.post(Flux.at(flux.release("reverted", "InstallSucceeded", "1.0.0", first), now.minusSeconds(60)))
                .expect(202);
        change("/api/v2/clusters/reverted", "{\"patches\":{\"reverted\":{\"image\":\"none\"}}}");
        String second = flux.poll();
        flux.post(Flux.at(flux.release("reverted", "UpgradeFailed", "1.0.0", second), now.minusSeconds(30)))
                .expect(202);
        assertThat(state("reverted")).isEqualTo("failing");
        change("/api/v2/clusters/reverted", "{\"patches\":null}");
        assertThat(state("reverted")).isEqualTo("failing");
        assertThat(flux.poll()).isEqualTo(first);
        assertThat(state("reverted")).isEqualTo("applying");
        flux.post(flux.heartbeat("reverted", "1.0.0@sha256:abc", first)).expect(202);
        assertThat(state("reverted")).isEqualTo("in-sync");
    }

    @Test
    void lateAndRepeatedEventsChangeNothing() {
        Flux flux = Flux.adopt(server, "late", "late");
        String answer = flux.poll();
        Instant now = Instant.now();
        ObjectNode failed = Flux.at(flux.release("late", "InstallFailed", "1.0.0", answer), now.minusSeconds(120));
        ObjectNode worked = Flux.at(flux.release("late", "InstallSucceeded", "1.0.0", answer), now.minusSeconds(60));
        flux.post(worked).expect(202);
        flux.post(failed).expect(202);
        flux.post(failed).expect(202);
        assertThat(state("late")).isEqualTo("in-sync");
    }

    @Test
    void statesAreFilteredCountedAndStreamed() throws Exception {
        Flux flux = Flux.adopt(server, "seen", "seen");
        flux.poll();
        Await.until(
                () -> admin.get("/api/v2/clusters?filter=state:applying")
                        .expect(200)
                        .text(),
                page -> page.contains("\"id\":\"seen\""));
        try (EventReader stream = new EventReader(admin, "/api/v2/stream", "")) {
            stream.next(10);
            flux.post(flux.release("seen", "InstallFailed", "1.0.0", "")).expect(202);
            Map<String, String> event = stream.next(10);
            while (!event.getOrDefault("data", "").contains("\"cluster\":\"seen\"")) {
                event = stream.next(10);
            }
            assertThat(event.get("event")).isEqualTo("state");
            assertThat(event.get("data")).contains("\"state\":\"failing\"", "\"was\":\"applying\"");
        }
        for (String filter :
                List.of("state:failing", "state = failing", "status.state=%22failing%22", "state%20in%20(failing)")) {
            JsonNode page = admin.get("/api/v2/clusters?facets=state&filter=" + filter.replace(" ", "%20"))
                    .expect(200)
                    .json();
            assertThat(page.path("items")
                            .valueStream()
                            .map(one -> one.path("id").asString()))
                    .contains("seen");
            assertThat(page.at("/facets/0/values/0/value").asString()).isEqualTo("failing");
        }
        assertThat(admin.get("/api/v2/clusters?filter=state:in-sync")
                        .expect(200)
                        .text())
                .doesNotContain("\"id\":\"seen\"");
        JsonNode status = admin.get("/api/v2/clusters/seen").expect(200).at("/status");
        assertThat(status.path("state").asString()).isEqualTo("failing");
        assertThat(status.path("failure").asString()).contains("InstallFailed");
        assertThat(admin.get("/metrics").text()).contains("homeport_clusters{environment=\"dev\",state=\"failing\"}");
    }

    @Test
    void aSetThatFailsIsShownWithItsTypeAndTheTemplatesSentenceFirst() {
        Flux flux = Flux.adopt(server, "guarded");
        flux.poll();
        flux.post(flux.applied("namespaces")).expect(202);
        assertThat(state("guarded")).isEqualTo("in-sync");
        String noise = "failed to build resources: template: resourceset:3:61: executing \"resourceset\" at"
                + " <fail \"this list is not whole\">";
        flux.post(failed(flux, "namespaces", noise + ": error calling fail: this list is not whole"))
                .expect(202);
        assertThat(state("guarded")).isEqualTo("failing");
        assertThat(delivery("guarded").at("/types/namespaces/failure/message").asString())
                .isEqualTo("this list is not whole (" + noise + ")");
        assertThat(shown("guarded").path("failure").asString()).startsWith("this list is not whole");
        assertThat(delivery("guarded").at("/types/rolebindings").has("failure")).isFalse();
    }

    /** The set that makes all others is polled for as well, and nothing arrives while it fails. */
    @Test
    void theRootSetThatFailsIsShown() {
        Flux flux = Flux.adopt(server, "rootless");
        flux.poll();
        assertThat(delivery("rootless").at("/types").has("types")).isFalse();
        flux.poll("types");
        assertThat(delivery("rootless").at("/types/types/current").asBoolean()).isTrue();
        flux.post(failed(flux, "types", "this is no service account of Homeport"))
                .expect(202);
        assertThat(state("rootless")).isEqualTo("failing");
        assertThat(delivery("rootless").at("/types/types/failure/message").asString())
                .contains("no service account");
        flux.post(Flux.at(flux.applied("types"), Instant.now().plusSeconds(2))).expect(202);
        assertThat(state("rootless")).isEqualTo("in-sync");
    }

    /** A cluster without an alert on the operator's kinds would not say that a set fails. */
    @Test
    void setsThatSendNoEventsAreShownAsNotReporting() {
        Flux flux = Flux.adopt(server, "mute", "mute");
        assertThat(delivery("mute").has("not_reporting")).as("before it polls").isFalse();
        String answer = flux.poll();
        flux.post(flux.release("mute", "InstallSucceeded", "1.0.0", answer)).expect(202);
        JsonNode receipt = delivery("mute");
        assertThat(receipt.path("state").asString()).isEqualTo("in-sync");
        assertThat(receipt.path("reporting").asBoolean()).isTrue();
        assertThat(receipt.path("not_reporting").valueStream().map(JsonNode::asString))
                .containsExactly("namespaces", "platform-components", "rolebindings");
        assertThat(receipt.at("/types/namespaces/reporting").asBoolean(true)).isFalse();
        assertThat(shown("mute").path("not_reporting")).hasSize(3);
        Await.until(
                () -> admin.get("/api/v2/findings?kind=not_reporting")
                        .expect(200)
                        .text(),
                text -> text.contains("\"mute\""));
        flux.post(flux.applied("namespaces")).expect(202);
        assertThat(delivery("mute").has("not_reporting")).isFalse();
        assertThat(delivery("mute").at("/types/rolebindings/reporting").asBoolean(false))
                .as("one alert is on all sets")
                .isTrue();
        Await.until(
                () -> admin.get("/api/v2/findings?kind=not_reporting")
                        .expect(200)
                        .text(),
                text -> !text.contains("\"mute\""));
    }

    private static ObjectNode failed(Flux flux, String type, String message) {
        return flux.applied(type)
                .put("reason", "BuildFailed")
                .put("severity", "error")
                .put("message", message);
    }

    @Test
    @Requirement("C6")
    void aLeavingClusterIsDrainedThenPurgedWithItsToken() {
        Flux flux = Flux.adopt(server, "leaver", "leaver");
        String answer = flux.poll();
        flux.post(flux.release("leaver", "InstallSucceeded", "1.0.0", answer)).expect(202);
        confirmed("POST", "/api/v2/clusters/leaver:decommission", "", Map.of()).expect(200);
        assertThat(state("leaver")).isEqualTo("leaving");
        assertThat(delivery("leaver").path("drained").asBoolean()).isFalse();
        admin.post("/api/v2/clusters/leaver:purge", "").expect(409);
        flux.poll();
        assertThat(delivery("leaver").path("drained").asBoolean()).isFalse();
        flux.post(flux.release("leaver", "UninstallFailed", "1.0.0", answer)).expect(202);
        admin.post("/api/v2/clusters/leaver:purge", "").expect(409);
        flux.post(flux.release("leaver", "UninstallSucceeded", "1.0.0", answer)).expect(202);
        assertThat(delivery("leaver").path("drained").asBoolean()).isTrue();
        Await.until(
                () -> admin.get("/api/v2/findings?kind=drained").expect(200).text(),
                text -> text.contains("\"leaver\""));
        confirmed("POST", "/api/v2/clusters/leaver:purge", "", Map.of()).expect(200);
        flux.client()
                .get("/api/v2/flux/clusters/" + Flux.dns("leaver") + "/namespaces")
                .expect(401);
        assertThat(admin.get("/api/v2/tokens?filter=subject=leaver")
                        .expect(200)
                        .at("/items/0/spec/revoked")
                        .asBoolean())
                .isTrue();
        admin.get("/api/v2/clusters/leaver").expect(404);
        // A successor of the same name starts afresh, and the old keys are worth nothing.
        Flux next = Flux.adopt(server, "leaver", "leaver");
        assertThat(state("leaver")).isEqualTo("new");
        assertThat(next.key()).isNotEqualTo(flux.key());
        flux.post(flux.release("leaver", "InstallSucceeded", "1.0.0", answer)).expect(401);
    }

    @Test
    @Requirement("C6")
    void aLeavingClusterNamesWhatIsLeftOnIt() {
        Flux flux = Flux.adopt(server, "keeper", "keeper", "goer");
        change("/api/v2/platform-components/keeper", "{\"stateful\":true}");
        String answer = flux.poll();
        for (String component : List.of("keeper", "goer")) {
            flux.post(flux.release(component, "InstallSucceeded", "1.0.0", answer))
                    .expect(202);
        }
        TestClient.Answer planned = admin.post("/api/v2/clusters/keeper:decommission?dry_run=true", "");
        assertThat(planned.expect(200).at("/plan/warnings").toString())
                .contains("platform_component/keeper (stateful)");
        assertThat(planned.at("/plan/groups/0/changes").toString()).contains("\"kept\":true");
        confirmed("POST", "/api/v2/clusters/keeper:decommission", "", Map.of()).expect(200);
        assertThat(left("keeper")).contains("platform-components: the cluster has not fetched the empty answer yet");
        flux.poll();
        flux.post(flux.release("goer", "UninstallFailed", "1.0.0", answer)).expect(202);
        assertThat(left("keeper")).contains("platform_component/goer: ", "UninstallFailed", "stateful");
        flux.post(flux.release("goer", "UninstallSucceeded", "1.0.0", answer)).expect(202);
        assertThat(left("keeper"))
                .contains("platform_component/keeper: it is stateful")
                .doesNotContain("goer");
        assertThat(admin.post("/api/v2/clusters/keeper:purge", "").expect(409).text())
                .contains("platform_component/keeper: it is stateful");
        Await.until(
                () -> admin.get("/api/v2/findings?kind=not_drained").expect(200).text(),
                text -> text.contains("platform_component/keeper: it is stateful"));
        assertThat(admin.get("/api/v2/clusters/keeper").at("/status/left").toString())
                .contains("stateful");
        // A user removed it on the cluster.
        flux.post(flux.release("keeper", "UninstallSucceeded", "1.0.0", answer)).expect(202);
        assertThat(delivery("keeper").path("drained").asBoolean()).isTrue();
        assertThat(left("keeper")).isEqualTo("[]");
    }

    private String left(String cluster) {
        return delivery(cluster).path("left").toString();
    }

    @Test
    void namespacesAreReleasedBeforeTheClusterIsEmptied() {
        Flux flux = Flux.adopt(server, "spaces");
        admin.post("/api/v2/namespaces", "{\"id\":\"spaces\",\"spec\":{}}").expect(201);
        change("/api/v2/clusters/spaces", "{\"namespaces\":[{\"id\":\"spaces\"}]}");
        flux.poll();
        confirmed("POST", "/api/v2/clusters/spaces:decommission?delete_namespaces=true", "", Map.of())
                .expect(200);
        assertThat(admin.get("/api/v2/clusters/spaces")
                        .at("/status/releasing_namespaces")
                        .asBoolean())
                .isTrue();
        flux.post(Flux.at(flux.applied("namespaces"), Instant.now().minusSeconds(3600)))
                .expect(202);
        flux.poll();
        flux.post(flux.applied("namespaces")).expect(202);
        Await.until(() -> state("spaces"), "leaving"::equals);
        flux.poll();
        assertThat(delivery("spaces").path("drained").asBoolean()).isTrue();
        confirmed("POST", "/api/v2/clusters/spaces:purge", "", Map.of()).expect(200);
    }
}
