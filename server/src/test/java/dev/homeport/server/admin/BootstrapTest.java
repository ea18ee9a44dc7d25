package dev.homeport.server.admin;

import static dev.homeport.server.admin.GivenManifests.content;
import static dev.homeport.server.admin.GivenManifests.key;
import static dev.homeport.server.admin.GivenManifests.object;
import static dev.homeport.server.admin.GivenManifests.objects;
import static dev.homeport.server.admin.GivenManifests.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestClient;
import dev.homeport.server.TestServer;
import dev.homeport.testing.Requirement;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** What a cluster gets: asked for over HTTP, read as YAML, and used as Flux would use it. */
class BootstrapTest extends AdminTest {
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final String URL = "\"url\": \"https://homeport.example.com\"";

    private TestClient.Answer bootstrap(String cluster, String body) {
        return fleet.admin.post("/api/v2/clusters/" + cluster + ":bootstrap", body);
    }

    @Test
    @Requirement("C1")
    void theTokenInTheManifestsPollsWhatTheProvidersAskFor() {
        fleet.cluster("boot-polls", "dev", "{\"poll_interval\": \"30s\"}");
        String yaml = content(bootstrap("boot-polls", "{" + URL + "}").expect(201));
        JsonNode provider = object(yaml, "ResourceSetInputProvider", "homeport-types");
        assertThat(provider.at("/metadata/annotations/fluxcd.controlplane.io~1reconcileEvery")
                        .asString())
                .isEqualTo("30s");
        assertThat(provider.at("/spec/filter/limit").intValue()).isEqualTo(10_000);
        assertThat(provider.path("spec").has("insecure")).isFalse();
        String url = provider.at("/spec/url").stringValue();
        assertThat(url).startsWith("https://homeport.example.com/api/v2/flux/clusters/");
        TestClient cluster = fleet.server.poll(token(yaml));
        JsonNode root = cluster.get(url.substring("https://homeport.example.com".length()))
                .expect(200)
                .at("/inputs/0");
        assertThat(root.path("id").asString()).isEqualTo("boot-polls");
        assertThat(root.path("count").intValue())
                .isEqualTo(root.path("items").size())
                .as("three types, and what a cluster is asked about itself")
                .isEqualTo(4);
        for (JsonNode type : root.path("items")) {
            assertThat(type.path("template").stringValue())
                    .contains("inputs.items")
                    .contains("@cluster-id@");
            Fleet.sets(cluster, "boot-polls", type.path("id").stringValue());
        }
        assertThat(objects(yaml))
                .allSatisfy(one -> assertThat(one.at("/metadata/labels/cluster").asString())
                        .isEqualTo("boot-polls"));
    }

    @Test
    @Requirement("C3")
    @Requirement(value = "C4", part = "the manifests name no provider")
    void manifestsDifferInTheIdentityAndTheSecretsAlone() {
        fleet.cluster("boot-one", "dev", "{}");
        fleet.cluster("boot-two", "prod", "{}");
        String one = content(bootstrap("boot-one", "{" + URL + "}").expect(201));
        String two = content(bootstrap("boot-two", "{" + URL + "}").expect(201));
        // Tokens and keys are random, and may spell anything.
        assertThat(one.replace(token(one), "").replace(key(one), ""))
                .doesNotContainIgnoringCase("aws")
                .doesNotContainIgnoringCase("azure")
                .doesNotContainIgnoringCase("gke");
        // The identity's words put in place of the other's: nothing else may differ, the Secrets' values apart.
        JsonNode identity = object(one, "ConfigMap", "cluster-identity").path("data");
        assertThat(identity.path("ENVIRONMENT").asString()).isEqualTo("dev");
        assertThat(identity.path("CLUSTER_DNS").asString()).isEqualTo(Fleet.dns("boot-one"));
        assertThat(identity.path("INTERNAL_API_URL").asString()).isEqualTo("https://homeport.example.com");
        String moved = one.replace("boot-one", "boot-two")
                .replace("ENVIRONMENT: \"dev\"", "ENVIRONMENT: \"prod\"")
                .replace(token(one), token(two))
                .replace(key(one), key(two));
        assertThat(moved).isEqualTo(two);
        assertThat(key(one)).isNotEqualTo(key(two)).matches("hpe_e[0-9a-z]{1,12}_[0-9A-Za-z]{49}");
    }

