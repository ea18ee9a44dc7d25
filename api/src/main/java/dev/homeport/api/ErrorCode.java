package dev.homeport.api;

/** The one list of things that can go wrong: a code, the HTTP status it travels with and the exit code of the CLI. */
public enum ErrorCode {
    MALFORMED("malformed", 400, 2),
    UNAUTHENTICATED("unauthenticated", 401, 4),
    FORBIDDEN("forbidden", 403, 4),
    NOT_FOUND("not_found", 404, 5),
    METHOD_NOT_ALLOWED("method_not_allowed", 405, 2),
    ALREADY_EXISTS("already_exists", 409, 6),
    CONFLICT("conflict", 409, 6),
    REFERENCED("referenced", 409, 6),
    CONFIRMATION_REQUIRED("confirmation_required", 409, 7),
    PLAN_CHANGED("plan_changed", 409, 7),
    FROZEN("frozen", 409, 8),
    TOMBSTONED("tombstoned", 409, 6),
    IDEMPOTENCY_MISMATCH("idempotency_mismatch", 409, 6),
    BEFORE_HORIZON("before_horizon", 410, 5),
    GONE("gone", 410, 5),
    STALE("stale", 412, 6),
    TOO_LARGE("too_large", 413, 2),
    UNSUPPORTED_MEDIA_TYPE("unsupported_media_type", 415, 2),
    INVALID("invalid", 422, 3),
    LIMIT_EXCEEDED("limit_exceeded", 422, 3),
    SECRET_SUSPECTED("secret_suspected", 422, 3),
    PRECONDITION_REQUIRED("precondition_required", 428, 6),
    TOO_MANY_REQUESTS("too_many_requests", 429, 9),
    INTERNAL("internal", 500, 1),
    UNAVAILABLE("unavailable", 503, 9),
    QUARANTINED("quarantined", 503, 9);

    private final String code;
    private final int httpStatus;
    private final int exitCode;

    ErrorCode(String code, int httpStatus, int exitCode) {
        this.code = code;
        this.httpStatus = httpStatus;
        this.exitCode = exitCode;
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
}
