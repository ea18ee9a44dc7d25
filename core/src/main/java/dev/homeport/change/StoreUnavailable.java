package dev.homeport.change;

/** The database did not answer. The same call may succeed later. */
public final class StoreUnavailable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StoreUnavailable(String message, Throwable cause) {
        super(message, cause);
    }
}
