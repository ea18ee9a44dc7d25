package dev.homeport.fleet;

import dev.homeport.document.PatchPath;
import dev.homeport.json.CanonicalJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** The values object that has the given leaves, as canonical bytes. Rendering does this for each patch, so it is direct. */
final class NestedValues {
    private final SortedMap<String, Object> children = new TreeMap<>();

    private NestedValues() {}

    static byte[] bytes(SortedMap<String, JsonNode> leaves) {
        NestedValues root = new NestedValues();
        leaves.forEach((path, value) -> root.put(PatchPath.segments(path), value));
        StringBuilder out = new StringBuilder(128);
        root.write(out);
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }

    private void put(List<String> segments, JsonNode value) {
        NestedValues at = this;
        for (int i = 0; i < segments.size() - 1; i++) {
            at = (NestedValues) at.children.computeIfAbsent(segments.get(i), key -> new NestedValues());
        }
        at.children.put(segments.getLast(), value);
    }

    private void write(StringBuilder out) {
        char separator = '{';
        for (Map.Entry<String, Object> child : children.entrySet()) {
            out.append(separator);
            CanonicalJson.string(child.getKey(), out);
            out.append(':');
            if (child.getValue() instanceof NestedValues below) {
                below.write(out);
            } else {
                CanonicalJson.write((JsonNode) child.getValue(), out);
            }
            separator = ',';
        }
        out.append(children.isEmpty() ? "{}" : "}");
    }
}
