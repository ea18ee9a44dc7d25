package dev.homeport.support;

import dev.homeport.document.Body;
import dev.homeport.document.BuiltInTypes;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.RuntimeTypes;
import dev.homeport.document.Stamp;
import dev.homeport.document.TypeCatalog;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.FleetView;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** A fleet without a store. */
public final class InMemoryView implements FleetView {
    private static final Stamp STAMP = new Stamp(1, 1, Instant.EPOCH, "person:alice", "");

    /** Compiling a schema takes longer than a case. */
    private static final Map<ObjectNode, TypeDefinition> COMPILED = new ConcurrentHashMap<>();

    private final Map<DocumentKey, Document> documents = new HashMap<>();
    private TypeCatalog types = BuiltInTypes.catalog();

    public InMemoryView(Map<DocumentKey, ObjectNode> bodies) {
        bodies.forEach((key, body) -> documents.put(key, Document.of(key, Body.of(body), STAMP, STAMP)));
        bodies.forEach((key, body) -> {
            if (key.type().equals(Types.TYPE)) {
                types = types.with(COMPILED.computeIfAbsent(body.deepCopy(), RuntimeTypes::definition));
            }
        });
    }

    @Override
    public @Nullable Document document(String type, String id) {
        return documents.get(new DocumentKey(type, id));
    }

    @Override
    public TypeCatalog types() {
        return types;
    }

    public List<Document> clusters() {
        return documents.values().stream()
                .filter(document -> document.type().equals(Types.CLUSTER))
                .sorted((a, b) -> a.id().compareTo(b.id()))
                .toList();
    }

    public List<TypeDefinition> itemTypes() {
        return types.itemTypes().stream()
                .map(name -> types.named(name).orElseThrow())
                .toList();
    }
}
