package dev.homeport.cli.output;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** Differences between two objects, field by field; elements of lists are matched by their id. */
public final class JsonDiff {
    /** A field with its values; a missing one is empty. */
    public record Difference(String path, String before, String after) {}

    private final List<Difference> found = new ArrayList<>();

    private JsonDiff() {}

    public static List<Difference> of(JsonNode before, JsonNode after) {
        JsonDiff diff = new JsonDiff();
        diff.compare("", before, after);
        return diff.found;
    }

    private void compare(String path, JsonNode before, JsonNode after) {
        if (before.equals(after)) {
            return;
        }
        boolean objects = (before.isObject() || before.isMissingNode()) && (after.isObject() || after.isMissingNode());
        if (objects && !(before.isEmpty() && after.isEmpty())) {
            Set<String> names = new TreeSet<>(before.propertyNames());
            names.addAll(after.propertyNames());
            names.forEach(
                    name -> compare(path.isEmpty() ? name : path + "." + name, before.path(name), after.path(name)));
        } else if (isKeyed(before) && isKeyed(after) && !(before.isEmpty() && after.isEmpty())) {
            Map<String, JsonNode> old = byId(before);
            Map<String, JsonNode> now = byId(after);
            Set<String> ids = new TreeSet<>(old.keySet());
            ids.addAll(now.keySet());
            int size = found.size();
            ids.forEach(id -> element(path + "[" + id + "]", old.get(id), now.get(id)));
            if (found.size() == size) {
                found.add(new Difference(path, "in the order " + old.keySet(), "in the order " + now.keySet()));
            }
        } else {
            found.add(new Difference(path, text(before), text(after)));
        }
    }

    private void element(
            String path,
            @org.jspecify.annotations.Nullable JsonNode before,
            @org.jspecify.annotations.Nullable JsonNode after) {
        if (before == null || after == null) {
            found.add(new Difference(
                    path, before == null ? "" : before.toString(), after == null ? "" : after.toString()));
        } else {
            compare(path, before, after);
        }
    }

    private static String text(JsonNode value) {
        return value.isMissingNode() ? "" : value.isContainer() ? value.toString() : quoted(value);
    }

    private static String quoted(JsonNode value) {
        return value.isString() && value.stringValue().isEmpty() ? "\"\"" : Column.text(value);
    }

    private static boolean isKeyed(JsonNode node) {
        if (!node.isArray()) {
            return node.isMissingNode();
        }
        for (JsonNode element : node) {
            if (!element.path("id").isString()) {
                return false;
            }
        }
        return true;
    }

    private static Map<String, JsonNode> byId(JsonNode list) {
        Map<String, JsonNode> byId = new LinkedHashMap<>();
        list.forEach(element -> byId.put(element.path("id").asString(""), element));
        return byId;
    }
}
