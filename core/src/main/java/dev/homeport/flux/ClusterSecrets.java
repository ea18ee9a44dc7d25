package dev.homeport.flux;

import java.util.Optional;

/**
 * Secrets that only this cluster and Homeport know.
 *
 * @param token what it polls with; empty: a certificate of its own opens polls
 * @param eventKey what it signs its events with
 * @param authority certificates, in PEM, of the server's authority; empty: the system's authorities
 */
public record ClusterSecrets(Optional<String> token, String eventKey, Optional<String> authority) {
    @Override
    public String toString() {
        return "ClusterSecrets[…]";
    }
}
