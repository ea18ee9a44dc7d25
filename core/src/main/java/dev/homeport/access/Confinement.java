package dev.homeport.access;

import dev.homeport.document.Document;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.FleetView;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * What a tenant may deliver: nothing that concerns a whole cluster, only into the workspace's namespaces, and only where the
 * workspace has a service account to act as. Judged on what is stored, so that no request can widen its own limits.
 */
final class Confinement {
    private static final Map<String, String> LISTS = Map.of(
            "platform_components", "platform-components", "namespaces", "namespaces", "rolebindings", "rolebindings");
    private static final Set<String> LAYERED =
            Set.of(Types.CLUSTER, Types.WORKSPACE, Types.ENVIRONMENT, Types.CLUSTER_TEMPLATE);
    private static final String COMPONENTS = "platform-components";
    private static final Set<String> PATCHES = Set.of("patches", "patches_removed", "patch_info");

    private final AccessView view;
    private final @Nullable Document workspace;
    private final @Nullable String workspaceId;
    private final Optional<SharedItems> shared;

    private Confinement(AccessView view, @Nullable String workspaceId, Optional<SharedItems> shared) {
        this.view = view;
        this.workspaceId = workspaceId;
        this.workspace = workspaceId == null ? null : view.document(Types.WORKSPACE, workspaceId);
        this.shared = shared;
    }

    /** Something that a layer says: about an item, in the base layer or for one environment. */
    private record Entry(String layer, String field, String plural, String id) {}

    /** @param tenant whether the right to the change is one in a workspace or on a cluster, and not in the fleet */
    static Optional<String> breach(
            Optional<Document> before, Optional<Document> after, AccessView view, boolean tenant) {
        Document any = after.or(() -> before).orElseThrow();
        JsonNode old = tree(before);
        JsonNode now = tree(after);
        if (!LAYERED.contains(any.type())) {
            return item(any.type(), old, now, view);
        }
        if (after.isEmpty()) {
            return Optional.empty();
        }
        String workspaceId = any.type().equals(Types.WORKSPACE)
                ? any.id()
                : now.path("workspace").isString() ? now.path("workspace").stringValue() : null;
        Optional<SharedItems> shared = tenant ? SharedItems.concerning(before, after.get(), view) : Optional.empty();
        return new Confinement(view, workspaceId, shared).layers(any, old, now);
    }

    private static JsonNode tree(Optional<Document> document) {
        return document.filter(known -> known.fault().isEmpty())
                .<JsonNode>map(Document::tree)
                .orElse(MissingNode.getInstance());
    }

    private static Optional<String> item(String type, JsonNode old, JsonNode now, FleetView view) {
        if (!Rule.isItem(type, view) || old.equals(now)) {
            return Optional.empty();
        }
        boolean whole = switch (type) {
            case Types.NAMESPACE -> true;
            case Types.ROLEBINDING -> isWhole(old, "namespace") || isWhole(now, "namespace");
            case Types.PLATFORM_COMPONENT ->
                old.path("cluster_scoped").booleanValue(false)
                        || now.path("cluster_scoped").booleanValue(false);
            default -> isClusterScoped(type, view);
        };
        return whole ? Optional.of("it makes objects that concern a whole cluster") : Optional.empty();
    }

    private static boolean isWhole(JsonNode binding, String field) {
        return binding.isObject() && !binding.has(field);
    }

    /** A type says itself that its documents stay in namespaces; without a word they may be anything. */
    private static boolean isClusterScoped(String type, FleetView view) {
        Document document = view.document(Types.TYPE, type);
        return document == null
                || document.fault().isPresent()
                || document.tree().path("cluster_scoped").booleanValue(true);
    }

