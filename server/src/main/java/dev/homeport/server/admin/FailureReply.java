package dev.homeport.server.admin;

import dev.homeport.api.ErrorCode;
import dev.homeport.change.StoreRefused;
import dev.homeport.change.StoreUnavailable;
import dev.homeport.document.BrokenDocument;
import dev.homeport.problem.ProblemException;
import dev.homeport.problem.WorkBudget;
import dev.homeport.server.http.ProblemReply;
import dev.homeport.server.http.Reply;
import dev.homeport.write.ConfirmationRequired;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The reply to a request that has failed. */
final class FailureReply {
    private static final Logger LOG = LoggerFactory.getLogger(FailureReply.class);

    private FailureReply() {}

    static Reply of(Throwable failure, String requestId) {
        return switch (failure) {
            case ConfirmationRequired confirmation -> PlanReply.confirmation(confirmation, requestId);
            case ProblemException problem -> ProblemReply.of(problem.problem(), requestId);
            case WorkBudget.Cancelled cancelled ->
                ProblemReply.of(
                        ErrorCode.UNAVAILABLE, String.valueOf(cancelled.getMessage()), "send it again", requestId);
            case BrokenDocument broken ->
                ProblemReply.of(
                        ErrorCode.CONFLICT,
                        String.valueOf(broken.getMessage()),
                        "replace the document whole, or restore it from an earlier revision",
                        requestId);
            case StoreRefused refused -> {
                LOG.error("request {}: {}", requestId, refused.getMessage());
                yield ProblemReply.of(
                        ErrorCode.UNAVAILABLE,
                        "nothing was written, and nothing will be by this server: " + refused.getMessage(),
                        "send the request to the server that writes now; an operator stops or restarts this one",
                        requestId);
            }
            case StoreUnavailable unavailable -> {
                LOG.warn("request {}: {}", requestId, unavailable.getMessage());
                yield ProblemReply.of(
                        ErrorCode.UNAVAILABLE,
                        "the store does not answer; a change that was asked for may have been made or not",
                        "try again with the same Idempotency-Key, which makes a change at most once",
                        requestId);
            }
            default -> {
                LOG.error("request {} failed", requestId, failure);
                yield ProblemReply.of(
                        ErrorCode.INTERNAL,
                        "something went wrong here; the server's log has it under this request's id",
                        "try again, and tell an operator the id",
                        requestId);
            }
        };
    }

    /** With what a client has to know to come again. */
    static Reply hinted(Reply reply) {
        return switch (reply.status()) {
            case 401 -> reply.with("WWW-Authenticate", "Bearer realm=\"homeport\"");
            case 429 -> reply.with("Retry-After", "60");
            case 503 -> reply.with("Retry-After", "2");
            default -> reply;
        };
    }
}
