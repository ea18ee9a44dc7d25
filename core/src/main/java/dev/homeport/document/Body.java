package dev.homeport.document;

import dev.homeport.json.CanonicalJson;
import dev.homeport.json.Packed;
import dev.homeport.json.PackedCursor;
import java.util.Arrays;
import tools.jackson.databind.node.ObjectNode;

/** The content of a document, immutable and compact. Two bodies are equal when their canonical JSON is. */
public final class Body {
    private final byte[] packed;

    private Body(byte[] packed) {
        this.packed = packed;
    }

    public static Body of(ObjectNode tree) {
        return new Body(Packed.pack(tree));
    }

    /** A fresh tree; the caller may change it. */
    public ObjectNode tree() {
        return Packed.unpackObject(packed);
    }

    public byte[] canonicalBytes() {
        return CanonicalJson.bytes(tree());
    }

    public PackedCursor cursor() {
        return new PackedCursor(packed);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Body body && Arrays.equals(packed, body.packed);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(packed);
    }

    @Override
    public String toString() {
        return CanonicalJson.text(tree());
    }
}
