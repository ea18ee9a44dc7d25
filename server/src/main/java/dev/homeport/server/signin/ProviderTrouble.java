package dev.homeport.server.signin;

/** The provider does not answer, or not as one does. */
final class ProviderTrouble extends Exception {
    private static final long serialVersionUID = 1L;

    ProviderTrouble(String message) {
        super(message);
    }
}
