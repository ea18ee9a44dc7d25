package dev.homeport.api;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;

/**
 * Where a server is, how to sign in and whom to trust.
 *
 * @param authority a PEM file with the certificates to trust instead of the JDK's
 * @param trace is told of every request and answer, without secrets
 */
public record ServerAddress(URI server, Optional<String> token, Optional<Path> authority, Consumer<String> trace) {

    URI at(String path) {
        String base = server.toString();
        return URI.create((base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + path);
    }

    /** Empty: what the JDK trusts. */
    Optional<SSLContext> trust() {
        return server.getScheme().equals("https") ? authority.map(ServerAddress::trusting) : Optional.empty();
    }

    private static SSLContext trusting(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int number = 0;
            for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("authority-" + number++, one);
            }
            if (number == 0) {
                throw new CertificateException("there is no certificate in it");
            }
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context;
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read: " + e.getMessage(), e);
        } catch (GeneralSecurityException e) {
            throw new UncheckedIOException(
                    file + " is not a PEM file with certificates: " + e.getMessage(), new IOException(e));
        }
    }

    ServerUnreachable unreachable(Exception cause) {
        Throwable reason = cause instanceof UncheckedIOException && cause.getCause() != null ? cause.getCause() : cause;
        String detail = reason.getMessage() == null ? reason.getClass().getSimpleName() : reason.getMessage();
        return reason instanceof SSLException
                ? new ServerUnreachable(
                        server + " is not trusted: " + detail,
                        "give the certificate authority's PEM file with --certificate-authority, or check the address",
                        cause)
                : new ServerUnreachable(
                        server + " does not answer: " + detail, "check the address and whether the server runs", cause);
    }
}
