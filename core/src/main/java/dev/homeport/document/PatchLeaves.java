package dev.homeport.document;

import dev.homeport.problem.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The leaves of patches or values, with everything that keeps them from being one consistent tree. */
final class PatchLeaves {
    /** {@code {"$cluster": "name"}} stands for a value of the cluster, so it is a leaf although it is an object. */
    static final String CLUSTER_VALUE = "$cluster";

    private final SortedMap<String, JsonNode> values = new TreeMap<>();
    private final Map<String, String> pointers = new HashMap<>();
    private final List<Violation> faults = new ArrayList<>();

    private PatchLeaves() {}

    static PatchLeaves ofPatches(ObjectNode patches, String pointer) {
        PatchLeaves leaves = new PatchLeaves();
        patches.forEachEntry((key, value) -> {
            String at = Pointer.child(pointer, key);
            PatchPath.fault(key)
                    .ifPresentOrElse(
                            fault -> leaves.fault(at, fault, PatchPath.fix()),
                            () -> leaves.collect(key, PatchPath.split(key).size(), value, at));
        });
        leaves.findNested();
        return leaves;
    }

    static PatchLeaves ofValues(ObjectNode values, String pointer) {
        PatchLeaves leaves = new PatchLeaves();
        leaves.collectChildren("", 0, values, pointer);
        leaves.findNested();
        return leaves;
    }

    SortedMap<String, JsonNode> values() {
        return values;
    }

    List<Violation> faults() {
        return faults;
    }

    static boolean isLeaf(JsonNode value) {
        return !value.isObject() || value.isEmpty() || (value.size() == 1 && value.has(CLUSTER_VALUE));
    }

    private void collect(String path, int depth, JsonNode value, String pointer) {
        if (depth > PatchPath.MAX_SEGMENTS) {
            fault(pointer, "the value is nested deeper than " + PatchPath.MAX_SEGMENTS + " keys", "make it flatter");
        } else if (!isLeaf(value)) {
            collectChildren(path, depth, value, pointer);
        } else if (values.containsKey(path)) {
            fault(
                    pointer,
                    "the same value is given twice, the other time at " + Shown.text(pointers.getOrDefault(path, "")),
                    "give it once");
        } else {
            values.put(path, value);
            pointers.put(path, pointer);
        }
    }

    private void collectChildren(String path, int depth, JsonNode object, String pointer) {
        object.forEachEntry((key, value) -> {
            String at = Pointer.child(pointer, key);
            if (key.isEmpty()) {
                fault(at, "a key is empty", "give every value a key");
            } else {
                collect(PatchPath.child(path, key), depth + 1, value, at);
            }
        });
    }

    private void findNested() {
        for (String path : values.keySet()) {
            for (int dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
                // A dot after an odd number of backslashes is escaped; the prefix is then no path and never a key here.
                if (values.containsKey(path.substring(0, dot))) {
                    fault(
                            pointers.getOrDefault(path, ""),
                            "a value is set below " + Shown.text(path.substring(0, dot)) + ", which has a value itself",
                            "keep either the one or the other");
                }
            }
        }
    }

    private void fault(String pointer, String detail, String fix) {
        faults.add(new Violation(pointer, detail, fix));
    }
}
