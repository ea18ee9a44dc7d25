package dev.homeport.cli;

/** The command cannot be carried out as it was given. */
final class UsageProblem extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UsageProblem(String message) {
        super(message);
    }
}
