package dev.homeport.cli;

/** A command that ends with an exit code of its own, after saying why. */
final class Ended extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    Ended(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    int exitCode() {
        return exitCode;
    }
}
