package dev.homeport.fleet;

import dev.homeport.document.DocumentKey;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Replaces {@code {"$cluster": "name"}} by the cluster's own name, DNS name, environment or label. */
final class ClusterValues {
    private static final String MARK = "$cluster";

    private ClusterValues() {}

    static boolean mentioned(JsonNode value) {
        if (value.isObject() && value.has(MARK)) {
            return true;
        }
        if (value.isContainer()) {
            for (JsonNode element : value) {
                if (mentioned(element)) {
                    return true;
                }
            }
        }
        return false;
    }

    static SortedMap<String, JsonNode> fill(
            SortedMap<String, JsonNode> leaves, Cluster cluster, DocumentKey component) {
        SortedMap<String, JsonNode> filled = leaves;
        for (var leaf : leaves.entrySet()) {
            if (mentioned(leaf.getValue())) {
                filled = filled == leaves ? new TreeMap<>(leaves) : filled;
                filled.put(leaf.getKey(), fill(leaf.getValue(), cluster, component));
            }
        }
        return filled;
    }

    private static JsonNode fill(JsonNode value, Cluster cluster, DocumentKey component) {
        if (value.isObject() && value.has(MARK)) {
            return JsonNodeFactory.instance.stringNode(lookUp(value.get(MARK).stringValue(""), cluster, component));
        }
        if (value instanceof ArrayNode array) {
            ArrayNode all = JsonNodeFactory.instance.arrayNode();
            array.forEach(element -> all.add(fill(element, cluster, component)));
            return all;
        }
        if (value instanceof ObjectNode object) {
            ObjectNode all = JsonNodeFactory.instance.objectNode();
            object.forEachEntry((key, element) -> all.set(key, fill(element, cluster, component)));
            return all;
        }
        return value;
    }

    private static String lookUp(String what, Cluster cluster, DocumentKey component) {
        return switch (what) {
            case "name" -> cluster.name();
            case "dns" -> cluster.dns();
            case "environment" -> cluster.environment();
            default -> {
                String label = what.startsWith("labels.") ? cluster.labels().get(what.substring(7)) : null;
                if (label == null) {
                    throw new Unresolved(component + " asks for $cluster " + what + ", which cluster/" + cluster.id()
                            + " does not have");
                }
                yield label;
            }
        };
    }
}
