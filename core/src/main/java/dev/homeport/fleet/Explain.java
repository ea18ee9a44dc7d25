package dev.homeport.fleet;

import dev.homeport.document.BrokenDocument;
import dev.homeport.document.Document;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Walks the same layers as the {@link Resolver} and keeps the trail. Computed on request, never stored; a property test holds
 * its values equal to the resolver's.
 */
public final class Explain {
    private final FleetView view;
    private final LayerStack stack;
    private final TypeDefinition type;
    private final Map<String, ItemTrail> items = new TreeMap<>();

    private Explain(FleetView view, LayerStack stack, TypeDefinition type) {
        this.view = view;
        this.stack = stack;
        this.type = type;
    }

    public static Explanation of(FleetView view, Document cluster, TypeDefinition type) {
        Optional<String> unresolved = Resolver.resolve(view, cluster, type) instanceof Resolution.Unknown unknown
                ? Optional.of(unknown.reason())
                : Optional.empty();
        return new Explanation(items(view, cluster, type, item -> true), unresolved);
    }

    /** Some of the items alone. None where the layers cannot be put together. */
    public static List<Explanation.ExplainedItem> items(
            FleetView view, Document cluster, TypeDefinition type, Predicate<String> wanted) {
        try {
            LayerStack stack = LayerStack.of(view, Cluster.of(cluster));
            return new Explain(view, stack, type).walk(wanted);
        } catch (Unresolved | BrokenDocument e) {
            return List.of();
        }
    }

    private List<Explanation.ExplainedItem> walk(Predicate<String> wanted) {
        for (LayerSource source : stack.sources()) {
            for (Ref ref : source.layer().refs(type.plural())) {
                if (!wanted.test(ref.id())) {
                    continue;
                }
                items.computeIfAbsent(ref.id(), id -> new ItemTrail()).apply(source, ref);
            }
        }
        List<Explanation.ExplainedItem> explained = new ArrayList<>();
        items.forEach((id, trail) -> {
            Document document = view.document(type.name(), id);
            List<Explanation.ExplainedValue> values =
                    document == null || document.fault().isPresent() ? List.of() : values(document, trail);
            explained.add(new Explanation.ExplainedItem(id, trail.assigned, trail.assignment(), values));
        });
        return explained;
    }

    private List<Explanation.ExplainedValue> values(Document document, ItemTrail trail) {
        ValueTrail values = new ValueTrail();
        Explanation.Origin catalog = Explanation.Origin.of(LayerSource.Kind.CATALOG, document, Note.NONE);
        if (!type.name().equals(Types.PLATFORM_COMPONENT)) {
            document.tree().forEachEntry((field, value) -> values.put(field, value, catalog));
            return values.done();
        }
        Component component = Component.of(document);
        ObjectNode body = document.tree();
        body.remove("values");
        body.forEachEntry((field, value) -> values.put(field, value, catalog));
        values.put("enabled", JsonNodeFactory.instance.booleanNode(true), catalog);
        trail.overrides.forEach(override -> values.put(override.path(), override.value(), override.origin()));
        String path = values.text("component_path");
        values.put(
                "resolved_path",
                JsonNodeFactory.instance.stringNode(
                        component.resolvedPath(path, stack.cluster().environment())),
                values.origin("component_path", catalog));
        List<Explanation.ExplainedValue> all = new ArrayList<>(values.done());
        all.addAll(patches(document, component, catalog));
        return all;
    }

    private List<Explanation.ExplainedValue> patches(
            Document document, Component component, Explanation.Origin catalog) {
        ValueTrail leaves = new ValueTrail();
        component.defaults().forEach((path, value) -> leaves.put(path, value, catalog));
        for (LayerSource source : stack.sources()) {
            ComponentPatches patches = source.layer().patches().get(document.id());
            if (patches == null) {
                continue;
            }
            patches.removed().forEach(leaves::removeTree);
            patches.leaves().forEach((path, value) -> {
                Note note = patches.notes().getOrDefault(path, Note.NONE);
                leaves.putTree(path, value, Explanation.Origin.of(source.kind(), source.document(), note));
            });
        }
        return leaves.done().stream()
                .map(leaf -> new Explanation.ExplainedValue(
                        "patches/" + leaf.path(), filled(leaf.value(), document), leaf.origin(), leaf.shadowed()))
                .toList();
    }

    private JsonNode filled(JsonNode value, Document document) {
        try {
            var one = new TreeMap<>(Map.of("", value));
            return ClusterValues.fill(one, stack.cluster(), document.key()).getOrDefault("", value);
        } catch (Unresolved e) {
            return value;
        }
    }

    /** What the layers said of one item so far. */
    private static final class ItemTrail {
        private record Setting(String path, JsonNode value, Explanation.Origin origin) {}

        private final List<Setting> overrides = new ArrayList<>();
        private boolean assigned;
        private Explanation.@Nullable Origin decidedBy;

        void apply(LayerSource source, Ref ref) {
            Explanation.Origin origin = Explanation.Origin.of(source.kind(), source.document(), ref.note());
            if (ref.remove()) {
                overrides.clear();
                assigned = false;
                decidedBy = origin;
                return;
            }
            if (ref.assign() || decidedBy == null) {
                decidedBy = origin;
            }
            assigned |= ref.assign();
            JsonNodeFactory json = JsonNodeFactory.instance;
            if (ref.enabled() != null) {
                overrides.add(new Setting("enabled", json.booleanNode(ref.enabled()), origin));
            }
            if (ref.componentPath() != null) {
                overrides.add(new Setting("component_path", json.stringNode(ref.componentPath()), origin));
            }
            if (ref.ociTag() != null) {
                overrides.add(new Setting("oci_tag", json.stringNode(ref.ociTag()), origin));
            }
        }

        Explanation.Origin assignment() {
            if (decidedBy == null) {
                throw new IllegalStateException("an item that nothing speaks of");
            }
            return decidedBy;
        }
    }
}
