package dev.homeport.api;

/** No answer came. */
public final class ServerUnreachable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String next;

    ServerUnreachable(String message, String next, Throwable cause) {
        super(message, cause);
        this.next = next;
    }

    /** What to do about it. */
    public String next() {
        return next;
    }
}
