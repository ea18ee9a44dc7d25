package dev.homeport.flux;

import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * Which Secrets on the cluster hold what it shows to Homeport and what it trusts.
 *
 * @param token with the token that polls are made with
 * @param certificates with the authority that vouches for Homeport, and maybe a certificate of the cluster's own
 */
record Credentials(Optional<String> token, Optional<String> certificates) {
    static Credentials of(ClusterSecrets secrets, Choices choices) {
        return new Credentials(
                secrets.token().map(token -> Polling.TOKEN),
                choices.clientCertificate().or(() -> secrets.authority().map(pem -> Polling.AUTHORITY)));
    }

    void tokenInto(ObjectNode spec) {
        token.ifPresent(name -> spec.putObject("secretRef").put("name", name));
    }

    void certificatesInto(ObjectNode spec) {
        certificates.ifPresent(name -> spec.putObject("certSecretRef").put("name", name));
    }
}
