package dev.homeport.cli.terminal;

/** The command line was used wrongly. */
public final class UsageProblem extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UsageProblem(String message) {
        super(message);
    }
}
