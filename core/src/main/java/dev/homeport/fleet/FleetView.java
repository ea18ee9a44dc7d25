package dev.homeport.fleet;

import dev.homeport.document.Document;
import dev.homeport.document.TypeCatalog;
import org.jspecify.annotations.Nullable;

/** A consistent set of documents: the present, the past, or either with an overlay. All that the resolver knows of the world. */
public interface FleetView {
    @Nullable
    Document document(String type, String id);

    TypeCatalog types();
}
