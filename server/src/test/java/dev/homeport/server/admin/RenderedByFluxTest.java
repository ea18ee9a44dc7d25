package dev.homeport.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.fleet.Answer;
import dev.homeport.fleet.ClusterBlock;
import dev.homeport.fleet.Item;
import dev.homeport.fleet.Rendering;
import dev.homeport.fleet.WireShape;
import dev.homeport.json.CanonicalJson;
import dev.homeport.json.StrictJson;
import dev.homeport.server.FluxOperatorCli;
import dev.homeport.testing.Requirement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** Our manifests and our answers in the hands of Flux Operator's own renderer: exactly these objects, whatever the values. */
class RenderedByFluxTest extends AdminTest {
    private static final Path GOLDEN = Path.of("src/test/resources/dev/homeport/server/admin/rendered");
    private static final List<String> TYPES = List.of("namespaces", "platform-components", "rolebindings");

    private static final String EXTERNAL_SECRETS = """
            <<- range $i := inputs.items >>
            ---
            apiVersion: "external-secrets.io/v1"
            kind: "ExternalSecret"
            metadata:
              name: << $i.id | toJson >>
              namespace: "@namespace@"
            spec:
              secretStoreRef:
                kind: "ClusterSecretStore"
                name: << $i.store | toJson >>
              dataFrom:
                - extract:
                    key: << $i.key | toJson >>
            <<- end >>
            """;

    @TempDir
    Path folder;

    /** The manifests and answers of a cluster, and what Flux makes of them. */
    private final class Managed {
        final FluxOperatorCli flux = FluxOperatorCli.in(folder);
        final String cluster;
        final String token;
        final Map<String, JsonNode> sets = new TreeMap<>();

        Managed(String cluster, String more) {
            this.cluster = cluster;
            String yaml = fleet.admin
                    .post(
                            "/api/v2/clusters/" + cluster + ":bootstrap",
                            "{\"url\": \"https://homeport.example.com\"" + more + "}")
                    .expect(201)
                    .at("/files/0/content")
                    .stringValue();
            List<JsonNode> manifests = FluxOperatorCli.documents(yaml);
            this.token = find(manifests, "Secret", "homeport-token")
                    .at("/stringData/token")
                    .stringValue();
            for (JsonNode one : manifests) {
                if (kind(one).equals("ResourceSet")) {
                    sets.put(name(one), one);
                }
            }
            if (sets.containsKey("homeport-types")) {
                for (JsonNode one : flux.build(sets.get("homeport-types"), answer("types"))) {
                    if (kind(one).equals("ResourceSet")) {
                        sets.put(name(one), one);
                    }
                }
            }
        }

        ArrayNode answer(String plural) {
            return (ArrayNode) fleet.server
                    .poll(token)
                    .get("/api/v2/flux/clusters/" + Fleet.dns(cluster) + "/sets/" + plural)
                    .expect(200)
                    .at("/inputs");
        }

        JsonNode set(String plural) {
            JsonNode set = sets.get("homeport-" + plural);
            assertThat(set).as(plural).isNotNull();
            return set;
        }

        List<JsonNode> objects(String plural) {
            return flux.build(set(plural), answer(plural));
        }

        /** What the sets of single components make. */
        List<JsonNode> componentObjects() {
            return innerObjects("platform-components");
        }

        List<JsonNode> innerObjects(String plural) {
            List<JsonNode> all = new ArrayList<>();
            objects(plural).forEach(inner -> all.addAll(flux.build(inner)));
            return all;
        }
    }

    private static String kind(JsonNode object) {
        return object.path("kind").asString("");
    }

    private static String name(JsonNode object) {
        return object.at("/metadata/name").asString("");
    }

