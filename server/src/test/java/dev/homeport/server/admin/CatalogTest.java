package dev.homeport.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.json.StrictJson;
import dev.homeport.testing.Requirement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The catalog, and what clusters take from it and change about it. */
class CatalogTest extends AdminTest {
    @Test
    @Requirement("B1")
    void aComponentIsAddedInOneCallAndCanBeUsedAtOnce() {
        var made = fleet.create("platform-components", "one", """
                {"component_path":"apps/one","component_version":"1.0.0","oci_url":"oci://registry.example.com/one",
                 "oci_tag":"v1"}""").expect(201);
        assertThat(made.header("Location")).isEqualTo("/api/v2/platform-components/one");
        assertThat(made.at("/meta/revision").asString()).isEqualTo(made.header("Homeport-Revision"));
        fleet.cluster("one", "dev", "{\"platform_components\":[{\"id\":\"one\"}]}");
        assertThat(fleet.input("one", "platform-components", "one")
                        .at("/source/oci_tag")
                        .asString())
                .isEqualTo("v1");
    }

    @Test
    @Requirement("B2")
    void oneRequestAssignsAComponentToAHundredClusters() {
        fleet.component("two");
        fleet.component("two-before");
        StringBuilder clusters = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            clusters.append(i == 0 ? "" : ",")
                    .append("{\"op\":\"create\",\"type\":\"cluster\",\"id\":\"two-" + i + "\",\"spec\":")
                    .append(Fleet.clusterSpec(
                            "two-" + i,
                            "dev",
                            "{\"labels\":{\"group\":\"two\"},\"platform_components\":[{\"id\":\"two-before\"}]}"))
                    .append("}");
        }
        fleet.change("{\"operations\":[" + clusters + "]}").expect(201);
        String assignment = """
                {"reason":"every cluster gets two","operations":[{"op":"merge","type":"cluster",
                 "selector":{"label_selector":"group=two"},"patch":{"platform_components":[{"id":"two"}]}}]}""";
        var plan = fleet.admin.post("/api/v2/changes?dry_run=true", assignment).expect(200);
        assertThat(plan.at("/plan/clusters_changed").asInt()).isEqualTo(100);
        long before = fleet.revision();
        var committed = fleet.change(assignment).expect(201);
        assertThat(committed.at("/revision").asLong()).isEqualTo(before + 1);
        assertThat(committed.at("/clusters_changed").asInt()).isEqualTo(100);
        assertThat(fleet.revision()).isEqualTo(before + 1);
        var audit = fleet.admin
                .get("/api/v2/changes/" + (before + 1) + "?page_size=1000")
                .expect(200);
        assertThat(audit.at("/reason").asString()).isEqualTo("every cluster gets two");
        assertThat(audit.at("/changes")
                        .valueStream()
                        .filter(change -> change.path("part").asString().equals("spec"))
                        .toList())
                .hasSize(100)
                .allSatisfy(change -> {
                    assertThat(change.at("/before/platform_components").size()).isEqualTo(1);
                    assertThat(change.at("/after/platform_components/1/id").asString())
                            .isEqualTo("two");
                });
        assertThat(fleet.polled("two-77", "platform-components"))
                .contains("\"two\"")
                .contains("two-before");
    }

    @Test
    @Requirement("B2")
    void aBatchIsDoneWholeOrNotAtAll() {
        fleet.component("atomic");
        long before = fleet.revision();
        String batch = "{\"operations\":["
                + "{\"op\":\"create\",\"type\":\"namespace\",\"id\":\"atomic-ns\",\"spec\":{}},"
                + "{\"op\":\"create\",\"type\":\"cluster\",\"id\":\"atomic\",\"spec\":{\"cluster_name\":\"atomic\"}}]}";
        var refused = fleet.admin.post("/api/v2/changes", batch).expect(422);
        assertThat(refused.at("/errors")
                        .valueStream()
                        .map(error -> error.path("pointer").asString()))
                .allMatch(pointer -> pointer.startsWith("/operations/1/spec"));
        assertThat(fleet.revision()).isEqualTo(before);
        fleet.admin.get("/api/v2/namespaces/atomic-ns").expect(404);
    }

    @Test
    @Requirement({"B3", "B4"})
    void aCatalogDefaultReachesAllClustersWithoutAnOverride() {
        fleet.component("three", "{\"component_path\":\"apps/three/17.0.0\"}");
        fleet.cluster("three-a", "dev", "{\"platform_components\":[{\"id\":\"three\"}]}");
        fleet.cluster("three-b", "dev", "{\"platform_components\":[{\"id\":\"three\"}]}");
        fleet.cluster("three-canary", "dev", """
                {"platform_components":[{"id":"three","component_path":"apps/three/17.1.0","oci_tag":"v1.1.0-rc1"}]}""");
        JsonNode canary = fleet.input("three-canary", "platform-components", "three");
        assertThat(canary.path("component_path").asString()).isEqualTo("apps/three/17.1.0");
        assertThat(canary.at("/source/oci_tag").asString()).isEqualTo("v1.1.0-rc1");
        assertThat(fleet.input("three-a", "platform-components", "three")
                        .path("component_path")
                        .asString())
                .isEqualTo("apps/three/17.0.0");
        String before = fleet.polled("three-canary", "platform-components");
        fleet.patch("/api/v2/platform-components/three", "{\"component_path\":\"apps/three/17.1.0\"}")
                .expect(200);
        for (String id : List.of("three-a", "three-b")) {
            assertThat(fleet.input(id, "platform-components", "three")
                            .path("component_path")
                            .asString())
                    .isEqualTo("apps/three/17.1.0");
        }
        assertThat(fleet.polled("three-canary", "platform-components")).isEqualTo(before);
    }

    @Test
    @Requirement("B5")
    void aHotfixMovesOneFieldOnTheChosenClustersAlone() {
        fleet.component("five");
        fleet.component("five-more");
        String layer = "{\"platform_components\":[{\"id\":\"five\"},{\"id\":\"five-more\"}]}";
        for (String id : List.of("five-a", "five-b", "five-c")) {
            fleet.cluster(id, "dev", layer);
        }
        String untouched = fleet.polled("five-c", "platform-components");
        String fix = """
                {"reason":"CVE","operations":[{"op":"merge","type":"cluster","selector":{"ids":["five-a","five-b"]},
                 "patch":{"platform_components":[{"id":"five","oci_tag":"v1.0.1"}]}}]}""";
        var plan = fleet.admin
                .post("/api/v2/changes?dry_run=true&hotfix=true", fix)
                .expect(200);
        assertThat(plan.at("/plan/groups").size()).isEqualTo(1);
        assertThat(plan.at("/plan/groups/0/clusters").valueStream().map(JsonNode::asString))
                .containsExactly("five-a", "five-b");
        JsonNode changes = plan.at("/plan/groups/0/changes");
        assertThat(changes.size()).isEqualTo(1);
        assertThat(different(changes.get(0).path("before"), changes.get(0).path("after")))
                .containsExactly("source");
        fleet.confirmed("POST", "/api/v2/changes?hotfix=true", fix, Map.of()).expect(201);
        assertThat(fleet.input("five-a", "platform-components", "five")
                        .at("/source/oci_tag")
                        .asString())
                .isEqualTo("v1.0.1");
        assertThat(fleet.polled("five-c", "platform-components")).isEqualTo(untouched);
    }

    private static List<String> different(JsonNode one, JsonNode other) {
        return one.propertyNames().stream()
                .filter(name -> !one.get(name).equals(other.path(name)))
                .toList();
    }

    @Test
    @Requirement("B6")
    void aVersionThatTheCatalogDoesNotDeclareIsFlagged() {
        fleet.component("six", "{\"versions\":[{\"oci_tag\":\"v1.0.0\"},{\"oci_tag\":\"v1.1.0\"}]}");
        fleet.cluster("six", "dev", "{\"platform_components\":[{\"id\":\"six\"}]}");
        var known = fleet.patch("/api/v2/platform-components/six", "{\"oci_tag\":\"v1.1.0\"}")
                .expect(200);
        assertThat(known.json().has("warnings")).isFalse();
        var flagged = fleet.patch("/api/v2/platform-components/six", "{\"oci_tag\":\"v9.9.9\"}")
                .expect(200);
        assertThat(flagged.at("/warnings/0").asString()).contains("v9.9.9").contains("declared versions");
    }

    @Test
    @Requirement("B10")
    void whatLooksLikeASecretIsRefusedWithAPointerToReferences() {
        fleet.component("ten");
        fleet.cluster("ten", "dev", "{\"platform_components\":[{\"id\":\"ten\"}]}");
        long before = fleet.revision();
        String patch =
                "{\"patches\":{\"ten\":{\"db.password\":\"-----BEGIN RSA PRIVATE KEY-----\\nMIIEpAIBAAKCAQEA\"}}}";
        var refused = fleet.patch("/api/v2/clusters/ten", patch).expect(422);
        assertThat(refused.at("/code").asString()).isEqualTo("secret_suspected");
        assertThat(refused.at("/errors/0/pointer").asString()).startsWith("/spec/patches/ten");
        assertThat(refused.text()).containsIgnoringCase("secret").doesNotContain("MIIEpAIBAAKCAQEA");
        assertThat(fleet.revision()).isEqualTo(before);
    }

    @Test
    @Requirement("B11")
    void tiersAreConfigurableAndOrdered() {
        assertThat(fleet.admin
                        .get("/api/v2/environments")
                        .expect(200)
                        .at("/items")
                        .valueStream()
                        .map(item -> item.path("id").asString()))
                .contains("dev", "qa", "uat", "prod");
        fleet.create("environments", "staging", "{\"order\":35}").expect(201);
        fleet.create("environments", "production", "{\"order\":90}").expect(201);
        fleet.cluster("tier-last", "production", "{}");
        fleet.cluster("tier-former", "prod", "{}");
        assertThat(fleet.admin
                        .get("/api/v2/clusters/tier-last")
                        .at("/status/protected")
                        .asBoolean())
                .isTrue();
        assertThat(fleet.admin
                        .get("/api/v2/clusters/tier-former")
                        .at("/status/protected")
                        .asBoolean())
                .isFalse();
        fleet.admin.delete("/api/v2/environments/production", "*").expect(409);
    }

    @Test
    @Requirement("B14")
    void theDifferenceFromTheBaseIsShownAndEmptyWithoutAnOverride() {
        fleet.component("fourteen");
        fleet.create("workspaces", "fourteen", "{\"platform_components\":[{\"id\":\"fourteen\"}]}")
                .expect(201);
        fleet.cluster("fourteen-a", "dev", "{\"workspace\":\"fourteen\"}");
        fleet.cluster(
                "fourteen-b",
                "dev",
                "{\"workspace\":\"fourteen\",\"patches\":{\"fourteen\":{\"replicas\":5}},"
                        + "\"platform_components\":[{\"id\":\"fourteen\",\"assign\":false,\"oci_tag\":\"v2\"}]}");
        assertThat(fleet.admin
                        .get("/api/v2/clusters/fourteen-a/diff")
                        .expect(200)
                        .at("/types"))
                .isEqualTo(StrictJson.object());
        JsonNode item = fleet.admin
                .get("/api/v2/clusters/fourteen-b/diff")
                .expect(200)
                .at("/types/platform-components/items/0");
        assertThat(item.path("change").asString()).isEqualTo("changed");
        assertThat(item.path("fields")
                        .valueStream()
                        .map(field -> field.path("pointer").asString()))
                .containsExactly("/patches/replicas", "/source/oci_tag");
        var explained = fleet.admin
                .get("/api/v2/clusters/fourteen-b/explain?type=platform-components")
                .expect(200);
        assertThat(explained.text()).contains("\"layer\":\"workspace\"").contains("\"layer\":\"cluster\"");
    }

    @Test
    @Requirement("B17")
    void clustersOfOneWorkspaceGetValuesOfTheirOwn() {
        fleet.component("metallb");
        fleet.create("workspaces", "edge", "{\"platform_components\":[{\"id\":\"metallb\"}]}")
                .expect(201);
        fleet.cluster("edge-a", "dev", "{\"workspace\":\"edge\",\"patches\":{\"metallb\":{\"pool\":\"10.0.1.0/24\"}}}");
        fleet.cluster("edge-b", "dev", "{\"workspace\":\"edge\",\"patches\":{\"metallb\":{\"pool\":\"10.0.2.0/24\"}}}");
        assertThat(fleet.input("edge-a", "platform-components", "metallb")
                        .at("/patches/pool")
                        .asString())
                .isEqualTo("10.0.1.0/24");
        assertThat(fleet.input("edge-b", "platform-components", "metallb")
                        .at("/patches/pool")
                        .asString())
                .isEqualTo("10.0.2.0/24");
    }
}
