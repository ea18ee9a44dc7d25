package dev.homeport.observe;

import java.time.Instant;

/**
 * A refused request. It contains nothing of the request's body.
 *
 * @param actor the caller; empty if not authenticated
 */
public record Refusal(
        Instant at,
        String requestId,
        String actor,
        String address,
        String method,
        String path,
        int status,
        String code,
        String detail) {
    public static final int NOT_KNOWN = 401;

    /**
     * Clients without a valid token can make any number of these, so they are kept apart from those of known callers. Some of these
     * are answered with the same status, as the root paths do.
     */
    public boolean isOfStranger() {
        return actor.isEmpty();
    }
}