    @Test
    void aCertificateStandsInThePlaceOfAToken() {
        fleet.cluster("boot-cert", "dev", "{}");
        long before = fleet.revision();
        var answer = bootstrap("boot-cert", "{" + URL + ", \"client_certificate\": \"homeport-client\"}")
                .expect(200);
        assertThat(fleet.revision()).as("no token is made").isEqualTo(before);
        assertThat(answer.at("/token_id").isMissingNode()).isTrue();
        String yaml = content(answer);
        assertThat(kinds(yaml, "Secret")).containsExactly("homeport-events");
        JsonNode provider = object(yaml, "ResourceSetInputProvider", "homeport-types");
        assertThat(provider.at("/spec/certSecretRef/name").asString()).isEqualTo("homeport-client");
        assertThat(provider.path("spec").has("secretRef")).isFalse();
        assertThat(object(yaml, "ResourceSet", "homeport-types")
                        .at("/spec/resourcesTemplate")
                        .asString())
                .contains("\"certSecretRef\":{\"name\":\"homeport-client\"}")
                .doesNotContain("homeport-token");
        assertThat(object(yaml, "Provider", "homeport")
                        .at("/spec/certSecretRef/name")
                        .asString())
                .isEqualTo("homeport-client");
        // The key that events are signed with is in there: it is for those who could make a token.
        fleet.server
                .admin(fleet.token("{\"kind\":\"person\",\"subject\":\"boot-looker\"}"))
                .post(
                        "/api/v2/clusters/boot-cert:bootstrap",
                        "{" + URL + ", \"client_certificate\": \"homeport-client\"}")
                .expect(403);
    }

    @Test
    void aThirdTokenThatWorksIsRefusedOrReplacesTheOldest() {
        fleet.cluster("boot-third", "dev", "{}");
        String path = "/api/v2/flux/clusters/" + Fleet.dns("boot-third") + "/sets/types";
        String first = token(content(bootstrap("boot-third", "{" + URL + "}").expect(201)));
        String second = token(content(bootstrap("boot-third", "{" + URL + "}").expect(201)));
        long before = fleet.revision();
        assertThat(bootstrap("boot-third", "{" + URL + "}").expect(409).text()).contains("replace");
        assertThat(fleet.revision()).isEqualTo(before);
        String third = token(content(
                bootstrap("boot-third", "{" + URL + ", \"replace\": true}").expect(201)));
        fleet.server.poll(first).get(path).expect(401);
        fleet.server.poll(second).get(path).expect(200);
        fleet.server.poll(third).get(path).expect(200);
        // The event key is derived, so it stays.
        fleet.admin
                .post("/api/v2/clusters/boot-third:bootstrap?dry_run=true", "{" + URL + ", \"replace\": true}")
                .expect(200);
        fleet.server.poll(second).get(path).expect(200);
    }