    private Optional<String> layers(Document any, JsonNode old, JsonNode now) {
        if (any.type().equals(Types.WORKSPACE) && !old.path("service_account").equals(now.path("service_account"))) {
            return Optional.of("the workspace's service_account is the limit of what the workspace may do");
        }
        if (any.type().equals(Types.CLUSTER)
                && old.isObject()
                && !old.path("template").equals(now.path("template"))) {
            return Optional.of("another template is another set of what concerns the whole cluster");
        }
        Map<Entry, JsonNode> before = entries(old);
        Map<Entry, JsonNode> after = entries(now);
        Set<Entry> changed = new HashSet<>(before.keySet());
        changed.addAll(after.keySet());
        changed.removeIf(entry -> before.containsKey(entry) && before.get(entry).equals(after.get(entry)));
        if (!changed.isEmpty() && workspaceId != null && serviceAccount().isEmpty()) {
            return Optional.of("workspace/" + workspaceId + " has no service_account that it could be delivered under");
        }
        JsonNode stored = tree(Optional.ofNullable(workspace));
        OwnItems own = OwnItems.of(any.type(), stored, old, now);
        OwnItems owned = OwnItems.of(any.type(), stored, old, old);
        Stream<Optional<String>> touched =
                changed.stream().map(entry -> breach(entry, before.get(entry), after.get(entry), own));
        Stream<Optional<String>> movedTo =
                after.entrySet().stream().map(entry -> taken(entry.getKey(), entry.getValue()));
        Stream<Optional<String>> left = after.keySet().stream()
                .filter(entry -> !changed.contains(entry) && owned.assigns(entry.layer(), entry.plural(), entry.id()))
                .map(entry -> waiting(entry, after.get(entry), own));
        return Stream.of(touched, movedTo, left)
                .flatMap(breaches -> breaches)
                .flatMap(Optional::stream)
                .sorted()
                .findFirst();
    }

    private String serviceAccount() {
        return workspace == null || workspace.fault().isPresent()
                ? ""
                : workspace.tree().path("service_account").stringValue("");
    }

    private Set<String> namespaces() {
        Set<String> ids = new TreeSet<>();
        if (workspace != null && workspace.fault().isEmpty()) {
            entries(workspace.tree()).forEach((entry, body) -> {
                if (entry.plural().equals("namespaces") && !body.path("remove").booleanValue(false)) {
                    ids.add(entry.id());
                }
            });
        }
        return ids;
    }

    private Optional<String> breach(Entry entry, @Nullable JsonNode old, @Nullable JsonNode now, OwnItems own) {
        TypeDefinition type = view.types().withPlural(entry.plural()).orElse(null);
        Document item = type == null ? null : view.document(type.name(), entry.id());
        if (type == null || item == null || item.fault().isPresent()) {
            return Optional.of("there is no " + (type == null ? entry.plural() : type.name()) + "/" + entry.id()
                    + " to be assigned yet");
        }
        Optional<String> assigner = shared.flatMap(items -> items.assigner(entry.layer(), entry.plural(), entry.id()));
        if (assigner.isPresent()) {
            return platforms(item, "is assigned by " + assigner.get(), removes(entry, old) || removes(entry, now));
        }
        Optional<String> waiting = waiting(entry, now, own);
        if (waiting.isPresent()) {
            return waiting;
        }
        return switch (type.name()) {
            case Types.PLATFORM_COMPONENT -> component(item);
            case Types.NAMESPACE ->
                namespaces().contains(item.id()) ? Optional.empty() : Optional.of(foreign(item.id()));
            case Types.ROLEBINDING -> binding(item);
            default ->
                isClusterScoped(type.name(), view)
                        ? Optional.of("documents of the type " + type.name() + " may concern a whole cluster")
                        : Optional.empty();
        };
    }

    /** What a layer says of an item that nothing of the tenant's assigns has no effect until the platform assigns it. */
    private Optional<String> waiting(Entry entry, @Nullable JsonNode now, OwnItems own) {
        TypeDefinition type = view.types().withPlural(entry.plural()).orElse(null);
        Document item = type == null ? null : view.document(type.name(), entry.id());
        return shared.isEmpty()
                        || now == null
                        || item == null
                        || item.fault().isPresent()
                        || own.assigns(entry.layer(), entry.plural(), entry.id())
                ? Optional.empty()
                : platforms(
                        item,
                        "is not assigned by the " + (workspaceId == null ? "cluster" : "workspace or the cluster"),
                        removes(entry, now));
    }

