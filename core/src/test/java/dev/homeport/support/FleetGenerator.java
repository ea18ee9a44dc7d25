package dev.homeport.support;

import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Small fleets that use everything a layer can say. The same seed gives the same fleet. */
public final class FleetGenerator {
    public static final String RUNTIME_TYPE = "network_policy";
    public static final String RUNTIME_PLURAL = "network-policies";
    public static final List<String> ENVIRONMENTS = List.of("dev", "prod");
    public static final List<String> TEMPLATES = List.of("edge", "standard");
    public static final List<String> WORKSPACES = List.of("retail", "search");
    public static final List<String> HELM = List.of("grafana", "loki", "vault");
    public static final List<String> KUSTOMIZE = List.of("cert-manager", "istio");
    public static final List<String> NAMESPACES = List.of("0day", "apps", "monitoring");
    public static final List<String> ROLEBINDINGS = List.of("admins", "viewers");
    public static final List<String> POLICIES = List.of("closed", "open");
    public static final List<String> CLUSTERS = List.of("ams1", "ber1", "cph1");

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final List<List<String>> HELM_PATHS = List.of(
            List.of("a"),
            List.of("a", "b"),
            List.of("a", "b", "c"),
            List.of("a", "d"),
            List.of("a-b"),
            List.of("x.y"),
            List.of("x.y", "z"),
            List.of("x", "y"),
            List.of("back\\slash"),
            List.of("replicas"));
    private static final List<String> KUSTOMIZE_KEYS = List.of("REPLICAS", "domain", "_x1");
    private static final List<String> CLUSTER_VALUES = List.of("name", "dns", "environment", "labels.region");

    private final SplittableRandom random;

    public FleetGenerator(SplittableRandom random) {
        this.random = random;
    }

    public Map<DocumentKey, ObjectNode> fleet() {
        Map<DocumentKey, ObjectNode> all = new LinkedHashMap<>();
        put(all, Types.TYPE, RUNTIME_TYPE, runtimeType());
        HELM.forEach(id -> put(all, Types.PLATFORM_COMPONENT, id, component(id)));
        KUSTOMIZE.forEach(id -> put(all, Types.PLATFORM_COMPONENT, id, component(id)));
        NAMESPACES.forEach(id -> put(all, Types.NAMESPACE, id, namespace(id)));
        ROLEBINDINGS.forEach(id -> put(all, Types.ROLEBINDING, id, rolebinding(id)));
        POLICIES.forEach(id -> put(all, RUNTIME_TYPE, id, policy(id)));
        ENVIRONMENTS.forEach(id -> put(all, Types.ENVIRONMENT, id, environment(id)));
        TEMPLATES.forEach(id -> put(all, Types.CLUSTER_TEMPLATE, id, shared(id)));
        WORKSPACES.forEach(id -> put(all, Types.WORKSPACE, id, shared(id)));
        CLUSTERS.forEach(id -> put(all, Types.CLUSTER, id, cluster(id)));
        return all;
    }

    private static void put(Map<DocumentKey, ObjectNode> all, String type, String id, ObjectNode body) {
        all.put(new DocumentKey(type, id), body);
    }

    public boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    public <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    public static ObjectNode runtimeType() {
        return StrictJson.read("""
                {"id": "network_policy", "plural": "network-policies",
                 "schema": {"type": "object", "properties": {
                   "level": {"type": "string"}, "ports": {"type": "array", "items": {"type": "integer"}},
                   "description": {"type": "string"}, "stateful": {"type": "boolean"}}}}""");
    }

    public ObjectNode component(String id) {
        boolean helm = HELM.contains(id);
        ObjectNode body = StrictJson.object()
                .put("id", id)
                .put("component_path", "core/" + id + "/" + version())
                .put("component_version", version())
                .put("oci_url", "oci://registry.example.com/" + id)
                .put("oci_tag", "v" + version());
        if (helm || chance(50)) {
            body.put("kind", helm ? "helm" : "kustomize");
        }
        maybe(body, "cluster_env_enabled");
        maybe(body, "stateful");
        maybe(body, "cluster_scoped");
        if (chance(20)) {
            body.put("target_namespace", one(NAMESPACES)).put("interval", "10m").put("owner", "team-" + id);
        }
        if (chance(10)) {
            body.putObject("verify").put("provider", "cosign").put("secret", "cosign-keys");
            body.put("description", "Words for people.");
        }
        if (chance(20)) {
            body.putArray("depends_on");
        }
        if (chance(60)) {
            body.set("values", helm ? helmValues() : kustomizePatches(false));
        }
        return body;
    }

