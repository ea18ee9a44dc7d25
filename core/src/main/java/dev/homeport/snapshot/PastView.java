package dev.homeport.snapshot;

import dev.homeport.change.History;
import dev.homeport.document.BuiltInTypes;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.RuntimeTypes;
import dev.homeport.document.TypeCatalog;
import dev.homeport.document.Types;
import dev.homeport.fleet.FleetView;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state as of a revision, read document by document from the log as the resolver asks for them. For one reader: each
 * document is read once.
 */
public final class PastView implements FleetView {
    private final History history;
    private final long revision;
    private final TypeCatalog types;
    private final Map<DocumentKey, Optional<Document>> read = new HashMap<>();

    public PastView(History history, long revision) {
        this.history = history;
        this.revision = revision;
        TypeCatalog all = BuiltInTypes.catalog();
        for (Document type : history.documentsAt(Types.TYPE, revision)) {
            all = all.with(RuntimeTypes.definition(type.tree()));
        }
        this.types = all;
    }

    public long revision() {
        return revision;
    }

    @Override
    public @Nullable Document document(String type, String id) {
        return read.computeIfAbsent(new DocumentKey(type, id), key -> history.documentAt(key, revision))
                .orElse(null);
    }

    @Override
    public TypeCatalog types() {
        return types;
    }
}