    @Test
    void whatIsAskedForWronglyIsSaidAndMakesNoToken() {
        fleet.cluster("boot-wrong", "dev", "{}");
        long before = fleet.revision();
        for (Map.Entry<String, String> wrong : Map.ofEntries(
                        Map.entry("{}", "/url"),
                        Map.entry("{\"url\": \"http://homeport.example.com\"}", "/url"),
                        Map.entry("{\"url\": \"https://user:secret@homeport.example.com\"}", "/url"),
                        Map.entry("{\"url\": \"https://h.example.com\\\" >>\"}", "/url"),
                        Map.entry("{" + URL + ", \"types\": [\"clusters\"]}", "/types/0"),
                        Map.entry("{" + URL + ", \"types\": \"namespaces\"}", "/types"),
                        Map.entry("{" + URL + ", \"poll_interval\": \"0s\"}", "/poll_interval"),
                        Map.entry("{" + URL + ", \"namespace\": \"Flux System\"}", "/namespace"),
                        Map.entry("{" + URL + ", \"names\": {\"objects\": \"x\"}}", "/names/objects"),
                        Map.entry("{" + URL + ", \"names\": {\"objects\": \"{id}\\\"`<<\"}}", "/names/objects"),
                        Map.entry("{" + URL + ", \"bindable_roles\": [\"a\\nb\"]}", "/bindable_roles/0"),
                        Map.entry("{" + URL + ", \"ca_certificate\": \"PRIVATE KEY\"}", "/ca_certificate"),
                        Map.entry("{" + URL + ", \"format\": \"tar\"}", "/format"),
                        Map.entry("{" + URL + ", \"colour\": \"red\"}", "/colour"),
                        Map.entry("{" + URL + ", \"client_certificate\": \"A B\"}", "/client_certificate"),
                        Map.entry("{" + URL + ", \"client_certificate\": \"x\", \"replace\": true}", "/replace"),
                        Map.entry("{" + URL + ", \"replace\": \"yes\"}", "/replace"))
                .entrySet()) {
            assertThat(bootstrap("boot-wrong", wrong.getKey()).expect(422).text())
                    .as(wrong.getKey())
                    .contains("\"" + wrong.getValue() + "\"");
        }
        bootstrap("boot-nowhere", "{" + URL + "}").expect(404);
        fleet.server
                .admin(fleet.token("{\"kind\":\"person\",\"subject\":\"boot-reader\"}"))
                .post("/api/v2/clusters/boot-wrong:bootstrap", "{" + URL + "}")
                .expect(403);
        assertThat(fleet.revision()).isEqualTo(before + 1);
    }

    @Test
    void aClusterThatLeftGetsNoManifests() {
        fleet.cluster("boot-left", "dev", "{}");
        fleet.confirmed("POST", "/api/v2/clusters/boot-left:detach", "", Map.of())
                .expect(200);
        assertThat(bootstrap("boot-left", "{" + URL + "}").expect(409).text()).contains("undelete");
    }

    @Test
    void onlyALoopbackServerIsSpokenToInTheClear() {
        fleet.cluster("boot-plain", "dev", "{}");
        String yaml = content(
                bootstrap("boot-plain", "{\"url\": \"http://127.0.0.1:8081/\"}").expect(201));
        JsonNode provider = object(yaml, "ResourceSetInputProvider", "homeport-types");
        assertThat(provider.at("/spec/insecure").booleanValue()).isTrue();
        assertThat(provider.at("/spec/url").asString()).startsWith("http://127.0.0.1:8081/api/v2/flux/");
    }

    @Test
    @Requirement("C9")
    void oneTypeAloneIsAdopted() {
        fleet.cluster("boot-single", "dev", "{}");
        String yaml = content(bootstrap("boot-single", "{" + URL + ", \"types\": [\"namespaces\"]}")
                .expect(201));
        assertThat(kinds(yaml, "ResourceSetInputProvider")).containsExactly("homeport-namespaces");
        assertThat(kinds(yaml, "ResourceSet")).containsExactly("homeport-namespaces", "homeport-operator");
        assertThat(kinds(yaml, "ServiceAccount")).containsExactly("homeport-namespaces", "homeport-feedback");
        assertThat(kinds(yaml, "ClusterRole")).containsExactly("homeport-namespaces");
        assertThat(object(yaml, "ClusterRole", "homeport-namespaces")
                        .at("/rules/0/resources")
                        .toString())
                .isEqualTo("[\"namespaces\"]");
    }

