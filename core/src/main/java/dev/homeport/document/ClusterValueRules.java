package dev.homeport.document;

import dev.homeport.problem.Violation;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Values of the form {@code {"$cluster": "name"}}, which stand for something of the cluster. */
final class ClusterValueRules {
    private static final String LABELS = "labels.";

    private ClusterValueRules() {}

    static List<Violation> check(JsonNode values, String pointer) {
        List<Violation> found = new ArrayList<>();
        visit(values, pointer, found);
        return found;
    }

    private static void visit(JsonNode node, String pointer, List<Violation> found) {
        if (node.isObject()) {
            JsonNode wanted = node.path(PatchLeaves.CLUSTER_VALUE);
            if (!wanted.isMissingNode() && (node.size() > 1 || !isKnown(wanted))) {
                found.add(new Violation(
                        Pointer.child(pointer, PatchLeaves.CLUSTER_VALUE),
                        "this does not name a value of the cluster",
                        "write {\"$cluster\": …} alone, with name, dns, environment or labels.<key>"));
            }
            node.forEachEntry((key, value) -> visit(value, Pointer.child(pointer, key), found));
        } else if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                visit(node.path(i), Pointer.child(pointer, i), found);
            }
        }
    }

    private static boolean isKnown(JsonNode wanted) {
        return switch (wanted.asString("")) {
            case "name", "dns", "environment" -> true;
            case String text ->
                text.startsWith(LABELS)
                        && KubernetesKeys.clusterLabel(text.substring(LABELS.length()))
                                .isEmpty();
        };
    }
}
