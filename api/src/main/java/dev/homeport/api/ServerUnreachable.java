package dev.homeport.api;

/** No answer came. */
public final class ServerUnreachable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ServerUnreachable(String message, Throwable cause) {
        super(message, cause);
    }
}