    private void maybe(ObjectNode body, String field) {
        if (chance(40)) {
            body.put(field, random.nextBoolean());
        }
    }

    private String version() {
        return "1." + random.nextInt(4) + ".0";
    }

    public ObjectNode namespace(String id) {
        ObjectNode body = StrictJson.object().put("id", id);
        if (chance(60)) {
            body.putObject("labels").put("team", "t" + random.nextInt(3));
        }
        if (chance(40)) {
            body.putObject("annotations").put("example.com/contact", "Ünïcode " + random.nextInt(3));
        }
        if (chance(30)) {
            body.put("keep", random.nextBoolean());
        }
        if (chance(30)) {
            body.put("owner", "team-" + random.nextInt(3)).put("description", "For people.");
        }
        return body;
    }

    public ObjectNode rolebinding(String id) {
        ObjectNode body = StrictJson.object().put("id", id).put("role", "view-" + random.nextInt(3));
        ArrayNode subjects = body.putArray("subjects");
        subjects.addObject().put("kind", "Group").put("name", "oidc:team-" + random.nextInt(3));
        if (chance(50)) {
            subjects.addObject()
                    .put("kind", "ServiceAccount")
                    .put("name", "robot")
                    .put("namespace", "apps");
        }
        if (chance(40)) {
            body.put("namespace", "apps").put("role_kind", chance(50) ? "Role" : "ClusterRole");
        }
        return body;
    }

    public ObjectNode policy(String id) {
        ObjectNode body = StrictJson.object().put("id", id).put("level", "l" + random.nextInt(3));
        if (chance(50)) {
            body.putArray("ports").add(random.nextInt(1, 65_536)).add(443);
        }
        if (chance(30)) {
            body.put("description", "For people.").put("stateful", random.nextBoolean());
        }
        return body;
    }

    public ObjectNode environment(String id) {
        ObjectNode body = StrictJson.object()
                .put("id", id)
                .put("order", 10 + ENVIRONMENTS.indexOf(id) + (id.equals("qa") ? 5 : 0));
        layer(body);
        return body;
    }

    public ObjectNode shared(String id) {
        ObjectNode body = StrictJson.object().put("id", id);
        layer(body);
        if (chance(50)) {
            ObjectNode environments = body.putObject("by_environment");
            ENVIRONMENTS.forEach(environment -> {
                if (chance(60)) {
                    layer(environments.putObject(environment));
                }
            });
        }
        return body;
    }

    public ObjectNode cluster(String id) {
        ObjectNode body = StrictJson.object()
                .put("id", id)
                .put("cluster_name", chance(80) ? id : id + "-name")
                .put("cluster_dns", id + ".k8s.example.com")
                .put("environment", one(ENVIRONMENTS))
                .put("owner", "team-" + random.nextInt(3));
        if (chance(60)) {
            body.put("workspace", one(WORKSPACES));
        }
        if (chance(60)) {
            body.put("template", one(TEMPLATES));
        }
        if (chance(90)) {
            body.putObject("labels").put("region", "eu" + random.nextInt(2)).put("size", "s");
        }
        if (chance(10)) {
            body.put("protected", random.nextBoolean());
        }
        layer(body);
        return body;
    }

    /** Adds what a layer may hold. */
    public void layer(ObjectNode body) {
        List<String> components = new ArrayList<>(HELM);
        components.addAll(KUSTOMIZE);
        references(body, "platform_components", components, true);
        references(body, "namespaces", NAMESPACES, false);
        references(body, "rolebindings", ROLEBINDINGS, false);
        if (chance(40)) {
            references(body.putObject("refs"), RUNTIME_PLURAL, POLICIES, false);
        }
        patches(body);
    }

    private void references(ObjectNode body, String field, List<String> ids, boolean components) {
        if (chance(35)) {
            return;
        }
        ArrayNode list = body.putArray(field);
        for (String id : shuffled(ids)) {
            if (chance(40)) {
                list.add(reference(id, components));
            }
        }
    }

    public ObjectNode reference(String id, boolean component) {
        ObjectNode reference = StrictJson.object().put("id", id);
        if (chance(12)) {
            reference.put("remove", true);
        } else if (chance(25)) {
            reference.put("assign", false);
        } else if (chance(5)) {
            reference.put("assign", true).put("remove", false);
        }
        if (component && chance(20)) {
            reference.put("enabled", chance(30));
        }
        if (component && chance(20)) {
            reference.put("oci_tag", "v" + version() + "-rc" + random.nextInt(3));
        }
        if (component && chance(20)) {
            reference.put("component_path", "other/" + id + "/" + version());
        }
        if (chance(5)) {
            reference.put("owner", "alice").put("reason", "A reason.").put("expires_at", expiry());
        }
        return reference;
    }

