package dev.homeport.fleet;

import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.TypeCatalog;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Other versions of some documents put over a view: what rollouts, previews, plans and simulations resolve against. */
public final class Overlay implements FleetView {
    private final FleetView base;
    private final TypeCatalog types;
    private final Map<String, Map<String, Optional<Document>>> replaced = new HashMap<>();

    /** An empty value takes the document away. */
    public Overlay(FleetView base, TypeCatalog types, Map<DocumentKey, Optional<Document>> documents) {
        this.base = base;
        this.types = types;
        documents.forEach((key, document) ->
                replaced.computeIfAbsent(key.type(), type -> new HashMap<>()).put(key.id(), document));
    }

    @Override
    public @Nullable Document document(String type, String id) {
        Map<String, Optional<Document>> ofType = replaced.get(type);
        Optional<Document> found = ofType == null ? null : ofType.get(id);
        return found == null ? base.document(type, id) : found.orElse(null);
    }

    @Override
    public TypeCatalog types() {
        return types;
    }
}
