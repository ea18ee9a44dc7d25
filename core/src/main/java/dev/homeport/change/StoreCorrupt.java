package dev.homeport.change;

/** What the database holds contradicts itself. Nothing may be served from it. */
public final class StoreCorrupt extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StoreCorrupt(String message) {
        super(message);
    }
}
