package dev.homeport.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.json.CanonicalJson;
import dev.homeport.server.FluxOperatorCli;
import dev.homeport.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The fleet as files in Git: built by Kustomize, it is what Flux makes of the answers. */
class GitLayoutTest extends AdminTest {
    private static final List<String> TYPES = List.of("namespaces", "platform-components", "rolebindings");

    private static final List<String> ACCOUNTS =
            List.of("homeport-component", "homeport-platform", "homeport-rolebindings");

    @TempDir
    Path folder;

    private void tiers(String prefix) {
        fleet.component(prefix + "-web", """
                {"values": {"replicas": 2, "persistence": {"enabled": true}, "text": "q\\" \\u00e9 \\ud83d\\udca5\\n--- # ${X}",
                 "big": 9007199254740991, "share": 0.5, "n": {"on": "yes"}}}""");
        fleet.component(prefix + "-dns", "{\"kind\": \"kustomize\", \"cluster_env_enabled\": true}");
        fleet.create("namespaces", prefix + "-all", "{\"labels\": {\"team\": \"a\"}}")
                .expect(201);
        fleet.create("rolebindings", prefix + "-view", """
                {"role": "view", "subjects": [{"kind": "Group", "name": "viewers"}]}""").expect(201);
        fleet.create("workspaces", prefix, """
                {"platform_components": [{"id": "NAME-web"}], "namespaces": [{"id": "NAME-all"}],
                 "by_environment": {
                   "dev": {"patches": {"NAME-web": {"replicas": 1, "persistence.enabled": false}}},
                   "uat": {"patches": {"NAME-web": {"domain": "staging.example.com"}}},
                   "prod": {"patches": {"NAME-web": {"replicas": 3, "domain": "example.com", "issuer": "letsencrypt"}}}}}""".replace("NAME", prefix)).expect(201);
        for (String environment : List.of("dev", "uat", "prod")) {
            for (int i = 1; i <= 2; i++) {
                fleet.cluster(prefix + "-" + environment + "-" + i, environment, """
                        {"workspace": "NAME", "patches": {"NAME-web": {"zone": "z%d"}}%s}""".formatted(
                                i,
                                i == 1
                                        ? ""
                                        : ", \"platform_components\": [{\"id\": \"NAME-dns\"}],"
                                                + " \"rolebindings\": [{\"id\": \"NAME-view\"}]")
                        .replace("NAME", prefix));
            }
        }
    }

