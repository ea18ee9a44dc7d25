package dev.homeport.api;

/** The one list of things that can go wrong: a code, the HTTP status it travels with and the exit code of the CLI. */
public enum ErrorCode {
    MALFORMED("malformed", 400, 2),
    UNAUTHENTICATED("unauthenticated", 401, 4),
    FORBIDDEN("forbidden", 403, 5),
    NOT_FOUND("not_found", 404, 1),
    METHOD_NOT_ALLOWED("method_not_allowed", 405, 1),
    ALREADY_EXISTS("already_exists", 409, 3),
    CONFLICT("conflict", 409, 3),
    REFERENCED("referenced", 409, 3),
    CONFIRMATION_REQUIRED("confirmation_required", 409, 5),
    PLAN_CHANGED("plan_changed", 409, 3),
    FROZEN("frozen", 409, 5),
    TOMBSTONED("tombstoned", 409, 3),
    IDEMPOTENCY_MISMATCH("idempotency_mismatch", 409, 3),
    BEFORE_HORIZON("before_horizon", 410, 1),
    GONE("gone", 410, 1),
    STALE("stale", 412, 3),
    TOO_LARGE("too_large", 413, 2),
    UNSUPPORTED_MEDIA_TYPE("unsupported_media_type", 415, 1),
    INVALID("invalid", 422, 1),
    LIMIT_EXCEEDED("limit_exceeded", 422, 1),
    SECRET_SUSPECTED("secret_suspected", 422, 1),
    PRECONDITION_REQUIRED("precondition_required", 428, 3),
    TOO_MANY_REQUESTS("too_many_requests", 429, 8),
    INTERNAL("internal", 500, 1),
    UNAVAILABLE("unavailable", 503, 8),
    QUARANTINED("quarantined", 503, 8);

    private final String code;
    private final int httpStatus;
    private final int exitCode;

    ErrorCode(String code, int httpStatus, int exitCode) {
        this.code = code;
        this.httpStatus = httpStatus;
        this.exitCode = exitCode;
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
}
