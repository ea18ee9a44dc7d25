package dev.homeport.cli.terminal;

/** What a script learns from how a command ended; {@link dev.homeport.api.ErrorCode} has those of refusals. */
public final class ExitCodes {
    public static final int DONE = 0;
    public static final int FAILED = 1;
    public static final int DIFFERS = 1;
    public static final int USAGE = 2;
    public static final int CONFLICT = 3;
    public static final int LOGIN_NEEDED = 4;
    public static final int REFUSED = 5;
    public static final int TIMED_OUT = 6;
    public static final int PARTLY_DONE = 7;
    public static final int UNREACHABLE = 8;
    public static final int INTERRUPTED = 130;
    public static final int BROKEN_PIPE = 141;

    private ExitCodes() {}
}
