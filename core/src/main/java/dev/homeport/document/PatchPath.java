package dev.homeport.document;

import dev.homeport.problem.Problem;
import dev.homeport.problem.ProblemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A place inside a component's values, written {@code a.b.c}: a dot separates, {@code \.} is a literal dot and {@code \\} a
 * literal backslash. A string has one reading and a list of segments has one spelling, so paths can be compared as text.
 */
public final class PatchPath {
    public static final int MAX_SEGMENTS = 32;

    private static final String FIX =
            "write keys separated by dots, such as controller.replicas; a dot inside a key is \\. and a backslash \\\\";

    private PatchPath() {}

    /** Throws a problem when the text is not a path. */
    public static List<String> segments(String path) {
        Optional<String> fault = fault(path);
        if (fault.isPresent()) {
            throw ProblemException.invalid("", fault.get(), FIX);
        }
        return split(path);
    }

    public static String path(List<String> segments) {
        StringBuilder out = new StringBuilder();
        for (String segment : segments) {
            if (!out.isEmpty()) {
                out.append('.');
            }
            escape(segment, out);
        }
        return out.toString();
    }

    /** True when {@code path} names something inside {@code ancestor}; a path is not below itself. */
    public static boolean isBelow(String path, String ancestor) {
        return path.length() > ancestor.length() && path.charAt(ancestor.length()) == '.' && path.startsWith(ancestor);
    }

    /**
     * A component's patches as leaf path to value. Keys of the object are paths; keys further down are plain keys, as in a
     * values file. Throws a problem when two entries name the same place or one names a place inside another's.
     */
    public static SortedMap<String, JsonNode> leaves(ObjectNode componentPatches) {
        return sound(PatchLeaves.ofPatches(componentPatches, ""));
    }

    /** The same for a values object, where no key is a path. */
    public static SortedMap<String, JsonNode> leavesOfValues(ObjectNode values) {
        return sound(PatchLeaves.ofValues(values, ""));
    }

    /** Adds the leaves of a value that is known to be sound; the path is the way to it. */
    public static void collect(String path, JsonNode value, SortedMap<String, JsonNode> leaves) {
        if (PatchLeaves.isLeaf(value)) {
            leaves.put(path, value);
        } else {
            value.forEachEntry((key, below) -> collect(child(path, key), below, leaves));
        }
    }

    /** The other way round: the values object that has exactly these leaves. */
    public static ObjectNode nest(SortedMap<String, JsonNode> leaves) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        leaves.forEach((path, value) -> {
            List<String> segments = split(path);
            ObjectNode at = root;
            for (String segment : segments.subList(0, segments.size() - 1)) {
                at = at.get(segment) instanceof ObjectNode below ? below : at.putObject(segment);
            }
            at.set(segments.getLast(), value);
        });
        return root;
    }

    /** What is wrong with the text as a path, if anything. */
    static Optional<String> fault(String path) {
        int count = 1;
        boolean empty = true;
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c == '.') {
                if (empty) {
                    return Optional.of("the path has an empty segment");
                }
                empty = true;
                count++;
                continue;
            }
            if (c == '\\') {
                i++;
                if (i == path.length() || (path.charAt(i) != '.' && path.charAt(i) != '\\')) {
                    return Optional.of("the path has a backslash that escapes nothing");
                }
            }
            empty = false;
        }
        if (empty) {
            return Optional.of("the path has an empty segment");
        }
        return count > MAX_SEGMENTS
                ? Optional.of("the path has " + count + " segments, more than " + MAX_SEGMENTS)
                : Optional.empty();
    }

    static String fix() {
        return FIX;
    }

    static String child(String parent, String key) {
        StringBuilder out = new StringBuilder(parent.length() + key.length() + 1);
        if (!parent.isEmpty()) {
            out.append(parent).append('.');
        }
        escape(key, out);
        return out.toString();
    }

    /** Of a path that has no fault. */
    static List<String> split(String path) {
        if (path.indexOf('\\') < 0 && path.indexOf('.') < 0) {
            return List.of(path);
        }
        List<String> segments = new ArrayList<>();
        StringBuilder segment = new StringBuilder();
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c == '.') {
                segments.add(segment.toString());
                segment.setLength(0);
            } else {
                segment.append(c == '\\' ? path.charAt(++i) : c);
            }
        }
        segments.add(segment.toString());
        return segments;
    }

    private static void escape(String segment, StringBuilder out) {
        for (int i = 0; i < segment.length(); i++) {
            char c = segment.charAt(i);
            if (c == '.' || c == '\\') {
                out.append('\\');
            }
            out.append(c);
        }
    }

    private static SortedMap<String, JsonNode> sound(PatchLeaves leaves) {
        if (!leaves.faults().isEmpty()) {
            throw new ProblemException(Problem.Invalid.of(leaves.faults()));
        }
        return leaves.values();
    }
}
