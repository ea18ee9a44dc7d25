package dev.homeport.document;

import dev.homeport.json.PackedCursor;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * One version of a document. Immutable, so whatever is computed from it can be kept with it ({@link #derive}) and is never
 * stale.
 */
public final class Document {
    private final DocumentKey key;
    private final @Nullable Body body;
    private final Stamp created;
    private final Stamp updated;
    private final @Nullable String fault;

    private volatile @Nullable Object derived;

    private Document(DocumentKey key, @Nullable Body body, Stamp created, Stamp updated, @Nullable String fault) {
        this.key = key;
        this.body = body;
        this.created = created;
        this.updated = updated;
        this.fault = fault;
    }

    public static Document of(DocumentKey key, Body body, Stamp created, Stamp updated) {
        return new Document(key, body, created, updated, null);
    }

    /** A row that exists but cannot be trusted: everything that depends on it must hold. */
    public static Document broken(DocumentKey key, String fault, Stamp created, Stamp updated) {
        return new Document(key, null, created, updated, fault);
    }

    public DocumentKey key() {
        return key;
    }

    public String type() {
        return key.type();
    }

    public String id() {
        return key.id();
    }

    public Body body() {
        if (body == null) {
            throw new BrokenDocument(key, String.valueOf(fault));
        }
        return body;
    }

    public ObjectNode tree() {
        return body().tree();
    }

    public PackedCursor cursor() {
        return body().cursor();
    }

    public Stamp created() {
        return created;
    }

    public Stamp updated() {
        return updated;
    }

    public Optional<String> fault() {
        return Optional.ofNullable(fault);
    }

    /**
     * A value computed from this document alone, kept for as long as the document lives. Each type of document has one such
     * view; use it for documents that many clusters share.
     */
    @SuppressWarnings("unchecked")
    public <T> T derive(Function<Document, T> function) {
        Object known = derived;
        if (known == null) {
            known = function.apply(this);
            derived = known;
        }
        return (T) known;
    }
}
