package dev.homeport.support;

import dev.homeport.document.DocumentKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The merge once more, written from model.md ("Layers and merge", "Answers") without a look at the resolver: slow, plain, and
 * sharing no code with it.
 */
public final class ReferenceMerge {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final Map<String, String> LISTS = Map.of(
            "platform-components", "platform_components", "namespaces", "namespaces", "rolebindings", "rolebindings");

    private final Map<DocumentKey, ObjectNode> fleet;

    public ReferenceMerge(Map<DocumentKey, ObjectNode> fleet) {
        this.fleet = fleet;
    }

    /** An item in both shapes, without the cluster block. */
    public record Expected(boolean enabled, ObjectNode flat, ObjectNode set) {}

    private static final class Conflict extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Conflict(String reason) {
            super(reason);
        }
    }

    /** The items by id; nothing when the layers contradict each other. */
    public Optional<SortedMap<String, Expected>> items(String clusterId, String type, String plural) {
        ObjectNode cluster = fleet.get(new DocumentKey("cluster", clusterId));
        List<JsonNode> layers = layers(cluster);
        SortedMap<String, Expected> items = new TreeMap<>();
        try {
            merged(layers, plural).forEach((id, reference) -> {
                ObjectNode body = fleet.get(new DocumentKey(type, id));
                if (body == null) {
                    throw new Conflict("missing " + id);
                }
                items.put(
                        id,
                        type.equals("platform_component")
                                ? component(cluster, layers, body.deepCopy(), reference)
                                : plain(type, body.deepCopy()));
            });
        } catch (Conflict e) {
            return Optional.empty();
        }
        return Optional.of(items);
    }

    private List<JsonNode> layers(ObjectNode cluster) {
        String environment = cluster.get("environment").stringValue();
        List<JsonNode> layers = new ArrayList<>();
        withOwnEnvironment("cluster_template", cluster.path("template"), environment, layers);
        layers.add(fleet.get(new DocumentKey("environment", environment)));
        withOwnEnvironment("workspace", cluster.path("workspace"), environment, layers);
        layers.add(cluster);
        return layers;
    }

    private void withOwnEnvironment(String type, JsonNode id, String environment, List<JsonNode> layers) {
        if (id.isString()) {
            ObjectNode body = fleet.get(new DocumentKey(type, id.stringValue()));
            layers.add(body);
            layers.add(body.path("by_environment").path(environment));
        }
    }

    /** Id by id, field by field, the later layer wins. */
    private static SortedMap<String, Map<String, JsonNode>> merged(List<JsonNode> layers, String plural) {
        SortedMap<String, Map<String, JsonNode>> all = new TreeMap<>();
        for (JsonNode layer : layers) {
            JsonNode list = LISTS.containsKey(plural)
                    ? layer.path(LISTS.get(plural))
                    : layer.path("refs").path(plural);
            for (JsonNode reference : list) {
                String id = reference.get("id").stringValue();
                if (reference.path("remove").booleanValue(false)) {
                    all.remove(id);
                    continue;
                }
                Map<String, JsonNode> fields = all.computeIfAbsent(id, key -> new HashMap<>());
                for (String field : List.of("enabled", "component_path", "oci_tag")) {
                    if (reference.has(field)) {
                        fields.put(field, reference.get(field));
                    }
                }
                if (reference.path("assign").booleanValue(true)) {
                    fields.put("assigned", NODES.booleanNode(true));
                }
            }
        }
        all.values().removeIf(fields -> !fields.containsKey("assigned"));
        return all;
    }

    private static Expected component(
            ObjectNode cluster, List<JsonNode> layers, ObjectNode body, Map<String, JsonNode> reference) {
        String id = body.get("id").stringValue();
        boolean kustomize = !body.path("kind").stringValue("kustomize").equals("helm");
        Map<List<String>, JsonNode> leaves = new LinkedHashMap<>();
        flatten(List.of(), body.path("values"), leaves);
        for (JsonNode layer : layers) {
            for (JsonNode path : layer.path("patches_removed").path(id)) {
                removeBelow(leaves, parsed(path.stringValue()));
            }
            layer.path("patches").path(id).forEachEntry((key, value) -> {
                Map<List<String>, JsonNode> patch = new LinkedHashMap<>();
                flatten(parsed(key), value, patch);
                patch.forEach((path, leaf) -> set(leaves, path, leaf));
            });
        }
        leaves.replaceAll((path, value) -> filled(value, cluster));
        if (kustomize) {
            leaves.forEach((path, value) -> {
                boolean word = path.size() == 1 && path.getFirst().matches("[A-Za-z_][A-Za-z0-9_]*");
                if (!word || value.isContainer() || value.asString("").contains("${")) {
                    throw new Conflict("not for kustomize");
                }
            });
        }
        boolean enabled =
                !reference.containsKey("enabled") || reference.get("enabled").booleanValue();
        String path = reference
                .getOrDefault("component_path", body.get("component_path"))
                .stringValue();
        ObjectNode set = NODES.objectNode();
        for (String field : List.of(
                "id",
                "component_version",
                "depends_on",
                "target_namespace",
                "interval",
                "stateful",
                "cluster_scoped",
                "verify")) {
            if (body.has(field)) {
                set.set(field, body.get(field));
            }
        }
        boolean inPath = body.path("cluster_env_enabled").booleanValue(false);
        set.put("kind", kustomize ? "kustomize" : "helm");
        set.put("cluster_env_enabled", inPath);
        if (!set.has("depends_on")) {
            set.putArray("depends_on");
        }
        set.put("component_path", path);
        set.put(
                "resolved_path",
                inPath ? path + "/" + cluster.get("environment").stringValue() : path);
        ObjectNode source = set.putObject("source");
        source.set("oci_url", body.get("oci_url"));
        source.set("oci_tag", reference.getOrDefault("oci_tag", body.get("oci_tag")));
        ObjectNode flat = set.deepCopy().put("enabled", enabled);
        ObjectNode patches = flat.putObject("patches");
        ObjectNode values = set.putObject("values");
        leaves.forEach((segments, value) -> {
            patches.set(FleetGenerator.spelled(segments), value);
            nest(values, segments, kustomize && !value.isString() ? NODES.stringNode(value.toString()) : value);
        });
        return new Expected(enabled, flat, set);
    }

    /** Arrays, {@code {}} and values of the cluster are leaves. */
    private static void flatten(List<String> path, JsonNode value, Map<List<String>, JsonNode> into) {
        boolean object = value.isObject() && !value.isEmpty() && !value.has("$cluster");
        if (object || path.isEmpty()) {
            value.forEachEntry((key, below) -> flatten(joined(path, key), below, into));
        } else {
            into.put(path, value);
        }
    }

    private static void set(Map<List<String>, JsonNode> leaves, List<String> path, JsonNode value) {
        for (int length = 1; length < path.size(); length++) {
            JsonNode above = leaves.get(path.subList(0, length));
            if (above != null && above.isObject() && above.isEmpty()) {
                leaves.remove(path.subList(0, length));
            } else if (above != null) {
                throw new Conflict("below a scalar");
            }
        }
        removeBelow(leaves, path);
        leaves.put(path, value);
    }

    private static void removeBelow(Map<List<String>, JsonNode> leaves, List<String> path) {
        leaves.keySet()
                .removeIf(other -> other.size() >= path.size()
                        && other.subList(0, path.size()).equals(path));
    }

    private static List<String> joined(List<String> path, String key) {
        List<String> all = new ArrayList<>(path);
        all.add(key);
        return all;
    }

    private static List<String> parsed(String path) {
        List<String> segments = new ArrayList<>(List.of(""));
        boolean escaped = false;
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (!escaped && c == '\\') {
                escaped = true;
            } else if (!escaped && c == '.') {
                segments.add("");
            } else {
                segments.set(segments.size() - 1, segments.getLast() + c);
                escaped = false;
            }
        }
        return segments;
    }

    private static void nest(ObjectNode into, List<String> path, JsonNode value) {
        ObjectNode at = into;
        for (String key : path.subList(0, path.size() - 1)) {
            at = at.has(key) ? (ObjectNode) at.get(key) : at.putObject(key);
        }
        at.set(path.getLast(), value);
    }

    private static JsonNode filled(JsonNode value, ObjectNode cluster) {
        if (value.has("$cluster")) {
            String what = value.get("$cluster").stringValue();
            JsonNode found = what.startsWith("labels.")
                    ? cluster.path("labels").path(what.substring("labels.".length()))
                    : cluster.path(what.equals("environment") ? what : "cluster_" + what);
            if (!found.isString()) {
                throw new Conflict("no " + what);
            }
            return found;
        }
        if (value.isArray()) {
            ArrayNode all = NODES.arrayNode();
            value.forEach(element -> all.add(filled(element, cluster)));
            return all;
        }
        if (value.isObject()) {
            ObjectNode all = NODES.objectNode();
            value.forEachEntry((key, element) -> all.set(key, filled(element, cluster)));
            return all;
        }
        return value;
    }

    private static Expected plain(String type, ObjectNode body) {
        body.remove(List.of("schema_version", "description", "owner"));
        if (type.equals("namespace")) {
            for (String field : List.of("labels", "annotations")) {
                if (!body.has(field)) {
                    body.putObject(field);
                }
            }
            if (!body.has("keep")) {
                body.put("keep", true);
            }
        }
        if (type.equals("rolebinding")) {
            if (!body.has("role_kind")) {
                body.put("role_kind", "ClusterRole");
            }
            for (JsonNode subject : body.get("subjects")) {
                boolean account = subject.get("kind").stringValue().equals("ServiceAccount");
                ((ObjectNode) subject).put("apiGroup", account ? "" : "rbac.authorization.k8s.io");
            }
        }
        return new Expected(true, body, body);
    }
}
