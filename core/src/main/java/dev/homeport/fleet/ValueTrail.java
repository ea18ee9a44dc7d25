package dev.homeport.fleet;

import dev.homeport.document.PatchPath;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** Values by path, each with what it has replaced. */
final class ValueTrail {
    private final NavigableMap<String, Explanation.ExplainedValue> values = new TreeMap<>();

    /** A value in front of what was at the path. */
    void put(String path, JsonNode value, Explanation.Origin origin) {
        List<Explanation.Shadowed> shadowed = new ArrayList<>();
        shadow(path, shadowed);
        values.put(path, new Explanation.ExplainedValue(path, value, origin, shadowed));
    }

    /** A value in front of what was at the path, below it, or, if that was an empty object, above it. */
    void putTree(String path, JsonNode value, Explanation.Origin origin) {
        List<Explanation.Shadowed> shadowed = new ArrayList<>();
        shadow(path, shadowed);
        for (String below : below(path)) {
            shadow(below, shadowed);
        }
        for (int dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
            shadow(path.substring(0, dot), shadowed);
        }
        values.put(path, new Explanation.ExplainedValue(path, value, origin, shadowed));
    }

    void removeTree(String path) {
        values.remove(path);
        below(path).forEach(values::remove);
    }

    String text(String path) {
        Explanation.ExplainedValue value = values.get(path);
        return value == null ? "" : value.value().stringValue("");
    }

    Explanation.Origin origin(String path, Explanation.Origin otherwise) {
        Explanation.ExplainedValue value = values.get(path);
        return value == null ? otherwise : value.origin();
    }

    List<Explanation.ExplainedValue> done() {
        return List.copyOf(values.values());
    }

    private List<String> below(String path) {
        List<String> found = new ArrayList<>();
        for (String key : values.tailMap(path + ".", true).keySet()) {
            if (!PatchPath.isBelow(key, path)) {
                break;
            }
            found.add(key);
        }
        return found;
    }

    private void shadow(String path, List<Explanation.Shadowed> shadowed) {
        Explanation.ExplainedValue old = values.remove(path);
        if (old != null) {
            shadowed.add(new Explanation.Shadowed(old.path(), old.value(), old.origin()));
            shadowed.addAll(old.shadowed());
        }
    }
}
