package dev.homeport.fleet;

import dev.homeport.document.PatchPath;
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
        String[] paths = new String[leaves.size()];
        JsonNode[] values = new JsonNode[paths.length];
        boolean ordered = true;
        int count = 0;
        for (Map.Entry<String, JsonNode> leaf : leaves.entrySet()) {
            ordered &= isOrdered(leaf.getKey());
            paths[count] = leaf.getKey();
            values[count++] = leaf.getValue();
        }
        Bytes out = new Bytes(256);
        if (ordered) {
            write(paths, values, 0, count, 0, out);
        } else {
            NestedValues root = new NestedValues();
            leaves.forEach((path, value) -> root.put(PatchPath.segments(path), value));
            root.write(out);
        }
        return out.toArray();
    }

    /**
     * Sorted paths are in the order of nested keys too, unless a key has a character before the dot ({@code a-b} stands before
     * {@code a.b}, but {@code a} before {@code a-b}) or an escaped one.
     */
    private static boolean isOrdered(String path) {
        for (int i = 0; i < path.length(); i++) {
            if (path.charAt(i) < '.' || path.charAt(i) == '\\') {
                return false;
            }
        }
        return true;
    }

    /** Writes the object whose members are the paths from one index to another, each read from an offset. */
    private static void write(String[] paths, JsonNode[] values, int from, int to, int offset, Bytes out) {
        char separator = '{';
        int at = from;
        while (at < to) {
            String path = paths[at];
            int dot = path.indexOf('.', offset);
            out.add(separator)
                    .quoted(path, offset, dot < 0 ? path.length() : dot)
                    .add(':');
            if (dot < 0) {
                out.value(values[at++]);
            } else {
                int next = at + 1;
                while (next < to && paths[next].regionMatches(offset, path, offset, dot + 1 - offset)) {
                    next++;
                }
                write(paths, values, at, next, dot + 1, out);
                at = next;
            }
            separator = ',';
        }
        out.add('}');
    }

    private void put(List<String> segments, JsonNode value) {
        NestedValues at = this;
        for (int i = 0; i < segments.size() - 1; i++) {
            at = (NestedValues) at.children.computeIfAbsent(segments.get(i), key -> new NestedValues());
        }
        at.children.put(segments.getLast(), value);
    }

    private void write(Bytes out) {
        char separator = '{';
        for (Map.Entry<String, Object> child : children.entrySet()) {
            out.add(separator).quoted(child.getKey()).add(':');
            if (child.getValue() instanceof NestedValues below) {
                below.write(out);
            } else {
                out.value((JsonNode) child.getValue());
            }
            separator = ',';
        }
        out.add(children.isEmpty() ? "{}" : "}");
    }
}
