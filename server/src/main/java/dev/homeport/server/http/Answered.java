package dev.homeport.server.http;

import java.util.function.Consumer;

/**
 * A request of the admin plane that has been answered.
 *
 * @param route the route's id, or {@code none} when nobody answers there
 * @param actor who asked, empty when that was not found out
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

    /** Is told of every one. */
    @FunctionalInterface
    public interface Watch extends Consumer<Answered> {}
}
