package dev.homeport.write;

import dev.homeport.document.Pointer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reverts a step in a document that may have changed since: a value that still is what the step wrote becomes the value from
 * before the step; one that has changed since is a conflict, which is reported and never resolved.
 */
final class ThreeWay {
    private final List<String> conflicts = new ArrayList<>();

    List<String> conflicts() {
        return conflicts;
    }

    ObjectNode undo(ObjectNode before, ObjectNode after, ObjectNode present) {
        return undoObject(before, after, present, "");
    }

    private @Nullable JsonNode undo(
            @Nullable JsonNode before, @Nullable JsonNode after, @Nullable JsonNode present, String pointer) {
        if (Objects.equals(before, after) || Objects.equals(before, present)) {
            return present;
        }
        if (Objects.equals(after, present)) {
            return before;
        }
        if (before instanceof ObjectNode b && after instanceof ObjectNode a && present instanceof ObjectNode p) {
            return undoObject(b, a, p, pointer);
        }
        if (keyed(before) && keyed(after) && keyed(present) && before != null && after != null && present != null) {
            return undoList(before, after, present, pointer);
        }
        conflicts.add(pointer);
        return present;
    }

    private ObjectNode undoObject(ObjectNode before, ObjectNode after, ObjectNode present, String pointer) {
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        Set<String> keys = new LinkedHashSet<>(present.propertyNames());
        keys.addAll(before.propertyNames());
        for (String key : keys) {
            JsonNode value = undo(before.get(key), after.get(key), present.get(key), Pointer.child(pointer, key));
            if (value != null) {
                result.set(key, value);
            }
        }
        return result;
    }

    /** Lists of references are maps by id in all but spelling. */
    private ArrayNode undoList(JsonNode before, JsonNode after, JsonNode present, String pointer) {
        Map<String, JsonNode> old = byId(before);
        Map<String, JsonNode> step = byId(after);
        Map<String, JsonNode> now = byId(present);
        Set<String> ids = new LinkedHashSet<>(now.keySet());
        ids.addAll(old.keySet());
        ArrayNode result = JsonNodeFactory.instance.arrayNode();
        for (String id : ids) {
            JsonNode value = undo(old.get(id), step.get(id), now.get(id), Pointer.child(pointer, id));
            if (value != null) {
                result.add(value);
            }
        }
        return result;
    }

    private static boolean keyed(@Nullable JsonNode node) {
        if (!(node instanceof ArrayNode)) {
            return false;
        }
        for (JsonNode element : node) {
            if (!element.path("id").isString()) {
                return false;
            }
        }
        return true;
    }

    private static Map<String, JsonNode> byId(JsonNode array) {
        Map<String, JsonNode> all = new LinkedHashMap<>();
        array.forEach(element -> all.put(element.get("id").stringValue(), element));
        return all;
    }
}
