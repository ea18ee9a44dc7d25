package dev.homeport.server.tls;

import dev.homeport.server.config.ClusterUri;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** Which cluster the certificate of a connection is for. That a trusted authority issued it was seen in the handshake. */
public final class ClientCertificates {
    private static final Integer URI = 6;

    private final ClusterUri form;

    public ClientCertificates(ClusterUri form) {
        this.form = form;
    }

    /** What a client has shown. */
    public sealed interface Shown {
        /** No certificate. */
        record Nothing() implements Shown {}

        /** The one cluster that the certificate names. */
        record Cluster(String id) implements Shown {}

        /** A certificate that names no cluster. */
        record Unusable(String reason) implements Shown {}
    }

    public static final Shown NOTHING = new Shown.Nothing();

    /** @param session nothing without TLS */
    public Shown shown(@Nullable SSLSession session, Instant now) {
        if (session == null) {
            return NOTHING;
        }
        try {
            return session.getPeerCertificates()[0] instanceof X509Certificate certificate
                    ? shown(certificate, now)
                    : new Shown.Unusable("the client certificate is not of the kind X.509");
        } catch (SSLPeerUnverifiedException e) {
            return NOTHING;
        }
    }

    Shown shown(X509Certificate certificate, Instant now) {
        try {
            // A connection may live longer than the certificate that it was opened with.
            certificate.checkValidity(Date.from(now));
        } catch (CertificateExpiredException e) {
            return new Shown.Unusable("the client certificate has expired");
        } catch (CertificateNotYetValidException e) {
            return new Shown.Unusable("the client certificate is not valid yet");
        }
        List<String> uris;
        try {
            uris = uris(certificate.getSubjectAlternativeNames());
        } catch (CertificateParsingException e) {
            return new Shown.Unusable("the names in the client certificate cannot be read");
        }
        if (uris.size() != 1) {
            return new Shown.Unusable("the client certificate has " + (uris.isEmpty() ? "no URI" : "several URIs")
                    + " among its alternative names, where exactly one, " + form + ", names the cluster");
        }
        Optional<String> cluster = form.cluster(uris.getFirst());
        return cluster.isPresent()
                ? new Shown.Cluster(cluster.get())
                : new Shown.Unusable("the URI in the client certificate is not of the form " + form);
    }

    private static List<String> uris(Collection<List<?>> names) {
        List<String> uris = new ArrayList<>();
        if (names != null) {
            for (List<?> name : names) {
                if (URI.equals(name.get(0))) {
                    uris.add(String.valueOf(name.get(1)));
                }
            }
        }
        return uris;
    }
}
