package dev.homeport.api;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/**
 * The files that connections to a server need.
 *
 * @param authority a PEM file with the certificates to trust instead of the JDK's
 * @param client the certificate to show when the server asks for one
 */
public record TlsFiles(Optional<Path> authority, Optional<ClientCertificate> client) {
    public static final TlsFiles NONE = new TlsFiles(Optional.empty(), Optional.empty());

    public static TlsFiles trusting(Optional<Path> authority) {
        return new TlsFiles(authority, Optional.empty());
    }

    /** Reads the files. Empty: as the JDK does. */
    Optional<SSLContext> context() {
        if (equals(NONE)) {
            return Optional.empty();
        }
        // No managers at all are the JDK's own.
        TrustManager[] trusted = authority.map(TrustedAuthorities::managers).orElse(null);
        KeyManager[] shown = client.map(ClientCertificate::managers).orElse(null);
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(shown, trusted, null);
            return Optional.of(context);
        } catch (GeneralSecurityException e) {
            throw new UncheckedIOException("cannot use TLS: " + e.getMessage(), new IOException(e));
        }
    }
}