    @Test
    void aChangedIntervalIsInTheAnswerThatTheRootSetReads() {
        fleet.cluster("boot-pace", "dev", "{}");
        String yaml = content(bootstrap("boot-pace", "{" + URL + ", \"poll_interval\": \"5m\"}")
                .expect(201));
        assertThat(object(yaml, "ResourceSetInputProvider", "homeport-types")
                        .at("/spec/url")
                        .asString())
                .endsWith("/sets/types?every=5m");
        assertThat(intervals("boot-pace", token(yaml)))
                .as("the document says nothing, so what was applied stays")
                .containsOnly("");
        fleet.admin
                .patch("/api/v2/clusters/boot-pace", "{\"spec\":{\"poll_interval\":\"30s\"}}")
                .expect(200);
        assertThat(intervals("boot-pace", token(yaml))).isNotEmpty().containsOnly("30s");
        assertThat(bootstrap("boot-pace", "{" + URL + ", \"poll_interval\": \"5m\", \"replace\": true}")
                        .expect(422)
                        .text())
                .contains("\"/poll_interval\"", "the cluster's document says 30s");
        assertThat(content(bootstrap("boot-pace", "{" + URL + ", \"poll_interval\": \"30s\"}")
                        .expect(201)))
                .contains("/sets/types?every=30s");
    }

    private List<String> intervals(String cluster, String token) {
        return fleet.server
                .poll(token)
                .get("/api/v2/flux/clusters/" + Fleet.dns(cluster) + "/sets/types")
                .expect(200)
                .at("/inputs/0/items")
                .valueStream()
                .map(type -> type.path("poll_interval").asString(""))
                .toList();
    }

    @Test
    void theAccountThatComponentsNameIsMadeBeforeAnythingNamesIt() {
        fleet.cluster("boot-account", "dev", "{}");
        String yaml = content(bootstrap("boot-account", "{" + URL + ", \"flux_instance\": \"create\"}")
                .expect(201));
        List<String> order = objects(yaml).stream()
                .map(one -> one.path("kind").asString("") + " "
                        + one.at("/metadata/name").asString(""))
                .toList();
        assertThat(order)
                .containsSubsequence(
                        "ServiceAccount homeport-platform",
                        "ClusterRoleBinding homeport-platform",
                        "ResourceSet homeport-types",
                        "FluxInstance flux");
        JsonNode binding = object(yaml, "ClusterRoleBinding", "homeport-platform");
        assertThat(binding.at("/roleRef/name").asString()).isEqualTo("cluster-admin");
        assertThat(binding.at("/subjects/0/name").asString()).isEqualTo("homeport-platform");
        assertThat(binding.at("/subjects/0/namespace").asString()).isEqualTo("flux-system");
        assertThat(object(yaml, "FluxInstance", "flux")
                        .at("/spec/cluster/multitenant")
                        .asBoolean())
                .isTrue();
        assertThat(objects(yaml))
                .filteredOn(one -> one.path("kind").asString("").equals("ResourceSet"))
                .allSatisfy(set -> assertThat(set.at("/spec/serviceAccountName").asString())
                        .startsWith("homeport-"));
    }

    @Test
    void aFleetWhoseComponentsNameNoAccountIsNotLockedDown(@TempDir Path folder) {
        try (TestServer older = TestServer.in(folder)) {
            Fleet before = new Fleet(older);
            before.cluster("boot-older", "dev", "{}");
            before.confirmed(
                            "PATCH",
                            "/api/v2/settings/fleet",
                            "{\"spec\":{\"answer_format\":2}}",
                            Map.of("Content-Type", "application/merge-patch+json"))
                    .expect(200);
            String yaml = content(before.admin
                    .post("/api/v2/clusters/boot-older:bootstrap", "{" + URL + ", \"flux_instance\": \"create\"}")
                    .expect(201));
            assertThat(object(yaml, "FluxInstance", "flux").path("spec").has("cluster"))
                    .isFalse();
        }
    }

    private static Stream<String> kinds(String yaml, String kind) {
        return objects(yaml).stream()
                .filter(one -> one.path("kind").asString("").equals(kind))
                .map(one -> one.at("/metadata/name").asString(""));
    }

