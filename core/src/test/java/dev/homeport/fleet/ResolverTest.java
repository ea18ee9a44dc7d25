package dev.homeport.fleet;

import static dev.homeport.support.TestFleet.edit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import dev.homeport.support.AllAnswers;
import dev.homeport.support.FleetTest;
import dev.homeport.testing.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The seeds' own examples. */
class ResolverTest extends FleetTest {
    private JsonNode flat(String cluster, String component) {
        return item(fleet.json(cluster, COMPONENTS, WireShape.FLAT).get("inputs"), component);
    }

    private JsonNode set(String cluster, String component) {
        return item(
                fleet.json(cluster, COMPONENTS, WireShape.SET)
                        .get("inputs")
                        .get(0)
                        .get("items"),
                component);
    }

    private static JsonNode item(JsonNode items, String id) {
        for (JsonNode item : items) {
            if (item.get("id").stringValue().equals(id)) {
                return item;
            }
        }
        throw new AssertionError("no " + id + " in " + items);
    }

    private void certManager(String more) {
        fleet.component("cert-manager", more);
    }

    private static String assign(String component, String fields) {
        return "{\"platform_components\": [{\"id\": \"" + component + "\"" + fields + "}]}";
    }

    @Test
    @Requirement("B3")
    void aNewDefaultReachesThoseWithoutAnOverride() {
        certManager("{\"component_path\": \"core/cert-manager/17.0.0\"}");
        fleet.cluster("c1", "dev", assign("cert-manager", ""));
        fleet.cluster("c2", "dev", assign("cert-manager", ", \"component_path\": \"core/cert-manager/16.9.0\""));
        String before = flat("c2", "cert-manager").toString();
        fleet.write(edit(
                Types.PLATFORM_COMPONENT,
                "cert-manager",
                body -> body.put("component_path", "core/cert-manager/17.1.0")));
        assertThat(flat("c1", "cert-manager").get("component_path").stringValue())
                .isEqualTo("core/cert-manager/17.1.0");
        assertThat(flat("c2", "cert-manager")).hasToString(before);
    }

    @Test
    @Requirement("B4")
    void aCanaryIsAheadOfTheOthers() {
        certManager("{\"component_path\": \"core/cert-manager/17.0.0\"}");
        fleet.cluster("c1", "dev", assign("cert-manager", ""));
        fleet.cluster("canary", "dev", assign("cert-manager", ""));
        String before = AllAnswers.of(fleet.snapshot()).texts().get("c1/platform_component");
        fleet.write(edit(Types.CLUSTER, "canary", body -> {
            body.setAll(StrictJson.read(assign(
                    "cert-manager",
                    ", \"component_path\": \"core/cert-manager/17.1.0\", \"oci_tag\": \"v1.1.0-rc1\"")));
            return body;
        }));
        assertThat(set("canary", "cert-manager").get("component_path").stringValue())
                .isEqualTo("core/cert-manager/17.1.0");
        assertThat(set("canary", "cert-manager").get("source").get("oci_tag").stringValue())
                .isEqualTo("v1.1.0-rc1");
        assertThat(AllAnswers.of(fleet.snapshot()).texts().get("c1/platform_component"))
                .isEqualTo(before);
    }

    @Test
    @Requirement("B5")
    void aHotfixMovesOneField() {
        certManager("{}");
        fleet.component("grafana");
        fleet.cluster("c1", "dev", "{\"platform_components\": [{\"id\": \"cert-manager\"}, {\"id\": \"grafana\"}]}");
        JsonNode before = fleet.json("c1", COMPONENTS, WireShape.FLAT);
        fleet.write(edit(Types.CLUSTER, "c1", body -> {
            ((ObjectNode) body.get("platform_components").get(0)).put("oci_tag", "v1.0.1-hotfix");
            return body;
        }));
        List<String> changed = new ArrayList<>();
        differences("", before, fleet.json("c1", COMPONENTS, WireShape.FLAT), changed);
        assertThat(changed).containsExactly("/inputs/0/source/oci_tag");
    }