    private void write(String layout, Path into) throws IOException {
        for (JsonNode file : fleet.admin
                .get("/api/v2/export/git?repository=https://git.example.com/fleet.git&layout=" + layout)
                .expect(200)
                .at("/files")) {
            Path path = into.resolve(file.path("path").stringValue());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.path("content").stringValue());
        }
    }

    @Test
    @Requirement("B13")
    void buildingAClustersFolderGivesWhatFluxMakesOfItsAnswers() throws Exception {
        Kustomize kustomize = Kustomize.find();
        FluxOperatorCli flux = FluxOperatorCli.in(folder);
        tiers("tiers");
        compare(kustomize, flux);
        JsonNode dev = values(kustomize, "dev");
        assertThat(dev.path("replicas").intValue()).isEqualTo(1);
        assertThat(dev.at("/persistence/enabled").booleanValue()).isFalse();
        JsonNode uat = values(kustomize, "uat");
        assertThat(uat.path("replicas").intValue()).isEqualTo(2);
        assertThat(uat.path("domain").asString()).isEqualTo("staging.example.com");
        JsonNode prod = values(kustomize, "prod");
        assertThat(prod.path("replicas").intValue()).isEqualTo(3);
        assertThat(prod.at("/persistence/enabled").booleanValue()).isTrue();
        assertThat(prod.path("domain").asString()).isEqualTo("example.com");
        assertThat(prod.path("issuer").asString()).isEqualTo("letsencrypt");
        assertThat(served(flux, "tiers-dev-2")).containsKey("ResourceSet/b-tiers-view");
        // Without a set for each role binding it is the same.
        fleet.patch("/api/v2/settings/fleet", "{\"answer_format\": 1}").expect(200);
        compare(kustomize, flux);
        assertThat(served(flux, "tiers-dev-2")).doesNotContainKey("ResourceSet/b-tiers-view");
        fleet.patch("/api/v2/settings/fleet", "{\"answer_format\": 2}").expect(200);
    }

    private void compare(Kustomize kustomize, FluxOperatorCli flux) throws IOException {
        write("paths", folder.resolve("git"));
        write("branches", folder.resolve("branches"));
        for (String environment : List.of("dev", "uat", "prod")) {
            for (int i = 1; i <= 2; i++) {
                String cluster = "tiers-" + environment + "-" + i;
                Map<String, String> wanted = served(flux, cluster);
                String path = "clusters/" + environment + "/" + cluster;
                assertThat(built(kustomize, folder.resolve("git").resolve(path)))
                        .isEqualTo(wanted);
                assertThat(built(
                                kustomize,
                                folder.resolve("branches/env/" + environment).resolve(path)))
                        .isEqualTo(wanted);
            }
        }
    }

    private JsonNode values(Kustomize kustomize, String environment) {
        return kustomize.build(folder.resolve("git/clusters/" + environment + "/tiers-" + environment + "-1")).stream()
                .filter(one -> one.at("/metadata/name").asString("").equals("c-tiers-web"))
                .findFirst()
                .orElseThrow()
                .at("/spec/inputs/0/component/values");
    }

    /** What Flux makes of the API's answers, without the words that only say which answer it was and who made it. */
    private Map<String, String> served(FluxOperatorCli flux, String cluster) {
        List<JsonNode> manifests = FluxOperatorCli.documents(fleet.admin
                .post("/api/v2/clusters/" + cluster + ":bootstrap?", """
                        {"url": "https://homeport.example.com", "replace": true,
                         "types": ["namespaces", "platform-components", "rolebindings"]}""")
                .expect(201)
                .at("/files/0/content")
                .stringValue());
        List<JsonNode> all = new ArrayList<>();
        for (String plural : TYPES) {
            JsonNode set = manifests.stream()
                    .filter(one -> one.path("kind").asString("").equals("ResourceSet")
                            && one.at("/metadata/name").asString("").equals("homeport-" + plural))
                    .findFirst()
                    .orElseThrow();
            JsonNode answer = fleet.server
                    .poll(fleet.server.adminToken())
                    .get("/api/v2/flux/clusters/" + Fleet.dns(cluster) + "/sets/" + plural)
                    .expect(200)
                    .at("/inputs");
            if (answer.at("/0/count").intValue() > 0) {
                all.addAll(flux.build(set, answer));
            }
        }
        return normal(all);
    }

    private static Map<String, String> built(Kustomize kustomize, Path path) {
        return normal(kustomize.build(path).stream()
                .filter(one -> !ACCOUNTS.contains(one.at("/metadata/name").asString("")))
                .toList());
    }

    private static Map<String, String> normal(List<JsonNode> objects) {
        Map<String, String> all = new TreeMap<>();
        for (JsonNode one : objects) {
            ObjectNode object = (ObjectNode) one.deepCopy();
            if (object.at("/metadata/labels") instanceof ObjectNode labels) {
                labels.remove(List.of(
                        "resourceset.fluxcd.controlplane.io/name", "resourceset.fluxcd.controlplane.io/namespace"));
            }
            if (object.at("/metadata/annotations") instanceof ObjectNode annotations) {
                annotations.remove(List.of(
                        "event.toolkit.fluxcd.io/answer_digest",
                        "event.toolkit.fluxcd.io/item_digest",
                        "kustomize.toolkit.fluxcd.io/prune",
                        "kustomize.toolkit.fluxcd.io/force"));
            }
            if (object.at("/spec/commonMetadata") instanceof ObjectNode common
                    && common.path("annotations") instanceof ObjectNode annotations) {
                annotations.remove("event.toolkit.fluxcd.io/item_digest");
                if (annotations.isEmpty()) {
                    common.remove("annotations");
                }
            }
            if (object.at("/spec/inputs/0") instanceof ObjectNode input) {
                input.remove("digest");
            }
            String key = object.path("kind").asString("") + "/"
                    + object.at("/metadata/name").asString("");
            assertThat(all.put(key, CanonicalJson.text(object)))
                    .as(key + " twice")
                    .isNull();
        }
        return all;
    }

    @Test
    void theBaseHoldsWhatAllShareAndFluxFollowsEachClustersFolder() throws Exception {
        tiers("shared");
        write("paths", folder);
        Path flux = folder.resolve("flux/shared-prod-1.yaml");
        List<JsonNode> sync = FluxOperatorCli.documents(Files.readString(flux));
        assertThat(sync.stream().map(one -> one.path("kind").asString()))
                .as("the account is there before something acts as it")
                .containsExactly("ServiceAccount", "ClusterRoleBinding", "GitRepository", "Kustomization");
        assertThat(sync.get(2).at("/spec/ref/branch").asString()).isEqualTo("main");
        assertThat(sync.get(3).at("/spec/path").asString()).isEqualTo("./clusters/prod/shared-prod-1");
        assertThat(sync.get(3).at("/spec/serviceAccountName").asString())
                .isEqualTo(sync.get(0).at("/metadata/name").asString())
                .isEqualTo("homeport-platform");
        Path branches = folder.resolve("branches");
        write("branches", branches);
        List<JsonNode> own =
                FluxOperatorCli.documents(Files.readString(branches.resolve("env/prod/flux/shared-prod-1.yaml")));
        assertThat(own.get(2).at("/spec/ref/branch").asString()).isEqualTo("env/prod");
        assertThat(Files.readString(folder.resolve("clusters/base/kustomization.yaml")))
                .contains("homeport-component", "homeport-platform");
        fleet.admin.get("/api/v2/export/git").expect(422);
        fleet.admin
                .get("/api/v2/export/git?repository=https://git.example.com/f.git&layout=tree")
                .expect(422);
    }
}
