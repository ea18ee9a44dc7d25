package dev.homeport.observe;

import java.time.Instant;

/**
 * What somebody wanted and did not get. It holds nothing of the request's body.
 *
 * @param actor who it was; empty when that was not found out
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

    /** Whoever has no good token can make any number of these, so they are kept apart from the others. */
    public boolean isOfStranger() {
        return status == NOT_KNOWN;
    }
}
