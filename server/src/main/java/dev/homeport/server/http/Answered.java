package dev.homeport.server.http;

import java.util.function.Consumer;

/**
 * A request of the admin plane that has been answered.
 *
 * @param route the route's id, or {@code none} for an unknown path
 * @param actor the caller, empty if not authenticated
 * @param address where the request came from
 */
public record Answered(
        String method,
        String route,
        String path,
        int status,
        long nanos,
        String actor,
        String requestId,
        String address) {
    public static final String NO_ROUTE = "none";

    /** Receives every one. */
    @FunctionalInterface
    public interface Watch extends Consumer<Answered> {}
}
