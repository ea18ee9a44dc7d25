package dev.homeport.fleet;

import dev.homeport.document.Document;
import dev.homeport.document.TypeCatalog;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A consistent set of documents: the present, the past, or either with an overlay. All that the resolver knows of the world. */
public interface FleetView {
    @Nullable
    Document document(String type, String id);

    TypeCatalog types();

    /** What clusters are asked about their objects, ordered by id. They are asked only now: the past has none. */
    default Iterable<Document> probes() {
        return List.of();
    }
}
