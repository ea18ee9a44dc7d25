package dev.homeport.api;

/** The one list of things that can go wrong: a code, the HTTP status it travels with and the exit code of the CLI. */
public enum ErrorCode {
    MALFORMED(
            "malformed",
            400,
            2,
            "The request cannot be read: its syntax, an encoding, or a query parameter that is not known here."),
    UNAUTHENTICATED("unauthenticated", 401, 4, "The token is missing, not valid, expired or revoked."),
    FORBIDDEN("forbidden", 403, 5, "The token is good, but it may not do this."),
    NOT_FOUND("not_found", 404, 1, "Nothing with this path or id exists, or the token may not see it."),
    METHOD_NOT_ALLOWED(
            "method_not_allowed",
            405,
            1,
            "The path exists, but does not take this method; the header Allow says which it takes."),
    ALREADY_EXISTS(
            "already_exists",
            409,
            3,
            "A document with this id, or with another value that must be unique, exists already."),
    CONFLICT("conflict", 409, 3, "Conflicts with the current state."),
    REFERENCED("referenced", 409, 3, "Other documents refer to this one; the member involved lists them."),
    CONFIRMATION_REQUIRED(
            "confirmation_required",
            409,
            5,
            "The change removes something from clusters. Check the plan, and repeat the request with the confirmation in Homeport-Confirm."),
    PLAN_CHANGED(
            "plan_changed", 409, 3, "The effect is no longer the confirmed one. Check the new plan and confirm it."),
    FROZEN("frozen", 409, 5, "A freeze covers a cluster that the change affects."),
    TOMBSTONED("tombstoned", 409, 3, "A decommissioned cluster with this id or name is not purged yet."),
    IDEMPOTENCY_MISMATCH("idempotency_mismatch", 409, 3, "The Idempotency-Key was used before, for another request."),
    BEFORE_HORIZON("before_horizon", 410, 1, "The log does not reach back that far."),
    GONE("gone", 410, 1, "The cluster is detached: Homeport no longer manages it."),
    STALE("stale", 412, 3, "The document has changed since the version in If-Match."),
    TOO_LARGE("too_large", 413, 2, "The body is larger than this operation takes."),
    UNSUPPORTED_MEDIA_TYPE("unsupported_media_type", 415, 1, "The Content-Type is not one that this operation takes."),
    INVALID("invalid", 422, 1, "The request breaks a rule; each of the errors says where and what to do."),
    LIMIT_EXCEEDED("limit_exceeded", 422, 1, "A cluster would get more than Flux can take."),
    TOO_EXPENSIVE(
            "too_expensive",
            422,
            1,
            "The request needs more work than one request may cause. Split it, or select by indexed fields."),
    SECRET_SUSPECTED(
            "secret_suspected",
            422,
            1,
            "A value looks like a secret. Use a secret reference; an admin may pass secrets_seen=true with a reason."),
    PRECONDITION_REQUIRED(
            "precondition_required",
            428,
            3,
            "This operation needs If-Match, so that concurrent changes are not overwritten."),
    TOO_MANY_REQUESTS("too_many_requests", 429, 8, "Too many requests of this kind; wait a little."),
    INTERNAL("internal", 500, 1, "Something went wrong in the server; its log has more under the request id."),
    UNAVAILABLE("unavailable", 503, 8, "Temporarily unavailable. Clusters keep what they have."),
    QUARANTINED(
            "quarantined",
            503,
            8,
            "The log contradicts what was seen of it before. An operator must check and accept it.");

    private final String code;
    private final int httpStatus;
    private final int exitCode;
    private final String meaning;

    ErrorCode(String code, int httpStatus, int exitCode, String meaning) {
        this.code = code;
        this.httpStatus = httpStatus;
        this.exitCode = exitCode;
        this.meaning = meaning;
    }

    /** The entry with this code, as a server sent it; an unknown one is an internal error of a newer server. */
    public static ErrorCode of(String code) {
        for (ErrorCode known : values()) {
            if (known.code.equals(code)) {
                return known;
            }
        }
        return INTERNAL;
    }

    /** The entry for an answer that came without a code, as from a proxy. */
    public static ErrorCode ofStatus(int status) {
        return switch (status) {
            case 401 -> UNAUTHENTICATED;
            case 403 -> FORBIDDEN;
            case 404 -> NOT_FOUND;
            case 429 -> TOO_MANY_REQUESTS;
            case 502, 503, 504 -> UNAVAILABLE;
            default -> INTERNAL;
        };
    }

    public String code() {
        return code;
    }

    public int httpStatus() {
        return httpStatus;
    }

    public int exitCode() {
        return exitCode;
    }

    /** What the code means, for reference pages. */
    public String meaning() {
        return meaning;
    }
}
