package dev.homeport.fleet;

import dev.homeport.document.DocumentKey;

/** This cluster's state cannot be resolved; it must hold. Leaves the package only as a {@link Resolution}. */
final class Unresolved extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unresolved(String reason) {
        super(reason, null, false, false);
    }

    static Unresolved missing(DocumentKey from, DocumentKey to) {
        return new Unresolved(from + " refers to " + to + ", which does not exist");
    }
}
