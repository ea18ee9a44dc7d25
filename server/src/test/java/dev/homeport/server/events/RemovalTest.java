package dev.homeport.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestClient;
import dev.homeport.server.TestServer;
import dev.homeport.testing.OutsideIn;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a cluster is no longer given is followed until the cluster shows that it is gone. */
@OutsideIn
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RemovalTest {
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

    private JsonNode removal(String cluster, String type, String id) {
        return delivery(cluster)
                .path("removals")
                .valueStream()
                .filter(one -> one.path("type").asString().equals(type)
                        && one.path("id").asString().equals(id))
                .findFirst()
                .orElse(delivery(cluster).path("nothing"));
    }

    private void change(String path, String spec) {
        Map<String, String> headers = new TreeMap<>(Map.of("Content-Type", "application/merge-patch+json"));
        String body = "{\"spec\":" + spec + "}";
        TestClient.Answer first = admin.send("PATCH", path, body, headers);
        if (first.status() == 409) {
            headers.put("Homeport-Confirm", first.header("Homeport-Confirm"));
            admin.send("PATCH", path, body, headers).expect(200);
        } else {
            first.expect(200);
        }
    }

    /** A cluster that runs two components of its own, and says so. */
    private Flux running(String cluster, String one, String two) {
        Flux flux = Flux.adopt(server, cluster, one, two);
        String answer = flux.poll();
        flux.post(flux.release(one, "InstallSucceeded", "1.0.0", answer)).expect(202);
        flux.post(flux.release(two, "InstallSucceeded", "1.0.0", answer)).expect(202);
        assertThat(state(cluster)).isEqualTo("in-sync");
        return flux;
    }

    @Test
    void aComponentIsRemovingUntilTheClusterReportsThatItIsGone() {
        Flux flux = running("remover", "stays-1", "goes-1");
        change("/api/v2/clusters/remover", "{\"platform_components\":[{\"id\":\"stays-1\"}]}");
        assertThat(state("remover")).isEqualTo("pending");
        assertThat(removal("remover", "platform-components", "goes-1")
                        .path("state")
                        .asString())
                .isEqualTo("pending");

        String answer = flux.poll();
        flux.post(flux.release("stays-1", "UpgradeSucceeded", "1.0.0", answer)).expect(202);
        assertThat(state("remover")).isEqualTo("removing");
        assertThat(removal("remover", "platform-components", "goes-1")
                        .path("state")
                        .asString())
                .isEqualTo("removing");
        flux.post(flux.release("goes-1", "UninstallFailed", "1.0.0", answer)).expect(202);
        JsonNode failed = removal("remover", "platform-components", "goes-1");
        assertThat(failed.path("state").asString()).isEqualTo("removing");
        assertThat(failed.path("reason").asString()).contains("UninstallFailed");
        assertThat(failed.path("source").asString()).isEqualTo("event");

        server.stop();
        server.startAgain();
        admin = server.admin();
        Await.until(() -> state("remover"), "removing"::equals);
        Flux again = flux.at(server.poll("").base());
        again.post(again.release("goes-1", "UninstallSucceeded", "1.0.0", answer))
                .expect(202);
        assertThat(delivery("remover").path("removals")).isEmpty();
        assertThat(state("remover")).isEqualTo("in-sync");
    }

    @Test
    void whatIsStatefulIsShownAsKept() {
        Flux flux = running("keeps", "stays-2", "vault-2");
        change("/api/v2/platform-components/vault-2", "{\"stateful\":true}");
        String answer = flux.poll();
        flux.post(flux.release("vault-2", "UpgradeSucceeded", "1.0.0", answer)).expect(202);
        flux.post(flux.release("stays-2", "UpgradeSucceeded", "1.0.0", answer)).expect(202);
        change("/api/v2/clusters/keeps", "{\"platform_components\":[{\"id\":\"stays-2\"}]}");
        answer = flux.poll();
        flux.post(flux.release("stays-2", "UpgradeSucceeded", "1.0.0", answer)).expect(202);
        assertThat(removal("keeps", "platform-components", "vault-2")
                        .path("state")
                        .asString())
                .isEqualTo("kept");
        assertThat(state("keeps")).isEqualTo("in-sync");
        // Given back, it is managed again.
        change("/api/v2/clusters/keeps", "{\"platform_components\":[{\"id\":\"stays-2\"},{\"id\":\"vault-2\"}]}");
        assertThat(delivery("keeps").path("removals")).isEmpty();
    }

    @Test
    void whatNothingReportsIsUnconfirmedAndHoldsNothingUp() {
        Flux flux = running("quiet", "stays-3", "other-3");
        admin.post("/api/v2/namespaces", "{\"id\":\"space-3\",\"spec\":{\"keep\":false}}")
                .expect(201);
        admin.post("/api/v2/namespaces", "{\"id\":\"kept-3\",\"spec\":{}}").expect(201);
        change("/api/v2/clusters/quiet", "{\"namespaces\":[{\"id\":\"space-3\"},{\"id\":\"kept-3\"}]}");
        flux.poll();
        change("/api/v2/clusters/quiet", "{\"namespaces\":null}");
        flux.poll();
        assertThat(removal("quiet", "namespaces", "space-3").path("state").asString())
                .isEqualTo("unconfirmed");
        assertThat(removal("quiet", "namespaces", "space-3").path("reason").asString())
                .isEqualTo("removed from the answer, not confirmed by the cluster");
        assertThat(removal("quiet", "namespaces", "kept-3").path("state").asString())
                .isEqualTo("kept");
        assertThat(state("quiet")).isEqualTo("in-sync");
    }

    private static List<String> questions(Flux flux) {
        List<String> all = new ArrayList<>();
        flux.witnesses()
                .path("items")
                .forEach(set -> set.path("observe")
                        .forEach(object -> all.add(object.path("question").asString(""))));
        return all;
    }

    private static ObjectNode later(ObjectNode event, int seconds) {
        return Flux.at(event, Instant.now().plusSeconds(seconds));
    }

    @Test
    void aWitnessIsBelievedBeforeAnEvent() {
        Flux flux = running("seen", "stays-5", "goes-5");
        flux.post(flux.witness("type/namespaces", "ResourceSet", "True", "", ""))
                .expect(202);
        change("/api/v2/clusters/seen", "{\"platform_components\":[{\"id\":\"stays-5\"}]}");
        String answer = flux.poll();
        flux.post(flux.release("stays-5", "UpgradeSucceeded", "1.0.0", answer)).expect(202);
        assertThat(questions(flux)).contains("component/goes-5", "removal/platform-components/goes-5");
        flux.post(flux.deleting("component/goes-5", "HelmRelease", "example.com/hold"))
                .expect(202);
        flux.post(later(flux.release("goes-5", "UninstallSucceeded", "1.0.0", answer), 1))
                .expect(202);
        JsonNode removal = removal("seen", "platform-components", "goes-5");
        assertThat(removal.path("state").asString()).isEqualTo("removing");
        assertThat(removal.path("reason").asString()).contains("HelmRelease is being deleted", "example.com/hold");
        assertThat(removal.path("source").asString()).isEqualTo("witness");
        assertThat(state("seen")).isEqualTo("removing");
        flux.post(later(flux.absent("component/goes-5"), 2)).expect(202);
        assertThat(removal("seen", "platform-components", "goes-5")
                        .path("state")
                        .asString())
                .as("its set may still be there")
                .isEqualTo("removing");
        flux.post(later(flux.absent("removal/platform-components/goes-5"), 2)).expect(202);
        assertThat(delivery("seen").path("removals")).isEmpty();
        assertThat(state("seen")).isEqualTo("in-sync");
        assertThat(questions(flux)).doesNotContain("component/goes-5", "removal/platform-components/goes-5");
    }

    @Test
    void whatIsKeptIsAskedAboutUntilItIsGone() {
        Flux flux = running("watched", "stays-6", "other-6");
        admin.post("/api/v2/namespaces", "{\"id\":\"kept-6\",\"spec\":{}}").expect(201);
        change("/api/v2/clusters/watched", "{\"namespaces\":[{\"id\":\"kept-6\"}]}");
        flux.poll();
        flux.post(flux.witness("type/namespaces", "ResourceSet", "True", "", ""))
                .expect(202);
        change("/api/v2/clusters/watched", "{\"namespaces\":null}");
        flux.poll();
        assertThat(removal("watched", "namespaces", "kept-6").path("state").asString())
                .isEqualTo("kept");
        assertThat(questions(flux)).contains("removal/namespaces/kept-6");
        flux.post(flux.absent("removal/namespaces/kept-6")).expect(202);
        assertThat(delivery("watched").path("removals")).isEmpty();
        assertThat(questions(flux)).doesNotContain("removal/namespaces/kept-6");
    }

    @Test
    void aClusterIsNotDrainedWhileAWitnessSeesSomething() {
        Flux flux = running("drains", "one-7", "two-7");
        for (String component : List.of("one-7", "two-7")) {
            flux.post(flux.witness("component/" + component, "HelmRelease", "True", "1.0.0", ""))
                    .expect(202);
        }
        admin.post("/api/v2/clusters/drains:decommission", "").expect(200);
        String answer = flux.poll();
        flux.post(later(flux.deleting("component/one-7", "HelmRelease", "example.com/hold"), 1))
                .expect(202);
        for (String component : List.of("one-7", "two-7")) {
            flux.post(later(flux.release(component, "UninstallSucceeded", "1.0.0", answer), 2))
                    .expect(202);
        }
        flux.post(later(flux.absent("component/two-7"), 2)).expect(202);
        assertThat(delivery("drains").path("left").toString())
                .contains("platform_component/one-7: its HelmRelease is being deleted", "example.com/hold")
                .doesNotContain("two-7");
        flux.post(later(flux.absent("component/one-7"), 3)).expect(202);
        assertThat(delivery("drains").path("drained").asBoolean()).isTrue();
    }

    @Test
    void aClusterIsNotDrainedWhileANamespaceOfItIsThere() {
        Flux flux = running("lingers", "one-8", "two-8");
        admin.post("/api/v2/namespaces", "{\"id\":\"space-8\",\"spec\":{\"keep\":false}}")
                .expect(201);
        change("/api/v2/clusters/lingers", "{\"namespaces\":[{\"id\":\"space-8\"}]}");
        flux.poll();
        flux.post(flux.witness("type/namespaces", "ResourceSet", "True", "", ""))
                .expect(202);
        admin.post("/api/v2/clusters/lingers:decommission", "").expect(200);
        String answer = flux.poll();
        for (String component : List.of("one-8", "two-8")) {
            flux.post(later(flux.release(component, "UninstallSucceeded", "1.0.0", answer), 1))
                    .expect(202);
        }
        assertThat(left("lingers")).containsExactly("namespace/space-8: the cluster has not shown that it is gone");
        flux.post(later(flux.deleting("removal/namespaces/space-8", "Namespace", "kubernetes"), 1))
                .expect(202);
        assertThat(left("lingers"))
                .containsExactly(
                        "namespace/space-8: its Namespace is being deleted, and waits for the finalizers kubernetes");
        assertThat(delivery("lingers").path("drained").asBoolean()).isFalse();
        flux.post(later(flux.absent("removal/namespaces/space-8"), 2)).expect(202);
        assertThat(delivery("lingers").path("drained").asBoolean()).isTrue();
    }

    private List<String> left(String cluster) {
        return delivery(cluster)
                .path("left")
                .valueStream()
                .map(JsonNode::stringValue)
                .toList();
    }

    @Test
    void somethingStatefulThatIsBeingDeletedIsNotCalledKept() {
        Flux flux = running("deletes", "vault-9", "other-9");
        change("/api/v2/platform-components/vault-9", "{\"stateful\":true}");
        admin.post("/api/v2/clusters/deletes:decommission", "").expect(200);
        String answer = flux.poll();
        flux.post(later(flux.release("other-9", "UninstallSucceeded", "1.0.0", answer), 1))
                .expect(202);
        assertThat(left("deletes")).singleElement().asString().contains("platform_component/vault-9: it is stateful");
        flux.post(later(flux.deleting("component/vault-9", "HelmRelease", "example.com/hold"), 1))
                .expect(202);
        assertThat(left("deletes"))
                .contains("platform_component/vault-9: its HelmRelease is being deleted, and waits for the finalizers"
                        + " example.com/hold");
    }

    @Test
    void whatNoServerNotedIsFoundAtTheNextStart() throws SQLException {
        Flux flux = running("asleep", "stays-4", "goes-4");
        change("/api/v2/clusters/asleep", "{\"platform_components\":[{\"id\":\"stays-4\"}]}");
        server.stop();
        try (Connection connection = DriverManager.getConnection(
                        "jdbc:sqlite:" + server.data().resolve("observed.db"));
                Statement statement = connection.createStatement()) {
            statement.execute("DELETE FROM report WHERE subject LIKE 'removal/%'");
        }
        server.startAgain();
        admin = server.admin();
        Await.until(
                () -> removal("asleep", "platform-components", "goes-4")
                        .path("state")
                        .asString(""),
                "pending"::equals);
        Flux again = flux.at(server.poll("").base());
        again.poll();
        assertThat(removal("asleep", "platform-components", "goes-4")
                        .path("state")
                        .asString())
                .isEqualTo("removing");
    }
}
