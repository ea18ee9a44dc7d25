package dev.homeport.bench.core;

import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import dev.homeport.write.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The fleet that is measured. Every cluster names 20 components, 10 namespaces and 3 role bindings itself, which is the worst
 * case for memory; its template, environment and workspace say something about the same components, so that merging has work.
 */
public final class SampleFleet {
    /** Part of the name of a kept store: raise it when documents change. */
    public static final int VERSION = 1;

    /** Every cluster has it. */
    static final String EVERYWHERE = component(0);

    private static final int COMPONENTS = 60;
    private static final int NAMESPACES = 40;
    private static final int ROLEBINDINGS = 12;
    private static final int WORKSPACES = 50;
    private static final int TEMPLATES = 8;

    private static final int COMPONENTS_EACH = 20;
    private static final int NAMESPACES_EACH = 10;
    private static final int ROLEBINDINGS_EACH = 3;

    private static final List<String> ENVIRONMENTS = List.of("dev", "qa", "uat", "prod");
    private static final List<String> REGIONS = List.of("eu-central", "eu-west", "us-east", "us-west", "ap-south");

    private SampleFleet() {}

    public static String clusterId(int number) {
        return String.format(Locale.ROOT, "edge-%s-%07d", REGIONS.get(number % REGIONS.size()), number);
    }

    static Operation creation(int number) {
        return new Operation.Create(new DocumentKey(Types.CLUSTER, clusterId(number)), cluster(number));
    }

    /** Everything that clusters refer to. Environments are there already: a new store has them. */
    public static List<Operation> shared() {
        List<Operation> all = new ArrayList<>();
        for (int i = 0; i < COMPONENTS; i++) {
            all.add(creation(Types.PLATFORM_COMPONENT, component(i), catalogEntry(i)));
        }
        for (int i = 0; i < NAMESPACES; i++) {
            ObjectNode body = StrictJson.object();
            body.putObject("labels").put("team", "team-" + i % 10).put("cost-center", "cc-" + i % 7);
            all.add(creation(Types.NAMESPACE, namespace(i), body));
        }
        for (int i = 0; i < ROLEBINDINGS; i++) {
            ObjectNode body = StrictJson.object()
                    .put("role", i % 2 == 0 ? "view" : "edit")
                    .put("namespace", namespace(i));
            body.putArray("subjects").addObject().put("kind", "Group").put("name", "team-" + i % 10);
            all.add(creation(Types.ROLEBINDING, rolebinding(i), body));
        }
        for (int i = 0; i < WORKSPACES; i++) {
            ObjectNode body = StrictJson.object().put("owner", "team-" + i % 10);
            body.putObject("patches").putObject(EVERYWHERE).put("logging.level", i % 2 == 0 ? "info" : "warn");
            all.add(creation(Types.WORKSPACE, workspace(i), body));
        }
        for (int i = 0; i < TEMPLATES; i++) {
            ObjectNode body = StrictJson.object().put("owner", "platform");
            body.putArray("platform_components").addObject().put("id", EVERYWHERE);
            all.add(creation(Types.CLUSTER_TEMPLATE, template(i), body));
        }
        return all;
    }

    private static Operation creation(String type, String id, ObjectNode body) {
        return new Operation.Create(new DocumentKey(type, id), body);
    }

    private static ObjectNode catalogEntry(int number) {
        String id = component(number);
        ObjectNode body = StrictJson.object()
                .put("component_path", "platform/" + id)
                .put("component_version", "1." + number + ".0")
                .put("kind", isHelm(number) ? "helm" : "kustomize")
                .put("oci_url", "oci://registry.example.com/platform/" + id)
                .put("oci_tag", "1." + number + ".0")
                .put("target_namespace", namespace(number % NAMESPACES))
                .put("owner", "team-" + number % 10);
        if (number > 0 && number % 4 == 0) {
            body.putArray("depends_on").add(EVERYWHERE);
        }
        if (isHelm(number)) {
            ObjectNode values = body.putObject("values");
            values.putObject("controller").put("replicas", 2);
            values.putObject("resources").put("cpu", "100m").put("memory", "128Mi");
            values.putObject("metrics").put("enabled", true);
        }
        return body;
    }

    static ObjectNode cluster(int number) {
        String id = clusterId(number);
        ObjectNode body = StrictJson.object()
                .put("id", id)
                .put("cluster_name", id)
                .put("cluster_dns", id + ".k8s.example.com")
                .put("environment", ENVIRONMENTS.get(number % ENVIRONMENTS.size()))
                .put("workspace", workspace(number % WORKSPACES))
                .put("template", template(number % TEMPLATES))
                .put("owner", "team-" + number % 10);
        body.putObject("labels")
                .put("region", REGIONS.get(number % REGIONS.size()))
                .put("tier", number % 3 == 0 ? "gold" : "silver")
                .put("site", "site-" + number % 500);
        components(number, body);
        ArrayNode namespaces = body.putArray("namespaces");
        for (int i = 0; i < NAMESPACES_EACH; i++) {
            namespaces.addObject().put("id", namespace((number + i * 3) % NAMESPACES));
        }
        ArrayNode rolebindings = body.putArray("rolebindings");
        for (int i = 0; i < ROLEBINDINGS_EACH; i++) {
            rolebindings.addObject().put("id", rolebinding((number + i) % ROLEBINDINGS));
        }
        return body;
    }

    private static void components(int number, ObjectNode body) {
        ArrayNode references = body.putArray("platform_components");
        references.addObject().put("id", EVERYWHERE);
        int patched = 0;
        for (int i = 1; i < COMPONENTS_EACH; i++) {
            int chosen = 1 + (number * 7 + i * 3) % (COMPONENTS - 1);
            ObjectNode reference = references.addObject().put("id", component(chosen));
            if (i == 1) {
                reference.put("oci_tag", "1." + chosen + "." + number % 4);
            } else if (i == 2) {
                reference.put("enabled", number % 2 == 0);
            } else if (isHelm(chosen)) {
                patched = chosen;
            }
        }
        ObjectNode patches = body.putObject("patches");
        patches.putObject(EVERYWHERE)
                .put("controller.replicas", 1 + number % 5)
                .put("ingress.host", "www." + clusterId(number) + ".example.com");
        patches.putObject(component(patched)).put("resources.memory", 128 + number % 900 + "Mi");
    }

    private static boolean isHelm(int component) {
        return component % 2 == 0;
    }

    private static String component(int number) {
        return String.format(Locale.ROOT, "component-%02d", number);
    }

    private static String namespace(int number) {
        return String.format(Locale.ROOT, "workload-%02d", number);
    }

    private static String rolebinding(int number) {
        return String.format(Locale.ROOT, "binding-%02d", number);
    }

    private static String workspace(int number) {
        return String.format(Locale.ROOT, "workspace-%02d", number);
    }

    private static String template(int number) {
        return "template-" + number;
    }
}