    @Test
    void formatsHoldTheSameObjects() {
        fleet.cluster("boot-forms", "dev", "{}");
        var folder = bootstrap("boot-forms", "{" + URL + ", \"format\": \"kustomize\"}")
                .expect(201);
        assertThat(folder.at("/files")
                        .valueStream()
                        .map(file -> file.path("path").asString()))
                .containsExactly("kustomization.yaml", "homeport.yaml", "secrets.yaml");
        var set = bootstrap("boot-forms", "{" + URL + ", \"format\": \"clusterapi\"}")
                .expect(201);
        String yaml = content(set);
        JsonNode resources =
                object(yaml, "ClusterResourceSet", "homeport-boot-forms").at("/spec/resources");
        assertThat(resources).hasSize(2);
        String inside = object(yaml, "ConfigMap", "homeport-boot-forms")
                .at("/data/homeport.yaml")
                .stringValue();
        assertThat(inside).isEqualTo(folder.at("/files/1/content").stringValue());
        assertThat(inside).doesNotContain("kind: \"Secret\"");
        assertThat(object(yaml, "Secret", "homeport-boot-forms").path("type").asString())
                .isEqualTo("addons.cluster.x-k8s.io/resource-set");
    }

    @Test
    void theOperatorsKindsAreReportedOnlyWhereAFluxInstanceIs() {
        fleet.cluster("boot-kinds", "dev", "{}");
        String without = content(bootstrap("boot-kinds", "{" + URL + ", \"flux_instance\": \"absent\"}")
                .expect(201));
        assertThat(kinds(without, "Alert")).containsExactly("homeport");
        assertThat(kinds(without, "ResourceSet")).containsExactly("homeport-types");
        assertThat(without).doesNotContain("FluxInstance");
        String with = content(bootstrap("boot-kinds", "{" + URL + ", \"flux_instance\": \"present\"}")
                .expect(201));
        assertThat(kinds(with, "Alert")).containsExactly("homeport", "homeport-operator");
        JsonNode provider = object(with, "Provider", "homeport");
        assertThat(provider.at("/spec/type").asString()).isEqualTo("generic-hmac");
        assertThat(provider.at("/spec/address").asString())
                .isEqualTo("https://homeport.example.com/api/v2/flux/clusters/" + Fleet.dns("boot-kinds") + "/events");
        // With an instance that is yet to come, the kinds of notifications do not exist yet: a set waits for them.
        String created =
                content(bootstrap("boot-kinds", "{" + URL + ", \"flux_instance\": \"create\", \"replace\": true}")
                        .expect(201));
        assertThat(kinds(created, "FluxInstance")).containsExactly("flux");
        assertThat(kinds(created, "Alert")).isEmpty();
        JsonNode set = object(created, "ResourceSet", "homeport-feedback");
        assertThat(set.at("/spec/dependsOn/0/kind").asString()).isEqualTo("FluxInstance");
        assertThat(set.at("/spec/resources")
                        .valueStream()
                        .map(one -> one.path("kind").asString()))
                .containsExactly("Provider", "Alert");
        assertThat(kinds(created, "ResourceSet")).contains("homeport-operator");
    }

    /** An alert on a kind that Flux's definition does not list would be refused, so the cluster finds out. */
    @Test
    void byDefaultTheClusterFindsOutWhetherTheOperatorsKindsCanBeReported() {
        fleet.cluster("boot-detect", "dev", "{}");
        String yaml = content(bootstrap("boot-detect", "{" + URL + "}").expect(201));
        assertThat(kinds(yaml, "Alert")).containsExactly("homeport");
        JsonNode set = object(yaml, "ResourceSet", "homeport-operator");
        JsonNode dependency = set.at("/spec/dependsOn/0");
        assertThat(dependency.path("kind").asString()).isEqualTo("CustomResourceDefinition");
        assertThat(dependency.path("name").asString()).isEqualTo("alerts.notification.toolkit.fluxcd.io");
        assertThat(dependency.path("readyExpr").asString()).contains("'ResourceSet' in ");
        assertThat(set.at("/spec/resources/0/metadata/name").asString()).isEqualTo("homeport-operator");
        assertThat(kinds(yaml, "ServiceAccount"))
                .contains(set.at("/spec/serviceAccountName").asString());
    }