    private static void differences(String at, JsonNode one, JsonNode other, List<String> found) {
        if (one.isObject() && other.isObject()) {
            SortedSet<String> keys = new TreeSet<>(one.propertyNames());
            keys.addAll(other.propertyNames());
            keys.forEach(key -> differences(at + "/" + key, one.path(key), other.path(key), found));
        } else if (one.isArray() && other.isArray() && one.size() == other.size()) {
            for (int i = 0; i < one.size(); i++) {
                differences(at + "/" + i, one.get(i), other.get(i), found);
            }
        } else if (!one.equals(other)) {
            found.add(at);
        }
    }

    @Test
    @Requirement({"B8", "B9"})
    void patchesArePerClusterAndNestForHelm() {
        fleet.component("podinfo", "{\"values\": {\"replicas\": 2, \"ui\": {\"color\": \"blue\"}}}");
        fleet.cluster("d1", "dev", """
                {"platform_components": [{"id": "podinfo"}], "patches": {"podinfo": {"replicas": 1}}}""");
        fleet.cluster("p1", "prod", """
                {"platform_components": [{"id": "podinfo"}],
                 "patches": {"podinfo": {"replicas": 5, "ui.message": "hello", "annotations.example\\\\.com/x": "y"}}}""");
        assertThat(set("d1", "podinfo").get("values").get("replicas").intValue())
                .isEqualTo(1);
        assertThat(set("p1", "podinfo").get("values")).isEqualTo(StrictJson.read("""
                {"replicas": 5, "ui": {"color": "blue", "message": "hello"}, "annotations": {"example.com/x": "y"}}"""));
        assertThat(flat("p1", "podinfo").get("patches")).isEqualTo(StrictJson.read("""
                {"replicas": 5, "ui.color": "blue", "ui.message": "hello", "annotations.example\\\\.com/x": "y"}"""));
    }

    @Test
    @Requirement("B12")
    void theEnvironmentIsAppendedToThePath() {
        certManager("{\"component_path\": \"core/cert-manager/1.14.0\", \"cluster_env_enabled\": true}");
        fleet.cluster("p1", "prod", assign("cert-manager", ""));
        assertThat(flat("p1", "cert-manager").get("resolved_path").stringValue())
                .isEqualTo("core/cert-manager/1.14.0/prod");
        assertThat(flat("p1", "cert-manager").get("component_path").stringValue())
                .isEqualTo("core/cert-manager/1.14.0");
    }

    @Test
    @Requirement({"B13", "F3"})
    void theTiersOfOneComponentGetTheirOwnValues() {
        fleet.component("grafana", "{\"values\": {\"replicas\": 2, \"persistence\": {\"enabled\": true}}}");
        fleet.create(Types.CLUSTER_TEMPLATE, "standard", """
                {"platform_components": [{"id": "grafana"}],
                 "by_environment": {
                   "dev": {"patches": {"grafana": {"replicas": 1, "persistence.enabled": false}}},
                   "uat": {"patches": {"grafana": {"domain": "staging.example.com"}}},
                   "prod": {"patches": {"grafana": {"replicas": 3, "domain": "example.com", "tls.issuer": "letsencrypt"}}}}}""");
        for (String environment : List.of("dev", "uat", "prod")) {
            fleet.cluster(environment + "1", environment, "{\"template\": \"standard\"}");
        }
        assertThat(set("dev1", "grafana").get("values"))
                .isEqualTo(StrictJson.read("{\"replicas\": 1, \"persistence\": {\"enabled\": false}}"));
        assertThat(set("uat1", "grafana").get("values")).isEqualTo(StrictJson.read("""
                {"replicas": 2, "persistence": {"enabled": true}, "domain": "staging.example.com"}"""));
        assertThat(set("prod1", "grafana").get("values")).isEqualTo(StrictJson.read("""
                {"replicas": 3, "persistence": {"enabled": true}, "domain": "example.com",
                 "tls": {"issuer": "letsencrypt"}}"""));
    }

