package dev.homeport.document;

import dev.homeport.problem.Violation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a layer must be beyond its schema. Parts of the wrong shape are skipped: the schema has reported them. */
final class LayerRules {
    private final List<Violation> found = new ArrayList<>();

    private LayerRules() {}

    static List<Violation> check(ObjectNode document, String pointer) {
        LayerRules rules = new LayerRules();
        rules.layer(document, pointer);
        String environments = Pointer.child(pointer, "by_environment");
        document.path("by_environment")
                .forEachEntry((name, layer) -> rules.layer(layer, Pointer.child(environments, name)));
        return rules.found;
    }

    private void layer(JsonNode layer, String pointer) {
        unique(layer.path("platform_components"), Pointer.child(pointer, "platform_components"), "platform component");
        unique(layer.path("namespaces"), Pointer.child(pointer, "namespaces"), "namespace");
        unique(layer.path("rolebindings"), Pointer.child(pointer, "rolebindings"), "rolebinding");
        references(layer.path("refs"), Pointer.child(pointer, "refs"));
        String patches = Pointer.child(pointer, "patches");
        layer.path("patches").forEachEntry((component, values) -> {
            if (values instanceof ObjectNode object) {
                String at = Pointer.child(patches, component);
                found.addAll(PatchLeaves.ofPatches(object, at).faults());
                found.addAll(ClusterValueRules.check(object, at));
            }
        });
    }

    private void references(JsonNode refs, String pointer) {
        refs.forEachEntry((plural, list) -> {
            String at = Pointer.child(pointer, plural);
            if (BuiltInTypes.catalog().withPlural(plural).isPresent()) {
                found.add(new Violation(
                        at,
                        "refs is for types added at run time, and " + plural + " is not one",
                        "use platform_components, namespaces or rolebindings"));
            }
            unique(list, at, Shown.text(plural));
        });
    }

    private void unique(JsonNode list, String pointer, String what) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < list.size(); i++) {
            String id = list.path(i).path("id").asString("");
            if (!id.isEmpty() && !seen.add(id)) {
                found.add(new Violation(
                        Pointer.child(Pointer.child(pointer, i), "id"),
                        "duplicate " + what + " id '" + Shown.text(id) + "'",
                        "name each id once"));
            }
        }
    }
}
