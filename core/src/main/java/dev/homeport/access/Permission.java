package dev.homeport.access;

/** Where powers come from. Asked once for each request, on the state that the request meets. */
@FunctionalInterface
public interface Permission {
    Powers powers(AccessView view, Caller caller);

    /** Whether people and groups come in without a token, by an identity provider. */
    default boolean peopleSignIn() {
        return false;
    }

    /** Whether a service's name is one that a trusted issuer assigns: a Homeport token for it could impersonate that issuer's jobs. */
    default boolean isNameOfIssuer(String service) {
        return false;
    }
}
