package dev.homeport.server.signin;

import dev.homeport.api.ErrorCode;
import dev.homeport.problem.ProblemException;
import io.vertx.core.MultiMap;
import java.util.Optional;
import java.util.Set;

/**
 * A browser sends its cookie also with requests that another site triggers. Requests that change something therefore need a
 * header that other sites cannot set, because this server allows no cross-origin requests.
 */
public final class CsrfCheck {
    public static final String HEADER = "Homeport-Csrf";

    private static final Set<String> OURS = Set.of("same-origin", "none");

    private CsrfCheck() {}

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
