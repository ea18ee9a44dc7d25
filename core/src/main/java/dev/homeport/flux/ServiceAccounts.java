package dev.homeport.flux;

import dev.homeport.json.StrictJson;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** The service accounts of a cluster, each with no more rights than it needs. */
final class ServiceAccounts {
    /** Applies what the types' own templates make of types that were added at run time. */
    static final String OTHER_TYPES = "homeport-other-types";

    /** Makes the sets of single items, and none of their objects. */
    static final String OF_SETS = "homeport-platform-components";

    /** Makes the role bindings that no workspace delivers. */
    static final String OF_BINDINGS = "homeport-rolebindings";

    /**
     * Runs the components that no workspace delivers. They may hold anything, so it may do anything, as Flux's own controllers
     * may that would run them otherwise; where those are locked down, a component without an account has no rights.
     */
    static final String PLATFORM = "homeport-platform";

    private static final List<String> BUILT_IN = List.of("namespaces", "rolebindings", "platform-components");
    private static final List<String> ALL_VERBS =
            List.of("get", "list", "watch", "create", "update", "patch", "delete");

    private static final String OPERATOR = "fluxcd.controlplane.io";
    private static final List<String> SETS = List.of("resourcesets");
    private static final List<String> BINDINGS = List.of("clusterrolebindings", "rolebindings");

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
                    "homeport-types", rule(OPERATOR, List.of("resourcesets", "resourcesetinputproviders"), ALL_VERBS));
        }
        if (all || !BUILT_IN.containsAll(choices.types())) {
            accounts.extensible();
        }
        if (all || choices.types().contains("namespaces")) {
            accounts.everywhere("homeport-namespaces", rule("", List.of("namespaces"), ALL_VERBS));
        }
        boolean bindings = all || choices.types().contains("rolebindings");
        if (bindings) {
            accounts.ofBindings(choices.bindableRoles());
            accounts.handOver();
        }
        if (bindings || choices.types().contains("platform-components")) {
            accounts.inNamespace(OF_SETS, rule(OPERATOR, SETS, ALL_VERBS));
        }
        if (all || choices.types().contains("platform-components")) {
            accounts.ofComponents();
        }
        if (Feedback.hasSets(choices)) {
            accounts.inNamespace(
                    Feedback.SET, rule("notification.toolkit.fluxcd.io", List.of("providers", "alerts"), ALL_VERBS));
        }
        return accounts.objects;
    }

    /** The accounts that apply single components and role bindings; their sets need them. */
    static List<ObjectNode> ofItems(Choices choices, boolean setsOfBindings) {
        ServiceAccounts accounts = new ServiceAccounts(choices.namespace());
        accounts.ofComponents();
        if (setsOfBindings) {
            accounts.ofBindings(choices.bindableRoles());
        }
        return accounts.objects;
    }

    private void ofBindings(List<String> bindable) {
        ObjectNode bind = rule(Manifest.RBAC, List.of("clusterroles", "roles"), List.of("bind"));
        if (!bindable.isEmpty()) {
            bindable.forEach(bind.putArray("resourceNames")::add);
        }
        everywhere(OF_BINDINGS, rule(Manifest.RBAC, BINDINGS, ALL_VERBS), bind);
    }

    private void ofComponents() {
        inNamespace(
                "homeport-component",
                rule("source.toolkit.fluxcd.io", List.of("ocirepositories", "helmrepositories"), ALL_VERBS),
                rule("kustomize.toolkit.fluxcd.io", List.of("kustomizations"), ALL_VERBS),
                rule("helm.toolkit.fluxcd.io", List.of("helmreleases"), ALL_VERBS));
        ofPlatform();
    }

    /** Alone: what Flux needs to act as it. */
    static List<ObjectNode> ofPlatform(Choices choices) {
        ServiceAccounts accounts = new ServiceAccounts(choices.namespace());
        accounts.ofPlatform();
        return accounts.objects;
    }

    /** Kept by whatever applies it: components that go are removed as this account. */
    private void ofPlatform() {
        objects.add(Polling.kept(Manifest.of("v1", "ServiceAccount", PLATFORM, namespace)));
        ObjectNode binding = Manifest.of(Manifest.RBAC + "/v1", "ClusterRoleBinding", PLATFORM);
        bind(Polling.kept(binding), "ClusterRole", "cluster-admin", PLATFORM);
    }

    /**
     * What it takes to change the format without losing a binding. The account that makes the sets may read bindings that
     * were made without one and may not delete them, so they stay until their own set has them; the way back removes the
     * sets.
     */
    private void handOver() {
        allowEverywhere("homeport-bindings-seen", OF_SETS, rule(Manifest.RBAC, BINDINGS, List.of("get")));
        allowInNamespace("homeport-binding-sets", OF_BINDINGS, rule(OPERATOR, SETS, List.of("get", "delete")));
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
        allowInNamespace(name, name, rules);
    }

    private void everywhere(String name, ObjectNode... rules) {
        account(name);
        allowEverywhere(name, name, rules);
    }

    private void allowInNamespace(String name, String account, ObjectNode... rules) {
        ObjectNode role = Manifest.of(Manifest.RBAC + "/v1", "Role", name, namespace);
        List.of(rules).forEach(role.putArray("rules")::add);
        objects.add(role);
        bind(Manifest.of(Manifest.RBAC + "/v1", "RoleBinding", name, namespace), "Role", account);
    }

    private void allowEverywhere(String name, String account, ObjectNode... rules) {
        ObjectNode role = Manifest.of(Manifest.RBAC + "/v1", "ClusterRole", name);
        List.of(rules).forEach(role.putArray("rules")::add);
        objects.add(role);
        bind(Manifest.of(Manifest.RBAC + "/v1", "ClusterRoleBinding", name), "ClusterRole", account);
    }

    /** Nothing at first; the operators of the cluster add rights with labelled ClusterRoles. */
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

    /** The role is called like the binding. */
    private void bind(ObjectNode binding, String kind, String account) {
        bind(binding, kind, Manifest.metadata(binding).path("name").stringValue(), account);
    }

    private void bind(ObjectNode binding, String kind, String role, String account) {
        binding.putObject("roleRef")
                .put("apiGroup", Manifest.RBAC)
                .put("kind", kind)
                .put("name", role);
        binding.putArray("subjects")
                .addObject()
                .put("kind", "ServiceAccount")
                .put("name", account)
                .put("namespace", namespace);
        objects.add(binding);
    }
}
