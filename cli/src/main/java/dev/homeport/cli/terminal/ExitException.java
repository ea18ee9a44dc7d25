package dev.homeport.cli.terminal;

/** A command that ends with an exit code of its own, after saying why. */
public final class ExitException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    public ExitException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    public int exitCode() {
        return exitCode;
    }
}
