package dev.homeport.cli.terminal;

/** What was typed cannot be done as it was typed. */
public final class UsageProblem extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UsageProblem(String message) {
        super(message);
    }
}
