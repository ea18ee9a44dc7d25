package dev.homeport.cli.login;

/** The keyring did not do what was asked of it. The message says why, and stands in the middle of a sentence. */
public final class KeyringProblem extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public KeyringProblem(String message) {
        super(message);
    }
}
