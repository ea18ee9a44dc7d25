package dev.homeport.fleet;

import dev.homeport.document.PatchPath;
import dev.homeport.json.PackedCursor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Picks a layer out of a document's packed body, field by field, as the cursor passes them. */
final class LayerReader {
    private final @Nullable String only;
    private final Map<String, Ref[]> refs = new HashMap<>(8);
    private Map<String, SortedMap<String, JsonNode>> patches = Map.of();
    private @Nullable ObjectNode removed;
    private @Nullable ObjectNode info;

    LayerReader() {
        this(null);
    }

    /** @param only the plural of the one type whose references are wanted; null: all */
    LayerReader(@Nullable String only) {
        this.only = only;
    }

    /** True when the field belongs to a layer and was consumed. */
    boolean read(String field, PackedCursor cursor) {
        switch (field) {
            case "platform_components" -> list("platform-components", cursor);
            case "namespaces", "rolebindings" -> list(field, cursor);
            case "refs" -> {
                for (String plural : cursor.object()) {
                    list(plural, cursor);
                }
            }
            case "patches" -> {
                if (wants("platform-components")) {
                    patches = leaves(cursor);
                } else {
                    cursor.skip();
                }
            }
            case "patches_removed" -> removed = (ObjectNode) cursor.node();
            case "patch_info" -> info = (ObjectNode) cursor.node();
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean wants(String plural) {
        return only == null || only.equals(plural);
    }

    private void list(String plural, PackedCursor cursor) {
        if (wants(plural)) {
            refs.put(plural, RefList.read(cursor.raw()));
        } else {
            cursor.skip();
        }
    }

    Layer done() {
        return refs.isEmpty() && patches.isEmpty() && removed == null && info == null
                ? Layer.EMPTY
                : new Layer(refs, patches());
    }

    static Layer layer(PackedCursor cursor) {
        LayerReader reader = new LayerReader();
        for (String field : cursor.object()) {
            if (!reader.read(field, cursor)) {
                cursor.skip();
            }
        }
        return reader.done();
    }

    /** Straight from the packed form: the document's rules have seen to it that the leaves do not contradict each other. */
    private static Map<String, SortedMap<String, JsonNode>> leaves(PackedCursor cursor) {
        Map<String, SortedMap<String, JsonNode>> all = new HashMap<>(8);
        for (String component : cursor.object()) {
            SortedMap<String, JsonNode> leaves = new TreeMap<>();
            for (String path : cursor.object()) {
                PatchPath.collect(path, cursor.node(), leaves);
            }
            all.put(component, leaves);
        }
        return all;
    }

    private Map<String, ComponentPatches> patches() {
        if (patches.isEmpty() && removed == null && info == null) {
            return Map.of();
        }
        Map<String, ComponentPatches> all = new HashMap<>(8);
        patches.forEach(
                (component, leaves) -> all.put(component, new ComponentPatches(leaves, List.of(), notes(component))));
        if (removed != null) {
            removed.forEachEntry((component, paths) -> all.put(
                    component,
                    new ComponentPatches(
                            patches.getOrDefault(component, Collections.emptySortedMap()),
                            texts(paths),
                            notes(component))));
        }
        if (info != null) {
            info.propertyNames()
                    .forEach(component -> all.computeIfAbsent(
                            component, id -> new ComponentPatches(Collections.emptySortedMap(), List.of(), notes(id))));
        }
        return all;
    }

    private Map<String, Note> notes(String component) {
        if (info == null || !(info.get(component) instanceof ObjectNode paths)) {
            return Map.of();
        }
        Map<String, Note> notes = new HashMap<>();
        paths.forEachEntry((path, note) -> notes.put(path, note(note)));
        return notes;
    }

    static Note note(JsonNode node) {
        JsonNode expiry = node.get("expires_at");
        return new Note(
                node.has("owner") ? node.get("owner").stringValue() : null,
                node.has("reason") ? node.get("reason").stringValue() : null,
                expiry == null ? null : Instant.parse(expiry.stringValue()));
    }

    private static List<String> texts(JsonNode array) {
        List<String> all = new ArrayList<>();
        array.forEach(text -> all.add(text.stringValue()));
        return all;
    }
}
