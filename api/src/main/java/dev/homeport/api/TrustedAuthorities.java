package dev.homeport.api;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** Certificate authorities to trust instead of those of the JDK. */
public final class TrustedAuthorities {
    private TrustedAuthorities() {}

    /** Trusts only the certificates in a PEM file. */
    public static SSLContext in(Path file) {
        return TlsFiles.trusting(Optional.of(file)).context().orElseThrow();
    }

    static TrustManager[] managers(Path file) {
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
            return managers.getTrustManagers();
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read: " + FileTrouble.why(e), e);
        } catch (GeneralSecurityException e) {
            throw new UncheckedIOException(
                    file + " is not a PEM file with certificates: " + e.getMessage(), new IOException(e));
        }
    }
}
