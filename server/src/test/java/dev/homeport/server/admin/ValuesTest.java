package dev.homeport.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.json.StrictJson;
import dev.homeport.server.config.Setting;
import dev.homeport.testing.Requirement;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Values, patches and switches of a component, in the answers of different clusters. */
class ValuesTest extends AdminTest {

    private JsonNode items(String cluster) {
        return fleet.poll(cluster, "sets/platform-components").expect(200).at("/inputs/0/items");
    }

    private JsonNode values(String cluster, String component) {
        for (JsonNode item : items(cluster)) {
            if (item.path("id").asString("").equals(component)) {
                return item.path("values");
            }
        }
        throw new AssertionError(cluster + " has no " + component);
    }

    @Test
    @Requirement("B7")
    void aComponentIsSwitchedOffAndOnForOneCluster() {
        fleet.component("switched");
        fleet.component("staying");
        fleet.cluster("sw", "dev", "{\"platform_components\":[{\"id\":\"staying\"},{\"id\":\"switched\"}]}");
        String before = fleet.poll("sw", "sets/platform-components").expect(200).text();
        assertThat(items("sw")).hasSize(2);
        fleet.patch(
                        "/api/v2/clusters/sw",
                        "{\"platform_components\":[{\"id\":\"staying\"},{\"id\":\"switched\",\"enabled\":false}]}")
                .expect(200);
        assertThat(items("sw")).hasSize(1);
        assertThat(fleet.input("sw", "platform-components", "switched")
                        .path("enabled")
                        .asBoolean(true))
                .isFalse();
        fleet.patch("/api/v2/clusters/sw", "{\"platform_components\":[{\"id\":\"staying\"},{\"id\":\"switched\"}]}")
                .expect(200);
        assertThat(fleet.poll("sw", "sets/platform-components").expect(200).text())
                .isEqualTo(before);
    }

    @Test
    @Requirement({"B8", "B9"})
    void patchesAreOfOneClusterAndDottedPathsNest() {
        fleet.component("patched", "{\"values\":{\"replicas\":2,\"ui\":{\"color\":\"blue\"}}}");
        fleet.cluster(
                "pd",
                "dev",
                "{\"platform_components\":[{\"id\":\"patched\"}],\"patches\":{\"patched\":{\"replicas\":1}}}");
        fleet.confirmed(
                        "POST",
                        "/api/v2/clusters",
                        "{\"id\":\"pp\",\"spec\":" + Fleet.clusterSpec("pp", "prod", """
                                        {"platform_components":[{"id":"patched"}],
                                         "patches":{"patched":{"replicas":5,"ui.message":"hello"}}}""") + "}",
                        java.util.Map.of())
                .expect(201);
        assertThat(values("pd", "patched").at("/replicas").asInt()).isEqualTo(1);
        assertThat(values("pp", "patched"))
                .isEqualTo(StrictJson.read("{\"replicas\":5,\"ui\":{\"color\":\"blue\",\"message\":\"hello\"}}"));
    }

    @Test
    @Requirement("B13")
    void eachTierHasItsOwnValues() {
        fleet.component("tiered", "{\"values\":{\"replicas\":2,\"persistence\":{\"enabled\":true}}}");
        fleet.create("cluster-templates", "tiers", """
                        {"platform_components":[{"id":"tiered"}],"by_environment":{
                          "dev":{"patches":{"tiered":{"replicas":1,"persistence.enabled":false}}},
                          "uat":{"patches":{"tiered":{"domain":"staging.example.com"}}},
                          "prod":{"patches":{"tiered":{"replicas":3,"domain":"example.com","tls.issuer":"letsencrypt"}}}}}""").expect(201);
        for (String environment : List.of("dev", "uat", "prod")) {
            fleet.cluster("tier-" + environment, environment, "{\"template\":\"tiers\"}");
        }
        assertThat(values("tier-dev", "tiered"))
                .isEqualTo(StrictJson.read("{\"replicas\":1,\"persistence\":{\"enabled\":false}}"));
        assertThat(values("tier-uat", "tiered"))
                .isEqualTo(StrictJson.read(
                        "{\"replicas\":2,\"persistence\":{\"enabled\":true},\"domain\":\"staging.example.com\"}"));
        assertThat(values("tier-prod", "tiered")).isEqualTo(StrictJson.read("""
                {"replicas":3,"persistence":{"enabled":true},"domain":"example.com","tls":{"issuer":"letsencrypt"}}"""));
    }

    @Test
    @Requirement("B18")
    void aMeshIsSharedAndEachClusterHasItsOwnNameAndNetworkInIt() {
        fleet.component("istiod", """
                {"values":{"global":{"meshID":"mesh1","multiCluster":{"clusterName":{"$cluster":"name"}},
                  "network":{"$cluster":"labels.network"}},"meshConfig":{"trustDomain":"example.com"}}}""");
        for (String id : List.of("mesh-a", "mesh-b")) {
            fleet.cluster(
                    id,
                    "dev",
                    "{\"labels\":{\"network\":\"net-" + id + "\"},\"platform_components\":[{\"id\":\"istiod\"}]}");
            assertThat(values(id, "istiod")).isEqualTo(StrictJson.read("""
                    {"global":{"meshID":"mesh1","multiCluster":{"clusterName":"NAME"},"network":"net-NAME"},
                     "meshConfig":{"trustDomain":"example.com"}}""".replace("NAME", id)));
        }
    }

    @Test
    void aValueChangesWithoutAnybodyTouchingATemplate() {
        fleet.component("dynamic", "{\"values\":{\"replicas\":2}}");
        fleet.cluster("dyn", "dev", "{\"platform_components\":[{\"id\":\"dynamic\"}]}");
        fleet.patch("/api/v2/clusters/dyn", "{\"patches\":{\"dynamic\":{\"replicas\":7}}}")
                .expect(200);
        assertThat(values("dyn", "dynamic").at("/replicas").asInt()).isEqualTo(7);
    }

    /** The other tests of this module do all there is to do; here it is seen that nothing could even read a kubeconfig. */
    @Test
    @Requirement(value = "E8", part = "no setting and no library for a kubeconfig")
    void nothingHereTakesAKubeconfigOrKnowsAClientOfKubernetes() {
        assertThat(Setting.values())
                .noneMatch(setting -> setting.key().contains("kube")
                        || setting.variables()
                                .toString()
                                .toLowerCase(Locale.ROOT)
                                .contains("kube"));
        assertThat(System.getProperty("java.class.path").toLowerCase(Locale.ROOT))
                .doesNotContain("fabric8")
                .doesNotContain("kubernetes-client")
                .doesNotContain("io/kubernetes");
    }
}