    private static JsonNode find(List<JsonNode> objects, String kind, String name) {
        return objects.stream()
                .filter(one -> kind(one).equals(kind) && name(one).equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + kind + " " + name + " in " + objects));
    }

    private void sample(String prefix) {
        fleet.component(prefix + "-base", """
                {"kind": "kustomize", "component_path": "core/base/1.0.0", "cluster_env_enabled": true,
                 "values": {"REPLICAS": 2, "NAME": {"$cluster": "name"}}, "sops_secret": "sops-age",
                 "pull_secret": "registry", "verify": {"provider": "cosign", "secret": "cosign-key"},
                 "secret_refs": [{"name": "base-secrets", "optional": true}]}""");
        fleet.component(prefix + "-app", """
                {"depends_on": ["NAME-base"], "values": {"ui": {"message": "hello"}, "replicas": 1}, "stateful": true,
                 "target_namespace": "apps", "interval": "5m", "timeout": "3m",
                 "secret_refs": [{"name": "app-secrets", "values_key": "password", "target_path": "db.password"}]}""".replace("NAME", prefix));
        fleet.component(prefix + "-chart", """
                {"oci_url": "https://charts.example.com/stable", "component_path": "podinfo", "oci_tag": "6.5.0"}""");
        fleet.create(
                        "namespaces",
                        prefix + "-team",
                        "{\"labels\": {\"team\": \"a\"}, \"annotations\": {\"contact\": \"a@example.com\"}}")
                .expect(201);
        fleet.create("namespaces", prefix + "-short", "{\"keep\": false}").expect(201);
        fleet.create("rolebindings", prefix + "-viewers", """
                {"role": "view", "subjects": [{"kind": "Group", "name": "oidc:viewers"},
                 {"kind": "ServiceAccount", "name": "ci", "namespace": "apps"}]}""").expect(201);
        fleet.create("rolebindings", prefix + "-editors", """
                {"role": "edit", "namespace": "NAME-team", "subjects": [{"kind": "User", "name": "jane@example.com"}]}""".replace("NAME", prefix))
                .expect(201);
        fleet.cluster(prefix, "prod", """
                {"platform_components": [{"id": "NAME-base"}, {"id": "NAME-app"}, {"id": "NAME-chart"}],
                 "namespaces": [{"id": "NAME-team"}, {"id": "NAME-short"}],
                 "rolebindings": [{"id": "NAME-viewers"}, {"id": "NAME-editors"}],
                 "patches": {"NAME-app": {"ui.message": "from prod", "replicas": 5}}}""".replace("NAME", prefix));
    }

    @Test
    @Requirement({"B9", "G10"})
    void theRenderedObjectsAreTheReviewedOnes() throws Exception {
        sample("golden");
        Managed managed = new Managed("golden", "");
        for (String plural : TYPES) {
            compare(plural, managed.objects(plural));
        }
        List<JsonNode> objects = managed.componentObjects();
        compare("components", objects);
        compare("bindings", managed.innerObjects("rolebindings"));
        JsonNode release = find(objects, "HelmRelease", "c-golden-app");
        assertThat(release.at("/spec/values/ui/message").asString()).isEqualTo("from prod");
        assertThat(release.at("/spec/values/replicas").intValue()).isEqualTo(5);
        // The cluster's name is on every object, and on all that Flux makes of them.
        for (JsonNode one : objects) {
            assertThat(one.at("/metadata/labels/cluster").asString(""))
                    .as(one.toString())
                    .isEqualTo("golden");
            if (List.of("HelmRelease", "Kustomization").contains(kind(one))) {
                assertThat(one.at("/spec/commonMetadata/labels/cluster").asString(""))
                        .isEqualTo("golden");
            }
        }
        assertThat(find(objects, "Kustomization", "c-golden-base")
                        .at("/spec/postBuild/substitute/NAME")
                        .asString())
                .isEqualTo("golden");
    }

    /** The files are what people reviewed; a difference is either a fault or a new file to review. */
    private static void compare(String name, List<JsonNode> objects) throws Exception {
        StringBuilder text = new StringBuilder();
        for (JsonNode one : objects) {
            ObjectNode shown = (ObjectNode) one.deepCopy();
            if (shown.at("/spec/resourcesTemplate").isString()) {
                ((ObjectNode) shown.get("spec")).put("resourcesTemplate", "(the template of one)");
            }
            text.append(YamlForm.write(shown)).append("---\n");
        }
        Path golden = GOLDEN.resolve(name + ".yaml");
        if (Boolean.getBoolean("homeport.golden.write")) {
            Files.createDirectories(GOLDEN);
            Files.writeString(golden, text);
        }
        assertThat(text.toString()).as(golden.toString()).isEqualTo(Files.readString(golden));
    }

    @Test
    void theRootMakesTheSameSetsAsNamingTheTypes() {
        fleet.cluster("rooted", "dev", "{}");
        Managed rooted = new Managed("rooted", "");
        Managed named = new Managed("rooted", ", \"types\": [\"namespaces\",\"platform-components\",\"rolebindings\"]");
        for (String plural : TYPES) {
            assertThat(CanonicalJson.text(rooted.set(plural).get("spec")))
                    .isEqualTo(CanonicalJson.text(named.set(plural).get("spec")));
            assertThat(rooted.set(plural)
                            .at("/metadata/annotations/fluxcd.controlplane.io~1prune")
                            .asString())
                    .isEqualTo("disabled");
        }
    }

    @Test
    void theIntervalOfTheDocumentIsWrittenIntoEveryProvider() {
        fleet.cluster("paced", "dev", "{}");
        Managed managed = new Managed("paced", ", \"poll_interval\": \"5m\"");
        assertThat(intervals(managed))
                .as("of the manifests: each type's, the root's and that of witnesses")
                .hasSize(TYPES.size() + 2)
                .containsOnly("5m");
        fleet.patch("/api/v2/clusters/paced", "{\"poll_interval\": \"1h30m\"}").expect(200);
        assertThat(intervals(managed)).hasSize(TYPES.size() + 2).containsOnly("1h30m");
    }

    /** What the providers that the root set makes have, its own among them. */
    private static List<String> intervals(Managed managed) {
        List<String> found = new ArrayList<>();
        for (JsonNode one : managed.flux.build(managed.sets.get("homeport-types"), managed.answer("types"))) {
            if (kind(one).equals("ResourceSetInputProvider")) {
                String every = one.at("/metadata/annotations/fluxcd.controlplane.io~1reconcileEvery")
                        .asString();
                assertThat(one.at("/spec/url").asString())
                        .endsWith("/sets/" + name(one).substring("homeport-".length()) + "?every=" + every);
                assertThat(one.at("/spec/secretRef/name").asString()).isEqualTo("homeport-token");
                found.add(every);
            }
        }
        return found;
    }

    @Test
    void componentsNameAnAccountIfTheRootSetKnowsOne() {
        sample("accounts");
        Managed managed = new Managed("accounts", "");
        assertThat(accounts(managed.componentObjects())).hasSize(3).containsOnly("homeport-platform");
        ObjectNode older = (ObjectNode) managed.sets.get("homeport-types").deepCopy();
        String template = older.at("/spec/resourcesTemplate").stringValue();
        String without = template.replace(" \"platform-account\" \"homeport-platform\"", "");
        assertThat(without).isNotEqualTo(template);
        ((ObjectNode) older.get("spec")).put("resourcesTemplate", without);
        JsonNode set =
                find(managed.flux.build(older, managed.answer("types")), "ResourceSet", "homeport-platform-components");
        List<JsonNode> objects = new ArrayList<>();
        managed.flux
                .build(set, managed.answer("platform-components"))
                .forEach(inner -> objects.addAll(managed.flux.build(inner)));
        assertThat(accounts(objects)).as("a root set of before").hasSize(3).containsOnly("");
    }

    private static List<String> accounts(List<JsonNode> objects) {
        return objects.stream()
                .filter(one -> List.of("HelmRelease", "Kustomization").contains(kind(one)))
                .map(one -> one.at("/spec/serviceAccountName").asString(""))
                .toList();
    }

    @Test
    void aSignatureIsVerifiedByCosignAndByNotation() {
        for (Map.Entry<String, String> one : Map.of(
                        "keyed", "{\"provider\": \"cosign\", \"secret\": \"trusted\"}",
                        "notation", "{\"provider\": \"notation\", \"secret\": \"trusted\"}")
                .entrySet()) {
            fleet.component("vouched-" + one.getKey(), "{\"verify\": " + one.getValue() + "}");
        }
        fleet.cluster("vouched", "dev", """
                {"platform_components": [{"id": "vouched-keyed"}, {"id": "vouched-notation"}]}""");
        List<JsonNode> objects = new Managed("vouched", "").componentObjects();
        assertThat(verification(objects, "keyed"))
                .isEqualTo("{\"provider\":\"cosign\",\"secretRef\":{\"name\":\"trusted\"}}");
        assertThat(verification(objects, "notation"))
                .isEqualTo("{\"provider\":\"notation\",\"secretRef\":{\"name\":\"trusted\"}}");
    }

    private static String verification(List<JsonNode> objects, String component) {
        return find(objects, "OCIRepository", "c-vouched-" + component)
                .at("/spec/verify")
                .toString();
    }

    @Test
    void namesOfWhatIsAlreadyThereAreKept() {
        sample("kept");
        Managed managed = new Managed("kept", """
                , "names": {"objects": "platform-{id}", "sources": "charts-{id}", "release_storage": "release"}""");
        List<JsonNode> objects = managed.componentObjects();
        JsonNode release = find(objects, "HelmRelease", "platform-kept-chart");
        assertThat(release.at("/spec/releaseName").asString()).isEqualTo("kept-chart");
        assertThat(release.at("/spec/targetNamespace").asString()).isEqualTo("kept-chart");
        assertThat(release.at("/spec/storageNamespace").asString()).isEqualTo("flux-system");
        assertThat(release.at("/spec/chart/spec/sourceRef/name").asString()).isEqualTo("charts-kept-chart");
        find(objects, "HelmRepository", "charts-kept-chart");
        find(objects, "Kustomization", "platform-kept-base");
    }

    @Test
    @Requirement("E12")
    void secretsAreReferredToAndNeverHeld() {
        sample("secret");
        fleet.create("types", "external_secret", """
                {"plural": "external-secrets", "schema": {"type": "object", "required": ["store", "key"],
                 "properties": {"store": {"type": "string"}, "key": {"type": "string"}}},
                 "template": %s}""".formatted(StringNode.valueOf(EXTERNAL_SECRETS)))
                .expect(201);
        fleet.create("external-secrets", "secret-db", "{\"store\": \"vault\", \"key\": \"apps/db\"}")
                .expect(201);
        fleet.patch("/api/v2/clusters/secret", "{\"refs\": {\"external-secrets\": [{\"id\": \"secret-db\"}]}}")
                .expect(200);
        Managed managed = new Managed("secret", "");
        assertThat(managed.answer("external-secrets").at("/0/items/0/key").asString())
                .isEqualTo("apps/db");
        List<JsonNode> external = managed.objects("external-secrets");
        assertThat(external).hasSize(1);
        JsonNode secret = find(external, "ExternalSecret", "secret-db");
        assertThat(secret.at("/spec/secretStoreRef/name").asString()).isEqualTo("vault");
        assertThat(secret.at("/spec/dataFrom/0/extract/key").asString()).isEqualTo("apps/db");
        assertThat(secret.at("/metadata/labels/cluster").asString()).isEqualTo("secret");
        assertThat(managed.set("external-secrets")
                        .at("/spec/serviceAccountName")
                        .asString())
                .isEqualTo("homeport-other-types");
        JsonNode release = find(managed.componentObjects(), "HelmRelease", "c-secret-app");
        assertThat(release.at("/spec/valuesFrom/0/kind").asString()).isEqualTo("Secret");
        assertThat(release.at("/spec/valuesFrom/0/name").asString()).isEqualTo("app-secrets");
    }

    @Test
    @Requirement(value = "B15", part = "the order is held by ResourceSets, not in the HelmRelease; cycles are refused")
    void aComponentWaitsForWhatItNeedsAcrossKinds() {
        sample("ordered");
        Managed managed = new Managed("ordered", "");
        JsonNode needs = find(managed.objects("platform-components"), "ResourceSet", "c-ordered-app")
                .at("/spec/dependsOn");
        assertThat(needs).hasSize(1);
        assertThat(needs.at("/0/name").asString()).isEqualTo("c-ordered-base");
        assertThat(needs.at("/0/ready").booleanValue()).isTrue();
        assertThat(fleet.patch("/api/v2/platform-components/ordered-base", "{\"depends_on\": [\"ordered-app\"]}")
                        .status())
                .isEqualTo(422);
    }

    @Test
    void aDisabledComponentIsNotMade() {
        sample("disabled");
        fleet.patch("/api/v2/clusters/disabled", """
                {"platform_components": [{"id": "disabled-base"}, {"id": "disabled-chart", "enabled": false}]}""").expect(200);
        Managed managed = new Managed("disabled", "");
        assertThat(managed.objects("platform-components").stream().map(RenderedByFluxTest::name))
                .containsExactly("c-disabled-base");
    }

    @Test
    void anAnswerThatIsNotRightMakesNothing() {
        sample("guarded");
        Managed managed = new Managed("guarded", "");
        List<String> all = new ArrayList<>(TYPES);
        all.add("types");
        for (String plural : all) {
            JsonNode right = managed.answer(plural);
            JsonNode set = managed.set(plural);
            assertThat(managed.flux.tryBuild(set, right).exit()).isZero();
            refused(managed, set, right, input -> input.put("id", "another"), "another cluster");
            refused(managed, set, right, input -> input.put("type", "widgets"), "another type");
            refused(managed, set, right, input -> ((ArrayNode) input.get("items")).remove(0), "not whole");
            refused(
                    managed,
                    set,
                    right,
                    input -> {
                        input.putArray("items");
                        input.put("count", 0);
                    },
                    "empty without drain");
            refused(managed, set, right, input -> input.remove("items"), "items");
            String digest = "not what its digest says";
            refused(
                    managed,
                    set,
                    right,
                    input -> {
                        ((ArrayNode) input.get("items")).remove(0);
                        input.put("count", input.get("items").size());
                    },
                    digest);
            refused(
                    managed,
                    set,
                    right,
                    input -> {
                        input.putArray("items");
                        input.put("count", 0).put("drain", true);
                    },
                    digest);
            refused(managed, set, right, input -> ((ObjectNode) input.at("/items/0")).put("added", "x"), digest);
            refused(managed, set, right, input -> ((ObjectNode) input.at("/cluster")).put("name", "x"), digest);
            refused(managed, set, right, input -> input.put("digest", "0".repeat(32)), digest);
            refused(managed, set, right, input -> input.remove("digest"), "digest");
        }
    }

    /** Each as a value, in a list, nested, and where it can be as a key. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"<&> </script>\"",
                "\"\ud83d\ude00\"",
                "\"\\\" ' ` \\\\\"",
                "\"tab\\t line\\n\"",
                "\"\"",
                "\"\u00e9\u6f22\ufb00\ufeff\u0301\"",
                "1.5",
                "1e-7",
                "0.000001",
                "-1e-300",
                "9007199254740991",
                "-9007199254740991",
                "1e3",
                "-0",
                "-0.0",
                "0.1",
                "123456789.123",
                "true",
                "{}",
                "[]",
                "[[],{}]",
                "{\"a\": {\"b\": [1, \"2\", {\"c\": {}}]}}",
                "{\"\ud83d\ude00\": 1, \"\ufb00\": 2, \"\ue000\": 3, \"z\": 4, \"\u00e9\": 5}",
            })
    void everyHonestAnswerPassesTheDigestCheck(String json) {
        String id = "odd-" + Integer.toHexString(json.hashCode());
        JsonNode key = StrictJson.read("{\"v\": " + json + "}").get("v");
        String more = key.isString() && !key.stringValue().isEmpty() ? ", " + json + ": 1" : "";
        fleet.component(
                id,
                "{\"values\": {\"text\": " + json + ", \"list\": [" + json + "], \"n\": {\"yes\": " + json + more
                        + "}}}");
        fleet.cluster(id, "dev", "{\"platform_components\": [{\"id\": \"" + id + "\"}]}");
        Managed managed = new Managed(id, "");
        assertThat(managed.answer("platform-components").at("/0/format").intValue())
                .isEqualTo(3);
        assertThat(managed.objects("platform-components")).hasSize(1);
    }

    /** Documents of an older release may hold line separators; no document of this one does. */
    @Test
    void anAnswerWithLineSeparatorsPassesToo() {
        fleet.cluster("separated", "dev", "{}");
        Managed managed = new Managed("separated", "");
        ObjectNode item = StrictJson.object().put("id", "x").put("text", "a\u2028b\u2029c");
        item.putObject("annotations")
                .put("k\u2028", "\ud83d\ude00")
                .put("k\ufb00", "v")
                .put("k\ud83d\ude00", "v");
        ClusterBlock block = new ClusterBlock("separated", "separated", Fleet.dns("separated"), "dev");
        Answer.Served answer = new Answer.Inputs(block, "namespaces", 3, List.of(Item.of(item)));
        JsonNode inputs =
                StrictJson.read(Rendering.render(answer, WireShape.SET).body()).get("inputs");
        assertThat(managed.flux.build(managed.set("namespaces"), inputs)).hasSize(1);
    }

    private void answerFormat(int number) {
        fleet.patch("/api/v2/settings/fleet", "{\"answer_format\": " + number + "}")
                .expect(200);
    }

    @Test
    void theMoveToTheDigestCheckIsNeverAnErrorForAnHonestAnswer() {
        sample("moved");
        answerFormat(2);
        Managed before = new Managed("moved", "");
        Map<String, JsonNode> old = new TreeMap<>();
        for (String plural : TYPES) {
            old.put(plural, before.answer(plural));
            assertThat(before.set(plural).toString()).doesNotContain("toRawJson");
        }
        answerFormat(3);
        Managed after = new Managed("moved", "");
        for (String plural : TYPES) {
            assertThat(after.set(plural).toString()).contains("toRawJson");
            List<JsonNode> objects = after.objects(plural);
            assertThat(before.flux.build(before.set(plural), after.answer(plural)))
                    .as("the new answer in the old template")
                    .hasSameSizeAs(objects);
            assertThat(after.flux.build(after.set(plural), old.get(plural)))
                    .as("the old answer in the new template")
                    .hasSameSizeAs(objects);
        }
    }

    private interface Spoiling {
        void spoil(ObjectNode input);
    }

    private static void refused(Managed managed, JsonNode set, JsonNode right, Spoiling spoiling, String why) {
        ArrayNode inputs = (ArrayNode) right.deepCopy();
        spoiling.spoil((ObjectNode) inputs.get(0));
        FluxOperatorCli.Built built = managed.flux.tryBuild(set, inputs);
        assertThat(built.exit()).as(why).isEqualTo(1);
        assertThat(built.error()).contains(why);
        assertThat(built.objects()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "q\" \\ '",
                "x\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: evil}",
                "{{ .Values.x }} << inputs.id >> <<- end >>",
                "`raw` @cluster-id@ @namespace@ {id}",
                "a: b # c",
                "!!binary aGk= &anchor *alias",
                "yes",
                "1e3",
                "0o17",
                "2001-01-01",
                "null",
                "~",
                " leading and trailing ",
                "tab\there",
                "\ud83d\udca5 \u00e9 \ufeff",
                "</script> & <b>",
                "%s %d %!",
                "|\n  block",
                "? complex",
                "- item",
            })
    void aHostileValueArrivesAsItselfAndMakesNothingElse(String value) {
        String id = "hostile-" + Integer.toHexString(value.hashCode());
        String json = StrictJson.object().put("value", value).get("value").toString();
        fleet.component(
                id, "{\"values\": {\"text\": " + json + ", \"list\": [" + json + "], \"n\": {\"yes\": " + json + "}}}");
        fleet.component(
                id + "-k",
                "{\"kind\": \"kustomize\", \"values\": {\"TEXT\": " + json + "}, \"raw_paths\": [\"TEXT\"]}");
        fleet.cluster(id, "dev", "{\"platform_components\": [{\"id\": \"" + id + "\"}, {\"id\": \"" + id + "-k\"}]}");
        Managed managed = new Managed(id, "");
        assertThat(managed.objects("platform-components")).hasSize(2);
        List<JsonNode> objects = managed.componentObjects();
        assertThat(objects.stream().map(RenderedByFluxTest::kind))
                .containsExactlyInAnyOrder("OCIRepository", "HelmRelease", "OCIRepository", "Kustomization");
        JsonNode values = find(objects, "HelmRelease", "c-" + id).at("/spec/values");
        assertThat(values.at("/text").stringValue()).isEqualTo(value);
        assertThat(values.at("/list/0").stringValue()).isEqualTo(value);
        assertThat(values.at("/n/yes").stringValue()).isEqualTo(value);
        assertThat(find(objects, "Kustomization", "c-" + id + "-k")
                        .at("/spec/postBuild/substitute/TEXT")
                        .stringValue())
                .isEqualTo(value);
    }
}
