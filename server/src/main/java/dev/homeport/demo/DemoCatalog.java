package dev.homeport.demo;

import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import dev.homeport.write.Operation;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What the clusters of the demo are given, as it was a month ago. */
final class DemoCatalog {
    private DemoCatalog() {}

    /**
     * A component.
     *
     * @param versions the one it had a month ago, and those that it got since
     */
    record Part(String id, String kind, String path, String namespace, List<String> versions) {
        String first() {
            return versions.getFirst();
        }

        List<String> upgrades() {
            return versions.subList(1, versions.size());
        }
    }

    static final List<Part> PARTS = List.of(
            new Part("cert-manager", "helm", "cert-manager", "cert-manager", List.of("v1.18.2", "v1.18.3", "v1.19.1")),
            new Part(
                    "cluster-baseline",
                    "kustomize",
                    "core/cluster-baseline",
                    "",
                    List.of("2026.41.0", "2026.43.0", "2026.45.1")),
            new Part("external-dns", "helm", "external-dns", "external-dns", List.of("1.18.0", "1.19.0")),
            new Part("external-secrets", "helm", "external-secrets", "external-secrets", List.of("0.19.2", "0.20.1")),
            new Part("grafana-alloy", "helm", "alloy", "monitoring", List.of("1.2.1", "1.3.1")),
            new Part("ingress-nginx", "helm", "ingress-nginx", "ingress-nginx", List.of("4.13.2", "4.13.3")),
            new Part("kyverno", "helm", "kyverno", "kyverno", List.of("3.5.1", "3.5.2")),
            new Part("loki", "helm", "loki", "monitoring", List.of("6.41.0", "6.42.0")),
            new Part("metrics-server", "kustomize", "core/metrics-server", "", List.of("v0.8.0")),
            new Part("node-local-dns", "kustomize", "core/node-local-dns", "", List.of("1.26.4", "1.26.5")),
            new Part(
                    "prometheus",
                    "helm",
                    "kube-prometheus-stack",
                    "monitoring",
                    List.of("77.11.0", "78.3.0", "78.5.0")),
            new Part("velero", "helm", "velero", "velero", List.of("10.1.2", "11.1.0")));

    private static final List<String> EVERYWHERE = List.of(
            "cert-manager",
            "cluster-baseline",
            "external-dns",
            "external-secrets",
            "grafana-alloy",
            "ingress-nginx",
            "kyverno",
            "metrics-server",
            "node-local-dns");

    static Operation create(String type, String id, ObjectNode body) {
        return new Operation.Create(new DocumentKey(type, id), body);
    }

    static List<Operation> components() {
        List<Operation> all = new ArrayList<>();
        for (Part part : PARTS) {
            boolean helm = part.kind().equals("helm");
            ObjectNode body = StrictJson.object()
                    .put("kind", part.kind())
                    .put("component_path", part.path())
                    .put("component_version", part.first())
                    .put("oci_url", "oci://registry.example.com/platform/" + part.id())
                    .put("oci_tag", part.first())
                    .put("owner", "team-platform");
            if (!part.namespace().isEmpty()) {
                body.put("target_namespace", part.namespace());
            }
            switch (part.id()) {
                case "cluster-baseline" -> body.put("cluster_env_enabled", true).put("cluster_scoped", true);
                case "loki" -> body.put("stateful", true);
                case "ingress-nginx" -> body.putArray("depends_on").add("cert-manager");
                default -> {}
            }
            if (helm) {
                body.putObject("values").put("replicaCount", 1);
            }
            all.add(create(Types.PLATFORM_COMPONENT, part.id(), body));
        }
        return all;
    }

    static List<Operation> namespaces() {
        List<Operation> all = new ArrayList<>();
        for (String id : List.of("monitoring", "ingress-nginx")) {
            all.add(namespace(id, "platform"));
        }
        for (String workspace : DemoCluster.WORKSPACES) {
            all.add(namespace(workspace, workspace));
            ObjectNode binding = StrictJson.object()
                    .put("role", "edit")
                    .put("namespace", workspace)
                    .put("owner", "team-platform");
            binding.putArray("subjects").addObject().put("kind", "Group").put("name", "team-" + workspace);
            all.add(create(Types.ROLEBINDING, workspace + "-edit", binding));
        }
        ObjectNode viewers = StrictJson.object().put("role", "view").put("owner", "team-platform");
        viewers.putArray("subjects").addObject().put("kind", "Group").put("name", "employees");
        all.add(create(Types.ROLEBINDING, "employees-view", viewers));
        return all;
    }

    private static Operation namespace(String id, String team) {
        ObjectNode body = StrictJson.object();
        body.putObject("labels").put("team", team);
        return create(Types.NAMESPACE, id, body);
    }

    private static ObjectNode probe() {
        ObjectNode body = StrictJson.object()
                .put("title", "Is cert-manager ready?")
                .put("owner", "team-platform")
                .put("if_absent", "passed")
                .put("expression", "status.conditions.exists(c, c.type == 'Ready' && c.status == 'True')");
        body.putObject("object")
                .put("api_version", "helm.toolkit.fluxcd.io/v2")
                .put("kind", "HelmRelease")
                .put("name", "c-cert-manager")
                .put("namespace", "flux-system");
        return body;
    }

    static List<Operation> layers() {
        List<Operation> all = new ArrayList<>();
        for (String template : List.of("standard", "edge")) {
            ObjectNode body = StrictJson.object().put("owner", "team-platform");
            references(body, "platform_components", EVERYWHERE);
            if (template.equals("standard")) {
                references(body, "platform_components", List.of("velero"));
            }
            references(body, "namespaces", List.of("monitoring", "ingress-nginx"));
            references(body, "rolebindings", List.of("employees-view"));
            all.add(create(Types.CLUSTER_TEMPLATE, template, body));
        }
        all.add(create(Types.PROBE, "cert-manager-ready", probe()));
        for (String workspace : DemoCluster.WORKSPACES) {
            ObjectNode body = StrictJson.object().put("owner", "team-" + workspace);
            references(body, "namespaces", List.of(workspace));
            references(body, "rolebindings", List.of(workspace + "-edit"));
            if (workspace.equals("data-platform") || workspace.equals("payments")) {
                references(body, "platform_components", List.of("loki", "prometheus"));
            }
            all.add(create(Types.WORKSPACE, workspace, body));
        }
        return all;
    }

    private static void references(ObjectNode layer, String list, List<String> ids) {
        ArrayNode references = layer.withArray("/" + list);
        ids.forEach(id -> references.addObject().put("id", id));
    }
}
