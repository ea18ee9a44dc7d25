package dev.homeport.cli;

/** What a script learns from how a command ended; {@link dev.homeport.api.ErrorCode} has those of refusals. */
final class ExitCodes {
    static final int DONE = 0;
    static final int FAILED = 1;
    static final int DIFFERS = 1;
    static final int USAGE = 2;
    static final int CONFLICT = 3;
    static final int LOGIN_NEEDED = 4;
    static final int REFUSED = 5;
    static final int TIMED_OUT = 6;
    static final int PARTLY_DONE = 7;
    static final int UNREACHABLE = 8;
    static final int INTERRUPTED = 130;
    static final int BROKEN_PIPE = 141;

    private ExitCodes() {}
}
