package dev.homeport.server.http;

import dev.homeport.api.ErrorCode;
import dev.homeport.problem.ProblemException;
import java.util.SortedSet;

/**
 * A handler that refuses what it would not look at: a mistyped {@code dry_run} must not become a write.
 *
 * @param query the names of the query parameters that it reads
 * @param maxBody the longest body that is read at all
 */
public record StrictHandler(SortedSet<String> query, int maxBody, Route.Handler handler) implements Route.Handler {
    @Override
    public Reply handle(Call call) throws Exception {
        for (String name : call.query().names()) {
            if (!query.contains(name)) {
                throw ProblemException.refused(
                        ErrorCode.MALFORMED,
                        "there is no query parameter " + Plain.text(name) + " here",
                        query.isEmpty() ? "leave it out" : "use one of " + String.join(", ", query));
            }
            if (call.query().getAll(name).size() > 1) {
                throw ProblemException.refused(
                        ErrorCode.MALFORMED, "the query parameter " + name + " is given twice", "give it once");
            }
            if (String.valueOf(call.query().get(name)).chars().anyMatch(StrictHandler::isControl)) {
                // PostgreSQL has no text with a NUL in it.
                throw ProblemException.refused(
                        ErrorCode.MALFORMED,
                        "the query parameter " + name + " has control characters",
                        "send plain text");
            }
        }
        return handler.handle(call);
    }

    private static boolean isControl(int character) {
        return character < ' ' && character != '\n' && character != '\t';
    }
}
