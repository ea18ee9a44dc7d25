package dev.homeport.access;

/** Where powers come from. Asked once for each request, on the state that the request meets. */
@FunctionalInterface
public interface Permission {
    Powers powers(AccessView view, Caller caller);

    /** Whether people and groups come in without a token, by an identity provider. */
    default boolean peopleSignIn() {
        return false;
    }

    /** Whether a service's name is one that a trusted issuer gives: whoever has a token of Homeport for it could act as its jobs. */
    default boolean isNameOfIssuer(String service) {
        return false;
    }
}
