package dev.homeport.flux;

import dev.homeport.json.StrictJson;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What several clusters have in common, and what one of them has besides. The common part never holds anything that a member
 * lacks, so an overlay only ever adds: no patch has to take something away again.
 */
final class Overlay {
    private Overlay() {}

    /** Objects that all members have, with the fields that are equal in all of them. */
    static Map<ObjectKey, ObjectNode> common(Collection<Map<ObjectKey, ObjectNode>> members) {
        Iterator<Map<ObjectKey, ObjectNode>> all = members.iterator();
        Map<ObjectKey, ObjectNode> common = all.next();
        while (all.hasNext()) {
            Map<ObjectKey, ObjectNode> before = common;
            Map<ObjectKey, ObjectNode> shared = new TreeMap<>();
            all.next().forEach((key, object) -> {
                ObjectNode known = before.get(key);
                if (known != null) {
                    shared.put(key, both(known, object));
                }
            });
            common = shared;
        }
        return common;
    }

    /** What turns the common part into the whole, as operations of JSON Patch. */
    static List<ObjectNode> additions(JsonNode from, JsonNode to) {
        List<ObjectNode> operations = new ArrayList<>();
        add(from, to, "", operations);
        return operations;
    }

    private static void add(JsonNode from, JsonNode to, String at, List<ObjectNode> operations) {
        if (from instanceof ObjectNode common && to instanceof ObjectNode whole) {
            for (String key : new TreeSet<>(whole.propertyNames())) {
                String pointer = at + "/" + key.replace("~", "~0").replace("/", "~1");
                JsonNode value = whole.get(key);
                if (common.has(key)) {
                    add(common.get(key), value, pointer, operations);
                } else {
                    ObjectNode operation = StrictJson.object().put("op", "add").put("path", pointer);
                    operation.set("value", value);
                    operations.add(operation);
                }
            }
        } else if (from instanceof ArrayNode common && to instanceof ArrayNode whole) {
            for (int i = 0; i < whole.size(); i++) {
                add(common.get(i), whole.get(i), at + "/" + i, operations);
            }
        }
    }

    private static ObjectNode both(ObjectNode one, ObjectNode other) {
        ObjectNode common = StrictJson.object();
        one.propertyStream().forEach(field -> {
            JsonNode value = other.get(field.getKey());
            if (value != null) {
                both(field.getValue(), value).ifPresent(same -> common.set(field.getKey(), same));
            }
        });
        return common;
    }

    private static Optional<JsonNode> both(JsonNode one, JsonNode other) {
        if (one.equals(other)) {
            return Optional.of(one);
        }
        if (one instanceof ObjectNode first && other instanceof ObjectNode second) {
            return Optional.of(both(first, second));
        }
        if (one instanceof ArrayNode first && other instanceof ArrayNode second && first.size() == second.size()) {
            ArrayNode common = JsonNodeFactory.instance.arrayNode();
            for (int i = 0; i < first.size(); i++) {
                Optional<JsonNode> same = both(first.get(i), second.get(i));
                if (same.isEmpty()) {
                    return Optional.empty();
                }
                common.add(same.get());
            }
            return Optional.of(common);
        }
        return Optional.empty();
    }
}
