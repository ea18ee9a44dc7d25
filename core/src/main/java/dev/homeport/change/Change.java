package dev.homeport.change;

import dev.homeport.document.Body;
import dev.homeport.document.DocumentKey;
import java.util.Optional;

/** One document's step in a commit. */
public sealed interface Change {
    DocumentKey key();

    /** The document is made, or replaced whole. */
    record Put(DocumentKey key, Body after) implements Change {}

    /** The document is gone from the present; history keeps it. */
    record Remove(DocumentKey key) implements Change {}

    default Optional<Body> body() {
        return this instanceof Put put ? Optional.of(put.after()) : Optional.empty();
    }
}
