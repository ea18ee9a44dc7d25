package dev.homeport.api;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a server says in TLS when it does not accept the client's certificate, or misses one. */
final class CertificateAlert {
    private static final Pattern RECEIVED = Pattern.compile("Received fatal alert: ([a-z_]+)");

    private static final Set<String> OF_CERTIFICATES = Set.of(
            "certificate_required",
            "bad_certificate",
            "unsupported_certificate",
            "certificate_revoked",
            "certificate_expired",
            "certificate_unknown",
            "unknown_ca",
            "access_denied");

    private CertificateAlert() {}

    static Optional<String> in(Throwable failure) {
        for (Throwable one = failure; one != null; one = one.getCause()) {
            Matcher alert = RECEIVED.matcher(String.valueOf(one.getMessage()));
            if (alert.find() && OF_CERTIFICATES.contains(alert.group(1))) {
                return Optional.of(alert.group(1).replace('_', ' '));
            }
        }
        return Optional.empty();
    }
}
