package dev.homeport.change;

/** The store will not be opened, for a reason an operator must look at; the message says what to do. */
public final class StoreRefused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StoreRefused(String message) {
        super(message);
    }
}
