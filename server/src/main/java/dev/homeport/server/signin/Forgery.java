package dev.homeport.server.signin;

import dev.homeport.api.ErrorCode;
import dev.homeport.problem.ProblemException;
import io.vertx.core.MultiMap;
import java.util.Optional;
import java.util.Set;

/**
 * A browser sends its cookie with whatever another site makes it ask. What changes something must therefore bring a header
 * that other sites cannot make it send, as this server allows none of them to.
 */
public final class Forgery {
    public static final String HEADER = "Homeport-Csrf";

    private static final Set<String> OURS = Set.of("same-origin", "none");

    private Forgery() {}

    /** Why a request that changes something is not believed to be what its browser's user wants. */
    public static Optional<ProblemException> suspected(MultiMap headers) {
        String from = headers.get("Sec-Fetch-Site");
        return headers.get(HEADER) != null && (from == null || OURS.contains(from))
                ? Optional.empty()
                : Optional.of(ProblemException.refused(
                        ErrorCode.FORBIDDEN,
                        "another site may have made this browser ask",
                        "send the header " + HEADER + ": 1 from a page of this server"));
    }
}
