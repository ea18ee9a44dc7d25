package dev.homeport.fleet;

import java.util.Map;

/** What one document contributes to a cluster: references by the plural of their type (sorted by id), and patches. */
public record Layer(Map<String, Ref[]> refs, Map<String, ComponentPatches> patches) {
    public static final Layer EMPTY = new Layer(Map.of(), Map.of());

    private static final Ref[] NO_REFS = {};

    public boolean isEmpty() {
        return refs.isEmpty() && patches.isEmpty();
    }

    public Ref[] refs(String plural) {
        return refs.getOrDefault(plural, NO_REFS);
    }
}
