package dev.homeport.server.tls;

import io.netty.handler.ssl.OpenSslCertificateException;
import io.netty.handler.ssl.util.SimpleTrustManagerFactory;
import java.security.KeyStore;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.ManagerFactoryParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/**
 * Makes BoringSSL send a client with an unknown certificate authority the right alert; it would send "internal error"
 * otherwise.
 */
final class TellingTrust extends SimpleTrustManagerFactory {
    /** X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, which becomes the alert unknown_ca. */
    private static final int NO_ISSUER = 20;

    private final TrustManagerFactory inner;

    TellingTrust(TrustManagerFactory inner) {
        this.inner = inner;
    }

    @Override
    protected void engineInit(KeyStore keys) {}

    @Override
    protected void engineInit(ManagerFactoryParameters parameters) {}

    @Override
    protected TrustManager[] engineGetTrustManagers() {
        return Arrays.stream(inner.getTrustManagers())
                .map(one -> one instanceof X509TrustManager manager ? new Telling(manager) : one)
                .toArray(TrustManager[]::new);
    }

    private record Telling(X509TrustManager manager) implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind) throws CertificateException {
            try {
                manager.checkClientTrusted(chain, kind);
            } catch (CertificateException e) {
                throw e.getCause() instanceof CertPathBuilderException
                        ? new OpenSslCertificateException(String.valueOf(e.getMessage()), e, NO_ISSUER)
                        : e;
            }
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind) throws CertificateException {
            manager.checkServerTrusted(chain, kind);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return manager.getAcceptedIssuers();
        }
    }
}