    @Test
    void anAlertRuleForProvidersThatAreNotReadyShips() {
        fleet.cluster("boot-rule", "dev", "{}");
        String yaml = content(bootstrap("boot-rule", "{" + URL + ", \"prometheus_rule\": true}")
                .expect(201));
        JsonNode rule = object(yaml, "PrometheusRule", "homeport").at("/spec/groups/0/rules/0");
        assertThat(rule.path("expr").asString())
                .contains("flux_resource_info{kind=\"ResourceSetInputProvider\"", "ready=\"False\"");
        assertThat(rule.path("for").asString()).isEqualTo("15m");
    }

    @Test
    void rolesThatMayBeBoundCanBeNamed() {
        fleet.cluster("boot-roles", "dev", "{}");
        String yaml = content(bootstrap("boot-roles", "{" + URL + ", \"bindable_roles\": [\"view\", \"edit\"]}")
                .expect(201));
        JsonNode bind = object(yaml, "ClusterRole", "homeport-rolebindings").at("/rules/1");
        assertThat(bind.path("verbs").toString()).isEqualTo("[\"bind\"]");
        assertThat(bind.path("resourceNames").toString()).isEqualTo("[\"view\",\"edit\"]");
    }

    @Test
    void anEventSignedWithTheKeyInTheManifestsIsTaken() throws Exception {
        fleet.cluster("boot-events", "dev", "{}");
        String yaml = content(bootstrap("boot-events", "{" + URL + "}").expect(201));
        String body = event();
        String signature = signature(key(yaml), body);
        String path = object(yaml, "Provider", "homeport")
                .at("/spec/address")
                .stringValue()
                .substring("https://homeport.example.com".length());
        TestClient poll = fleet.server.poll("");
        poll.send("POST", path, body, Map.of("X-Signature", signature)).expect(202);
        poll.send("POST", path, body + " ", Map.of("X-Signature", signature)).expect(401);
    }

    @Test
    void anotherNumberIsAnotherEventKeyBesideTheOneBefore() throws Exception {
        fleet.cluster("boot-rekey", "dev", "{}");
        List<String> keys = new ArrayList<>();
        keys.add(key(content(bootstrap("boot-rekey", "{" + URL + "}").expect(201))));
        String answer = payload("boot-rekey");
        for (int number = 2; number <= 3; number++) {
            fleet.admin
                    .send(
                            "PATCH",
                            "/api/v2/clusters/boot-rekey",
                            "{\"spec\": {\"event_key\": " + number + "}}",
                            Map.of("Content-Type", "application/merge-patch+json"))
                    .expect(200);
            String with = number == 2 ? ", \"client_certificate\": \"homeport-client\"" : "";
            keys.add(key(content(bootstrap("boot-rekey", "{" + URL + with + "}"))));
        }
        assertThat(keys).doesNotHaveDuplicates();
        assertThat(payload("boot-rekey")).as("no cluster has anything to do").isEqualTo(answer);
        String path = "/api/v2/flux/clusters/" + Fleet.dns("boot-rekey") + "/events";
        List<Integer> statuses = new ArrayList<>();
        for (String key : keys) {
            String body = event();
            statuses.add(fleet.server
                    .poll("")
                    .send("POST", path, body, Map.of("X-Signature", signature(key, body)))
                    .status());
        }
        assertThat(statuses).containsExactly(401, 202, 202);
    }

    private String payload(String cluster) {
        return fleet.admin
                .get("/api/v2/clusters/" + cluster + "/payload/namespaces?shape=set&raw=true")
                .expect(200)
                .text();
    }

    private static String event() {
        return """
                {"involvedObject": {"kind": "Kustomization", "namespace": "flux-system", "name": "c-x"},
                 "severity": "info", "timestamp": "%s", "message": "Health check passed", "reason": "Progressing"}""".formatted(Instant.now().truncatedTo(ChronoUnit.SECONDS));
    }