    @Test
    @Requirement({"B17", "F1"})
    void membersOfAWorkspaceKeepTheirOwnAddresses() {
        fleet.component("metallb");
        fleet.create(Types.WORKSPACE, "edge", assign("metallb", ""));
        fleet.cluster("e1", "dev", """
                {"workspace": "edge", "patches": {"metallb": {"addresses": ["10.0.1.0/24"]}}}""");
        fleet.cluster("e2", "dev", """
                {"workspace": "edge", "patches": {"metallb": {"addresses": ["10.0.2.0/24"]}}}""");
        assertThat(set("e1", "metallb").get("values").toString()).isEqualTo("{\"addresses\":[\"10.0.1.0/24\"]}");
        assertThat(set("e2", "metallb").get("values").toString()).isEqualTo("{\"addresses\":[\"10.0.2.0/24\"]}");
    }

    @Test
    @Requirement({"B18", "G10"})
    void aMeshSharesItsIdAndEachClusterHasItsOwnName() {
        fleet.component("istiod", """
                {"values": {"global": {"meshID": "mesh1", "multiCluster": {"clusterName": {"$cluster": "name"}},
                                       "network": {"$cluster": "labels.network"}},
                            "meshConfig": {"trustDomain": "example.com"}}}""");
        fleet.cluster("e1", "dev", """
                {"labels": {"network": "net-1"}, "platform_components": [{"id": "istiod"}]}""");
        fleet.cluster("e2", "dev", """
                {"labels": {"network": "net-2"}, "platform_components": [{"id": "istiod"}]}""");
        for (int i = 1; i <= 2; i++) {
            JsonNode values = set("e" + i, "istiod").get("values");
            assertThat(values)
                    .isEqualTo(StrictJson.read("""
                    {"global": {"meshID": "mesh1", "multiCluster": {"clusterName": "eN"}, "network": "net-N"},
                     "meshConfig": {"trustDomain": "example.com"}}""".replace("eN", "e" + i).replace("net-N", "net-" + i)));
        }
    }

    @Test
    @Requirement({"B20", "A3"})
    void aDefinitionReachesEveryClusterThatRefersToIt() {
        fleet.create(Types.NAMESPACE, "apps", "{\"labels\": {\"team\": \"a\"}}");
        fleet.create(Types.NAMESPACE, "other", "{}");
        fleet.create(
                Types.ROLEBINDING,
                "viewers",
                "{\"role\": \"view\", \"subjects\": [{\"kind\": \"Group\", \"name\": \"devs\"}]}");
        fleet.create(Types.WORKSPACE, "retail", "{\"namespaces\": [{\"id\": \"apps\"}]}");
        fleet.cluster("c1", "dev", "{\"namespaces\": [{\"id\": \"apps\"}], \"rolebindings\": [{\"id\": \"viewers\"}]}");
        fleet.cluster("c2", "dev", "{\"workspace\": \"retail\"}");
        fleet.cluster("c3", "dev", "{\"namespaces\": [{\"id\": \"other\"}]}");
        AllAnswers before = AllAnswers.of(fleet.snapshot());
        fleet.write(edit(Types.NAMESPACE, "apps", body -> {
            body.putObject("labels").put("team", "b");
            return body;
        }));
        assertThat(AllAnswers.changes(before, AllAnswers.of(fleet.snapshot())))
                .containsExactly("c1/namespace CHANGED apps", "c2/namespace CHANGED apps");
        before = AllAnswers.of(fleet.snapshot());
        fleet.write(edit(Types.ROLEBINDING, "viewers", body -> {
            body.withArray("subjects").addObject().put("kind", "User").put("name", "carol");
            return body;
        }));
        assertThat(AllAnswers.changes(before, AllAnswers.of(fleet.snapshot())))
                .containsExactly("c1/rolebinding CHANGED viewers");
    }
}