    public String expiry() {
        return "2027-0" + random.nextInt(1, 10) + "-01T00:00:00Z";
    }

    private void patches(ObjectNode body) {
        if (chance(45)) {
            ObjectNode patches = body.putObject("patches");
            HELM.forEach(id -> {
                if (chance(30)) {
                    patches.set(id, helmPatches());
                }
            });
            KUSTOMIZE.forEach(id -> {
                if (chance(20)) {
                    patches.set(id, kustomizePatches(true));
                }
            });
        }
        if (chance(20)) {
            ObjectNode removed = body.putObject("patches_removed");
            ArrayNode paths = removed.putArray(one(HELM));
            for (List<String> path : shuffled(HELM_PATHS).subList(0, random.nextInt(1, 3))) {
                paths.add(spelled(path));
            }
        }
    }

    /** No two leaves of one object are in each other's way. */
    private List<List<String>> leaves() {
        List<List<String>> chosen = new ArrayList<>();
        for (List<String> path : shuffled(HELM_PATHS)) {
            boolean free = chosen.stream().noneMatch(other -> startsWith(other, path) || startsWith(path, other));
            if (free && chance(25)) {
                chosen.add(path);
            }
        }
        return chosen;
    }

    private static boolean startsWith(List<String> path, List<String> start) {
        return path.size() >= start.size() && path.subList(0, start.size()).equals(start);
    }

    /** Dotted, nested, or both. */
    public ObjectNode helmPatches() {
        ObjectNode patches = StrictJson.object();
        for (List<String> path : leaves()) {
            int dotted = random.nextInt(1, path.size() + 1);
            String key = spelled(path.subList(0, dotted));
            if (dotted == path.size()) {
                if (!patches.has(key)) {
                    patches.set(key, value());
                }
            } else if (!patches.has(key) || patches.get(key).isObject()) {
                nest(
                        patches.has(key) ? (ObjectNode) patches.get(key) : patches.putObject(key),
                        path.subList(dotted, path.size()));
            }
        }
        return patches;
    }

    private ObjectNode helmValues() {
        ObjectNode values = StrictJson.object();
        leaves().forEach(path -> nest(values, path));
        return values;
    }

    private void nest(ObjectNode into, List<String> path) {
        ObjectNode at = into;
        for (String key : path.subList(0, path.size() - 1)) {
            at = at.has(key) ? (ObjectNode) at.get(key) : at.putObject(key);
        }
        at.set(path.getLast(), value());
    }

    private JsonNode value() {
        return switch (random.nextInt(10)) {
            case 0 -> NODES.booleanNode(random.nextBoolean());
            case 1 -> NODES.numberNode(random.nextInt(4) + 0.5);
            case 2 -> NODES.objectNode();
            case 3 -> NODES.arrayNode().add(random.nextInt(3)).add("two");
            case 4 ->
                NODES.arrayNode().add(clusterValue()).add(NODES.objectNode().set("deep", clusterValue()));
            case 5 -> clusterValue();
            case 6 -> NODES.stringNode("line one\nline \"two\" ${x} ü");
            default -> NODES.numberNode(random.nextInt(5));
        };
    }

    private ObjectNode clusterValue() {
        return NODES.objectNode().put("$cluster", one(CLUSTER_VALUES));
    }

    private ObjectNode kustomizePatches(boolean mayBeWrong) {
        ObjectNode patches = StrictJson.object();
        KUSTOMIZE_KEYS.forEach(key -> {
            if (chance(40)) {
                switch (random.nextInt(4)) {
                    case 0 -> patches.put(key, random.nextInt(5));
                    case 1 -> patches.put(key, random.nextBoolean());
                    case 2 -> patches.set(key, clusterValue());
                    default -> patches.put(key, "text " + random.nextInt(3));
                }
            }
        });
        if (mayBeWrong && chance(5)) {
            switch (random.nextInt(3)) {
                case 0 -> patches.put("a.b", 1);
                case 1 -> patches.putArray("list");
                default -> patches.put("again", "${domain}");
            }
        }
        return patches;
    }

    public static String spelled(List<String> segments) {
        return String.join(
                ".",
                segments.stream()
                        .map(segment -> segment.replace("\\", "\\\\").replace(".", "\\."))
                        .toList());
    }

    public <T> List<T> shuffled(List<T> list) {
        List<T> shuffled = new ArrayList<>(list);
        for (int i = shuffled.size() - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            T other = shuffled.set(j, shuffled.get(i));
            shuffled.set(i, other);
        }
        return shuffled;
    }
}