    private static String signature(String key, String body) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        return "sha256=" + HexFormat.of().formatHex(mac.doFinal(body.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void whoeverJoinsGetsTheManifestsWithTheToken(@TempDir Path folder) {
        try (TestServer server = TestServer.in(folder, Map.of("--poll-url", "https://homeport.example.com/"))) {
            Fleet joining = new Fleet(server);
            joining.cluster("boot-join", "dev", "{\"poll_interval\": \"5m\"}");
            String join = joining.token("{\"kind\": \"join\", \"subject\": \"boot-join\"}");
            var joined = server.admin(join).post("/api/v2/join", "").expect(201);
            String yaml = joined.at("/manifests").stringValue();
            assertThat(token(yaml)).isEqualTo(joined.at("/token").stringValue());
            assertThat(object(yaml, "ResourceSetInputProvider", "homeport-types")
                            .at("/spec/url")
                            .asString())
                    .startsWith("https://homeport.example.com/api/v2/flux/clusters/");
            assertThat(yaml).contains("reconcileEvery: \"5m\"");
        }
    }

    @Test
    void whoeverJoinsMayChooseAsWithBootstrapAndAWrongChoiceSpendsNothing() {
        fleet.cluster("boot-chooses", "dev", "{}");
        TestClient join = fleet.server.admin(fleet.token("{\"kind\": \"join\", \"subject\": \"boot-chooses\"}"));
        for (String wrong : List.of(
                "{\"format\": \"helm\"}", // and no address
                "{" + URL + ", \"format\": \"msi\"}",
                "{" + URL + ", \"replace\": true}",
                "{" + URL + ", \"client_certificate\": \"mine\"}",
                "{" + URL + ", \"nonsense\": 1}")) {
            join.post("/api/v2/join", wrong).expect(422);
        }
        var joined =
                join.post("/api/v2/join", "{" + URL + ", \"format\": \"helm\"}").expect(201);
        assertThat(joined.at("/manifests").isMissingNode()).isTrue();
        assertThat(token(file(joined, "files/secrets.yaml")))
                .isEqualTo(joined.at("/token").stringValue());
    }

    private static String file(TestClient.Answer answer, String path) {
        for (JsonNode file : answer.at("/files")) {
            if (file.path("path").asString("").equals(path)) {
                return file.path("content").stringValue();
            }
        }
        throw new AssertionError("no " + path + " in " + answer.at("/files"));
    }

    @Test
    void aChartHasTheSameObjectsAndTakesNoneAwayAgain() {
        fleet.cluster("boot-chart", "dev", "{}");
        String yaml = content(bootstrap("boot-chart", "{" + URL + "}").expect(201));
        var chart =
                bootstrap("boot-chart", "{" + URL + ", \"format\": \"helm\"}").expect(201);
        assertThat(file(chart, "templates/homeport.yaml")).contains(".Files.Get \"files/homeport.yaml\"");
        assertThat(file(chart, "templates/secrets.yaml")).contains(".Files.Get \"files/secrets.yaml\"");
        assertThat(YAML.readTree(file(chart, "Chart.yaml")).path("name").asString())
                .isEqualTo("homeport");
        List<JsonNode> all = new ArrayList<>(objects(file(chart, "files/homeport.yaml")));
        assertThat(all).noneMatch(one -> one.path("kind").asString("").equals("Secret"));
        all.addAll(objects(file(chart, "files/secrets.yaml")));
        assertThat(all)
                .allSatisfy(one -> assertThat(one.at("/metadata/annotations/helm.sh~1resource-policy")
                                .asString(""))
                        .isEqualTo("keep"));
        assertThat(all.stream().map(BootstrapTest::name))
                .as("all but the namespace, which is Helm's to make")
                .containsExactlyInAnyOrderElementsOf(objects(yaml).stream()
                        .map(BootstrapTest::name)
                        .filter(name -> !name.startsWith("Namespace"))
                        .toList());
        var module = bootstrap(
                        "boot-chart",
                        "{" + URL + ", \"format\": \"terraform\", \"namespace\": \"flux\"," + " \"replace\": true}")
                .expect(201);
        assertThat(file(module, "main.tf"))
                .contains("prevent_destroy = true", "chart            = \"${path.module}/chart\"", "= \"flux\"");
        assertThat(objects(file(module, "chart/files/secrets.yaml"))).isNotEmpty();
    }

    private static String name(JsonNode object) {
        return object.path("kind").asString("") + " "
                + object.at("/metadata/name").asString("");
    }
}