    /** What a cluster says of an item that only the environment which it moves to assigns. */
    private Optional<String> taken(Entry entry, JsonNode body) {
        TypeDefinition type = view.types().withPlural(entry.plural()).orElse(null);
        Document item = type == null ? null : view.document(type.name(), entry.id());
        return item == null || item.fault().isPresent()
                ? Optional.empty()
                : shared.flatMap(items -> items.newAssigner(entry.plural(), entry.id()))
                        .flatMap(assigner -> platforms(item, "is assigned by " + assigner, removes(entry, body)));
    }

    /** What a layer that tenants share assigns is the platform's, unless the component says otherwise. */
    private static Optional<String> platforms(Document item, String whose, boolean removes) {
        JsonNode body = item.tree();
        String allowed = item.type().equals(Types.PLATFORM_COMPONENT)
                        && !body.path("cluster_scoped").booleanValue(false)
                ? body.path("tenants_may").stringValue("nothing")
                : "nothing";
        return allowed.equals("remove") || allowed.equals("patch") && !removes
                ? Optional.empty()
                : Optional.of(item.key() + " " + whose + ", and tenants may "
                        + (allowed.equals("patch") ? "patch it but not remove it" : "neither patch nor remove it"));
    }

    /** To disable an item takes it away like a removal. */
    private static boolean removes(Entry entry, @Nullable JsonNode ref) {
        return ref != null
                && !PATCHES.contains(entry.field())
                && (ref.path("remove").booleanValue(false)
                        || !ref.path("enabled").booleanValue(true));
    }

    private Optional<String> component(Document component) {
        JsonNode body = component.tree();
        if (body.path("cluster_scoped").booleanValue(false)) {
            return Optional.of(component.key() + " makes objects that concern a whole cluster");
        }
        String target = body.path("target_namespace").stringValue("");
        return target.isEmpty() || workspaceId == null || namespaces().contains(target)
                ? Optional.empty()
                : Optional.of(component.key() + " goes elsewhere: " + foreign(target));
    }

    private Optional<String> binding(Document binding) {
        String namespace = binding.tree().path("namespace").stringValue("");
        if (namespace.isEmpty()) {
            return Optional.of(binding.key() + " binds a role in the whole cluster");
        }
        return workspaceId == null || namespaces().contains(namespace)
                ? Optional.empty()
                : Optional.of(binding.key() + " goes elsewhere: " + foreign(namespace));
    }

    private String foreign(String namespace) {
        return workspaceId == null
                ? "the namespace " + namespace + " is no workspace's here"
                : "the namespace " + namespace + " is not one of workspace/" + workspaceId;
    }

    private static Map<Entry, JsonNode> entries(JsonNode body) {
        Map<Entry, JsonNode> all = new HashMap<>();
        layer("", body, all);
        body.path("by_environment").forEachEntry((environment, layer) -> layer(environment, layer, all));
        return all;
    }

    private static void layer(String name, JsonNode layer, Map<Entry, JsonNode> all) {
        LISTS.forEach((field, plural) -> list(name, field, plural, layer.path(field), all));
        layer.path("refs").forEachEntry((plural, refs) -> list(name, "refs", plural, refs, all));
        for (String field : PATCHES) {
            layer.path(field)
                    .forEachEntry((component, value) -> all.put(new Entry(name, field, COMPONENTS, component), value));
        }
    }

    private static void list(String name, String field, String plural, JsonNode refs, Map<Entry, JsonNode> all) {
        refs.forEach(
                ref -> all.put(new Entry(name, field, plural, ref.path("id").stringValue("")), ref));
    }
}
