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
        String[] paths = leaves.keySet().toArray(String[]::new);
        if (isOrdered(paths)) {
            StringBuilder out = new StringBuilder(256);
            write(paths, leaves.values().toArray(JsonNode[]::new), 0, paths.length, 0, out);
            return out.toString().getBytes(StandardCharsets.UTF_8);
        }
        NestedValues root = new NestedValues();
        leaves.forEach((path, value) -> root.put(PatchPath.segments(path), value));
        StringBuilder out = new StringBuilder(128);
        root.write(out);
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Sorted paths are in the order of nested keys too, unless a key has a character before the dot ({@code a-b} stands before
     * {@code a.b}, but {@code a} before {@code a-b}) or an escaped one.
     */
    private static boolean isOrdered(String[] paths) {
        for (String path : paths) {
            for (int i = 0; i < path.length(); i++) {
                if (path.charAt(i) < '.' || path.charAt(i) == '\\') {
                    return false;
                }
            }
        }
        return true;
    }

    /** Writes the object whose members are the paths from one index to another, each read from an offset. */
    private static void write(String[] paths, JsonNode[] values, int from, int to, int offset, StringBuilder out) {
        char separator = '{';
        int at = from;
        while (at < to) {
            String path = paths[at];
            int dot = path.indexOf('.', offset);
            int end = dot < 0 ? path.length() : dot;
            out.append(separator).append('"').append(path, offset, end).append("\":");
            if (dot < 0) {
                CanonicalJson.write(values[at++], out);
            } else {
                int next = at + 1;
                while (next < to && paths[next].startsWith(path.substring(offset, dot + 1), offset)) {
                    next++;
                }
                write(paths, values, at, next, dot + 1, out);
                at = next;
            }
            separator = ',';
        }
        out.append('}');
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
