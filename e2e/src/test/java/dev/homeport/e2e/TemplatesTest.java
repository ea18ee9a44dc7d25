package dev.homeport.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.e2e.stack.Folders;
import dev.homeport.e2e.stack.Homeport;
import dev.homeport.e2e.stack.Stack;
import dev.homeport.testing.OutsideIn;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What Flux Operator itself renders from the generated manifests and from what Homeport answers, for documents with every
 * kind of awkward value: exactly the objects that the documents ask for.
 */
@OutsideIn
@ResourceLock(value = Stack.EMBEDDED, mode = ResourceAccessMode.READ)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TemplatesTest {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String ID = "templates-1";
    private static final int DOCUMENTS = Map.of("quick", 10, "normal", 40, "long", 150)
            .getOrDefault(System.getProperty("homeport.depth", "normal"), 40);
    private static final List<String> AWKWARD = List.of(
            "",
            " ",
            "\"",
            "'",
            "\\",
            "\\n",
            "a\nb",
            "a\n\n  b\n",
            "\ttab",
            "trailing ",
            " leading",
            "a: b",
            "a #b",
            "#",
            "-",
            "- x",
            "?",
            "|",
            ">",
            "&a",
            "*a",
            "!!str x",
            "%x",
            "@x",
            "`x`",
            "{}",
            "[]",
            "{a: b}",
            "[a",
            "]",
            "}",
            ",",
            ":",
            "yes",
            "no",
            "on",
            "y",
            "true",
            "null",
            "~",
            "0",
            "007",
            "0o17",
            "0x1f",
            "1e3",
            "1.10",
            ".5",
            "1_000",
            "-1",
            "+1",
            ".inf",
            "NaN",
            "2026-11-15",
            "12:30:45",
            "<<",
            ">>",
            "<< inputs.id >>",
            "<<- end >>",
            "{{ . }}",
            "{{/* x */}}",
            "---",
            "...",
            "--- x",
            "kind: Secret\n---\nkind: Secret",
            "\u00a0",
            "\u200b",
            "\ufeff",
            "\ud83d\ude00",
            "e\u0301",
            "<script>",
            "&amp;",
            "%s",
            "$1");

    private final Homeport homeport = Stack.embedded();
    private final Random random = new Random(20261115);

    @TempDir
    private Path folder;

    private final Map<String, ObjectNode> namespaces = new TreeMap<>();
    private final Map<String, ObjectNode> bindings = new TreeMap<>();
    private final Map<String, ObjectNode> components = new TreeMap<>();

    @Test
    void fluxOperatorRendersExactlyWhatTheDocumentsSay() throws Exception {
        ObjectNode cluster = JSON.createObjectNode()
                .put("cluster_name", ID)
                .put("cluster_dns", ID + ".k8s.example.com")
                .put("environment", "qa")
                .put("owner", "team-a");
        for (int i = 0; i < DOCUMENTS; i++) {
            make("namespaces", "t-ns-" + i, namespace(), namespaces, cluster.withArray("namespaces"));
            make("rolebindings", "t-rb-" + i, binding(), bindings, cluster.withArray("rolebindings"));
            make("platform-components", "t-c-" + i, component(), components, cluster.withArray("platform_components"));
        }
        homeport.create("clusters", ID, cluster.toString());
        String manifests = homeport.cli(
                "bootstrap",
                ID,
                "--url",
                "https://homeport.example.com",
                "--types",
                "namespaces,platform-components,rolebindings");

        Map<String, JsonNode> made = byName(render(manifests, "namespaces"));
        assertThat(made.keySet()).isEqualTo(keys("Namespace", namespaces));
        namespaces.forEach((id, spec) -> checkNamespace(spec, made.get("Namespace " + id)));

        Map<String, JsonNode> sets = byName(render(manifests, "rolebindings"));
        assertThat(sets).hasSameSizeAs(bindings);
        for (Map.Entry<String, ObjectNode> binding : bindings.entrySet()) {
            String kind = binding.getValue().has("namespace") ? "RoleBinding " : "ClusterRoleBinding ";
            Map<String, JsonNode> bound = byName(build(inner(sets.get("ResourceSet b-" + binding.getKey()))));
            assertThat(bound).containsOnlyKeys(kind + binding.getKey());
            checkBinding(binding.getValue(), bound.get(kind + binding.getKey()));
        }

        Map<String, JsonNode> inner = byName(render(manifests, "platform-components"));
        assertThat(inner).hasSameSizeAs(components);
        for (Map.Entry<String, ObjectNode> component : components.entrySet()) {
            Path set = inner(inner.get("ResourceSet c-" + component.getKey()));
            checkComponent(component.getKey(), component.getValue(), byName(build(set)));
        }
    }

    private Path inner(JsonNode set) throws IOException {
        return Files.writeString(folder.resolve("inner.yaml"), set.toString());
    }

    private void make(String plural, String id, ObjectNode spec, Map<String, ObjectNode> all, ArrayNode refs) {
        homeport.create(plural, id, spec.toString());
        all.put(id, spec);
        refs.addObject().put("id", id);
    }

    private ObjectNode namespace() {
        ObjectNode spec = JSON.createObjectNode();
        ObjectNode labels = spec.putObject("labels");
        for (String value : List.of("true", "1.10", "yes", "007", "x_y.z-1", "")) {
            if (random.nextBoolean()) {
                labels.put("label-" + value.length() + random.nextInt(9), value);
            }
        }
        ObjectNode annotations = spec.putObject("annotations");
        for (int i = 0; i < 4; i++) {
            annotations.put("example.com/note-" + i, awkward().replaceAll("[\\p{Cc}\\uFEFF]", "x"));
        }
        if (random.nextInt(3) == 0) {
            spec.put("keep", false);
        }
        return spec;
    }

    private ObjectNode binding() {
        ObjectNode spec = JSON.createObjectNode().put("role", random.nextBoolean() ? "view" : "system:node-reader");
        if (random.nextBoolean()) {
            spec.put("namespace", "ns-" + random.nextInt(9));
        }
        ArrayNode subjects = spec.putArray("subjects");
        subjects.addObject().put("kind", "Group").put("name", "oidc:team-" + random.nextInt(99));
        subjects.addObject().put("kind", "User").put("name", "user" + random.nextInt(9) + "@example.com");
        if (random.nextBoolean()) {
            subjects.addObject()
                    .put("kind", "ServiceAccount")
                    .put("name", "robot")
                    .put("namespace", "robots");
        }
        return spec;
    }

    private ObjectNode component() {
        boolean helm = random.nextInt(3) > 0;
        ObjectNode spec = JSON.createObjectNode()
                .put("kind", helm ? "helm" : "kustomize")
                .put("component_path", "apps/x/" + random.nextInt(20) + ".10.0")
                .put("component_version", random.nextInt(20) + ".10")
                .put("cluster_env_enabled", !helm && random.nextBoolean())
                .put("oci_url", "oci://registry.example.com/platform/x")
                .put("oci_tag", random.nextInt(20) + ".10");
        if (random.nextBoolean()) {
            spec.put("target_namespace", "target-" + random.nextInt(9));
        }
        ObjectNode values = spec.putObject("values");
        ArrayNode raw = spec.putArray("raw_paths");
        for (int i = 0; i < 6; i++) {
            String key = "key_" + i;
            if (helm) {
                fill(values, key);
                raw.add(key);
                values.withObject("/deeper").put("inner_" + i, awkward());
                raw.add("deeper.inner_" + i);
            } else {
                values.put(key, awkward());
                raw.add(key);
            }
        }
        return spec;
    }

    private void fill(ObjectNode values, String key) {
        switch (random.nextInt(6)) {
            case 0 -> values.put(key, random.nextInt());
            case 1 -> values.put(key, random.nextBoolean());
            case 2 -> values.put(key, 0.25 + random.nextInt(100));
            case 3 ->
                values.putArray(key).add(awkward()).add(awkward()).addObject().put("in", awkward());
            case 4 -> values.putObject(key);
            default -> values.put(key, awkward());
        }
    }

    private String awkward() {
        return AWKWARD.get(random.nextInt(AWKWARD.size()));
    }

    private static void checkNamespace(ObjectNode spec, JsonNode object) {
        Map<String, String> annotations = texts(object.at("/metadata/annotations"));
        Map<String, String> wanted = texts(spec.path("annotations"));
        if (spec.path("keep").asBoolean(true)) {
            wanted.put("fluxcd.controlplane.io/prune", "disabled");
        }
        assertThat(annotations).isEqualTo(wanted);
        assertThat(texts(object.at("/metadata/labels"))).containsAllEntriesOf(texts(spec.path("labels")));
    }

    private static void checkBinding(ObjectNode spec, JsonNode object) {
        assertThat(object.at("/roleRef/name").asString())
                .isEqualTo(spec.path("role").asString());
        assertThat(object.at("/metadata/namespace").asString(""))
                .isEqualTo(spec.path("namespace").asString(""));
        assertThat(object.path("subjects").size())
                .isEqualTo(spec.path("subjects").size());
        for (int i = 0; i < spec.path("subjects").size(); i++) {
            JsonNode wanted = spec.path("subjects").get(i);
            JsonNode subject = object.path("subjects").get(i);
            assertThat(subject.path("kind")).isEqualTo(wanted.path("kind"));
            assertThat(subject.path("name")).isEqualTo(wanted.path("name"));
            boolean account = wanted.path("kind").asString().equals("ServiceAccount");
            assertThat(subject.has("namespace")).isEqualTo(account);
            assertThat(subject.path("apiGroup").asString("")).isEqualTo(account ? "" : "rbac.authorization.k8s.io");
        }
    }

    private static void checkComponent(String id, ObjectNode spec, Map<String, JsonNode> objects) {
        boolean helm = spec.path("kind").asString().equals("helm");
        assertThat(objects.keySet())
                .containsExactlyInAnyOrder(
                        "OCIRepository c-" + id, (helm ? "HelmRelease c-" : "Kustomization c-") + id);
        JsonNode source = objects.get("OCIRepository c-" + id).path("spec");
        assertThat(source.path("url")).isEqualTo(spec.path("oci_url"));
        assertThat(source.at("/ref/tag")).isEqualTo(spec.path("oci_tag"));
        assertThat(source.has("insecure")).isFalse();
        JsonNode made =
                objects.get((helm ? "HelmRelease c-" : "Kustomization c-") + id).path("spec");
        if (helm) {
            assertThat(made.path("releaseName").asString()).isEqualTo(id);
            assertThat(made.path("targetNamespace").asString())
                    .isEqualTo(spec.path("target_namespace").asString(id));
            assertThat(numbers(made.path("values"))).isEqualTo(numbers(spec.path("values")));
        } else {
            String environment = spec.path("cluster_env_enabled").asBoolean() ? "/qa" : "";
            assertThat(made.path("path").asString())
                    .isEqualTo("./" + spec.path("component_path").asString() + environment);
            assertThat(made.path("prune").asBoolean()).isTrue();
            assertThat(texts(made.at("/postBuild/substitute"))).isEqualTo(texts(spec.path("values")));
        }
    }

    /** The same tree with every number as text, as 2 and 2.0 are one number here. */
    private static JsonNode numbers(JsonNode tree) {
        return JSON.readTree(JSON.writeValueAsString(tree).replaceAll("(\\d)\\.0([,}\\]])", "$1$2"));
    }

    private static Map<String, String> texts(JsonNode object) {
        Map<String, String> all = new TreeMap<>();
        object.properties().forEach(entry -> {
            assertThat(entry.getValue().isString()).as("%s is text", entry).isTrue();
            all.put(entry.getKey(), entry.getValue().stringValue());
        });
        return all;
    }

    private static java.util.Set<String> keys(String kind, Map<String, ObjectNode> documents) {
        java.util.Set<String> all = new java.util.TreeSet<>();
        documents.keySet().forEach(id -> all.add(kind + " " + id));
        return all;
    }

    private static Map<String, JsonNode> byName(List<JsonNode> objects) {
        Map<String, JsonNode> all = new TreeMap<>();
        objects.forEach(object -> all.put(
                object.path("kind").asString() + " "
                        + object.at("/metadata/name").asString(),
                object));
        assertThat(all).hasSameSizeAs(objects);
        return all;
    }

    /** The set of a type, rendered with what Homeport answers. */
    private List<JsonNode> render(String manifests, String type) throws Exception {
        JsonNode set = parse(manifests).stream()
                .filter(object -> object.path("kind").asString().equals("ResourceSet")
                        && object.at("/metadata/name").asString().equals("homeport-" + type))
                .findFirst()
                .orElseThrow();
        Path file = folder.resolve(type + ".yaml");
        Path inputs = folder.resolve(type + ".json");
        Files.writeString(file, set.toString());
        Files.writeString(
                inputs, JSON.createArrayNode().add(homeport.answer(ID, type)).toString());
        return build(file, "--inputs-from", inputs.toString());
    }

    private static List<JsonNode> build(Path set, String... more) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(Folders.program("flux-operator-cli"), "build", "resourceset", "-f", set.toString()));
        command.addAll(List.of(more));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(30, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new AssertionError(printed);
        }
        return parse(printed);
    }

    private static List<JsonNode> parse(String yaml) {
        List<JsonNode> all = new ArrayList<>();
        LoadSettings settings =
                LoadSettings.builder().setCodePointLimit(100_000_000).build();
        for (Object document : new Load(settings).loadAllFromString(yaml)) {
            if (document != null) {
                all.add(JSON.valueToTree(document));
            }
        }
        return all;
    }
}
