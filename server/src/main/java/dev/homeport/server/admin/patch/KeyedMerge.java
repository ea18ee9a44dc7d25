package dev.homeport.server.admin.patch;

import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A merge patch that knows keyed lists. Where both sides are lists of objects with an {@code id}, elements are merged by id:
 * a known one is merged member by member, a new one is added at the end, and {@code "$remove": true} takes one out. Other
 * lists are replaced whole, and null removes a member, as in a merge patch. So one patch assigns a component to any cluster,
 * whatever else the cluster has.
 */
public final class KeyedMerge {
    private static final String REMOVE = "$remove";

    private KeyedMerge() {}

    public static ObjectNode apply(ObjectNode target, ObjectNode patch) {
        return (ObjectNode) merged(target, patch);
    }

    private static JsonNode merged(JsonNode target, JsonNode patch) {
        if (patch instanceof ArrayNode list && isKeyed(list) && (target.isMissingNode() || isKeyed(target))) {
            return mergedList(target, list);
        }
        if (!(patch instanceof ObjectNode members)) {
            return patch;
        }
        ObjectNode result =
                target instanceof ObjectNode object ? object.deepCopy() : JsonNodeFactory.instance.objectNode();
        members.forEachEntry((name, value) -> {
            if (value.isNull()) {
                result.remove(name);
            } else {
                JsonNode next = merged(result.path(name), value);
                boolean takenOutOfNothing = !result.has(name) && value.isArray() && !value.isEmpty() && next.isEmpty();
                if (!takenOutOfNothing) {
                    result.set(name, next);
                }
            }
        });
        return result;
    }

    private static ArrayNode mergedList(JsonNode target, ArrayNode patch) {
        Map<String, JsonNode> byId = new LinkedHashMap<>();
        target.forEach(element -> byId.put(element.path("id").stringValue(), element));
        for (JsonNode element : patch) {
            String id = element.path("id").stringValue();
            if (element.path(REMOVE).asBoolean(false)) {
                byId.remove(id);
            } else {
                byId.put(id, merged(byId.getOrDefault(id, JsonNodeFactory.instance.objectNode()), element));
            }
        }
        ArrayNode result = JsonNodeFactory.instance.arrayNode();
        byId.values().forEach(result::add);
        return result;
    }

    private static boolean isKeyed(JsonNode node) {
        if (!node.isArray()) {
            return false;
        }
        for (JsonNode element : node) {
            if (!element.path("id").isString()) {
                return false;
            }
        }
        return true;
    }
}
