package dev.homeport.flux;

import dev.homeport.json.StrictJson;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Who applies what, with no more rights than that takes. */
final class ServiceAccounts {
    /** Applies what the types' own templates make of types that were added at run time. */
    static final String OTHER_TYPES = "homeport-other-types";

    private static final List<String> BUILT_IN = List.of("namespaces", "rolebindings", "platform-components");
    private static final List<String> ALL_VERBS =
            List.of("get", "list", "watch", "create", "update", "patch", "delete");

    private final String namespace;
    private final List<ObjectNode> objects = new ArrayList<>();

    private ServiceAccounts(String namespace) {
        this.namespace = namespace;
    }

    static List<ObjectNode> of(Choices choices) {
        ServiceAccounts accounts = new ServiceAccounts(choices.namespace());
        boolean all = choices.types().isEmpty();
        if (all) {
            accounts.inNamespace(
                    "homeport-types",
                    rule("fluxcd.controlplane.io", List.of("resourcesets", "resourcesetinputproviders"), ALL_VERBS));
        }
        if (all || !BUILT_IN.containsAll(choices.types())) {
            accounts.extensible();
        }
        if (all || choices.types().contains("namespaces")) {
            accounts.everywhere("homeport-namespaces", rule("", List.of("namespaces"), ALL_VERBS));
        }
        if (all || choices.types().contains("rolebindings")) {
            ObjectNode bind = rule(Manifest.RBAC, List.of("clusterroles", "roles"), List.of("bind"));
            if (!choices.bindableRoles().isEmpty()) {
                choices.bindableRoles().forEach(bind.putArray("resourceNames")::add);
            }
            accounts.everywhere(
                    "homeport-rolebindings",
                    rule(Manifest.RBAC, List.of("clusterrolebindings", "rolebindings"), ALL_VERBS),
                    bind);
        }
        if (all || choices.types().contains("platform-components")) {
            accounts.inNamespace(
                    "homeport-platform-components", rule("fluxcd.controlplane.io", List.of("resourcesets"), ALL_VERBS));
            accounts.ofComponents();
        }
        if (choices.instance() == Choices.Instance.CREATE) {
            accounts.inNamespace(
                    Feedback.SET, rule("notification.toolkit.fluxcd.io", List.of("providers", "alerts"), ALL_VERBS));
        }
        return accounts.objects;
    }

    /** Who applies single components, without whom their sets could do nothing. */
    static List<ObjectNode> ofComponents(Choices choices) {
        ServiceAccounts accounts = new ServiceAccounts(choices.namespace());
        accounts.ofComponents();
        return accounts.objects;
    }

    private void ofComponents() {
        inNamespace(
                "homeport-component",
                rule("source.toolkit.fluxcd.io", List.of("ocirepositories", "helmrepositories"), ALL_VERBS),
                rule("kustomize.toolkit.fluxcd.io", List.of("kustomizations"), ALL_VERBS),
                rule("helm.toolkit.fluxcd.io", List.of("helmreleases"), ALL_VERBS));
    }

    private static ObjectNode rule(String group, List<String> resources, List<String> verbs) {
        ObjectNode rule = StrictJson.object();
        rule.putArray("apiGroups").add(group);
        resources.forEach(rule.putArray("resources")::add);
        verbs.forEach(rule.putArray("verbs")::add);
        return rule;
    }

    private void inNamespace(String name, ObjectNode... rules) {
        account(name);
        ObjectNode role = Manifest.of(Manifest.RBAC + "/v1", "Role", name, namespace);
        List.of(rules).forEach(role.putArray("rules")::add);
        objects.add(role);
        bind(Manifest.of(Manifest.RBAC + "/v1", "RoleBinding", name, namespace), "Role", name);
    }

    private void everywhere(String name, ObjectNode... rules) {
        account(name);
        ObjectNode role = Manifest.of(Manifest.RBAC + "/v1", "ClusterRole", name);
        List.of(rules).forEach(role.putArray("rules")::add);
        objects.add(role);
        bind(Manifest.of(Manifest.RBAC + "/v1", "ClusterRoleBinding", name), "ClusterRole", name);
    }

    /** Nothing at first; whoever runs the cluster adds rights with labelled ClusterRoles. */
    private void extensible() {
        account(OTHER_TYPES);
        ObjectNode role = Manifest.of(Manifest.RBAC + "/v1", "ClusterRole", OTHER_TYPES);
        role.putObject("aggregationRule")
                .putArray("clusterRoleSelectors")
                .addObject()
                .putObject("matchLabels")
                .put("homeport.dev/aggregate-to-other-types", "true");
        objects.add(role);
        bind(Manifest.of(Manifest.RBAC + "/v1", "ClusterRoleBinding", OTHER_TYPES), "ClusterRole", OTHER_TYPES);
    }

    private void account(String name) {
        objects.add(Manifest.of("v1", "ServiceAccount", name, namespace));
    }

    private void bind(ObjectNode binding, String kind, String name) {
        binding.putObject("roleRef")
                .put("apiGroup", Manifest.RBAC)
                .put("kind", kind)
                .put("name", name);
        binding.putArray("subjects")
                .addObject()
                .put("kind", "ServiceAccount")
                .put("name", name)
                .put("namespace", namespace);
        objects.add(binding);
    }
}
