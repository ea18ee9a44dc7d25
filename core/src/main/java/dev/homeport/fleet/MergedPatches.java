package dev.homeport.fleet;

import dev.homeport.document.PatchPath;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** Leaf by leaf, the later layer wins. */
final class MergedPatches {
    private MergedPatches() {}

    /** Throws {@link Unresolved} when a layer puts a value below another's scalar. */
    static SortedMap<String, JsonNode> merge(SortedMap<String, JsonNode> defaults, LayerStack stack, String component) {
        SortedMap<String, JsonNode> merged = new TreeMap<>(defaults);
        for (LayerSource source : stack.sources()) {
            ComponentPatches patches = source.layer().patches().get(component);
            if (patches != null) {
                patches.removed().forEach(path -> removeTree(merged, path));
                for (Map.Entry<String, JsonNode> leaf : patches.leaves().entrySet()) {
                    put(merged, leaf.getKey(), leaf.getValue(), source, component);
                }
            }
        }
        return merged;
    }

    private static void put(
            SortedMap<String, JsonNode> merged, String path, JsonNode value, LayerSource source, String component) {
        if (merged.replace(path, value) != null) {
            return; // what was at this place had nothing above it and nothing below it
        }
        for (int dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
            String above = path.substring(0, dot);
            JsonNode blocking = merged.get(above);
            if (blocking != null && blocking.isObject() && blocking.isEmpty()) {
                merged.remove(above);
            } else if (blocking != null) {
                throw new Unresolved(source.document().key() + " patches " + component + " at " + path
                        + ", below a value that an earlier layer set at " + above);
            }
        }
        removeTree(merged, path);
        merged.put(path, value);
    }

    private static void removeTree(SortedMap<String, JsonNode> merged, String path) {
        merged.remove(path);
        SortedMap<String, JsonNode> below = merged.tailMap(path + ".");
        while (!below.isEmpty() && PatchPath.isBelow(below.firstKey(), path)) {
            below.remove(below.firstKey());
        }
    }
}
