package dev.homeport.server.tls;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.OpenSslCachingX509KeyManagerFactory;
import io.netty.handler.ssl.OpenSslServerSessionContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.net.OpenSSLEngineOptions;
import io.vertx.core.net.SSLEngineOptions;
import io.vertx.core.spi.tls.DefaultSslContextFactory;
import io.vertx.core.spi.tls.SslContextFactory;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;

/** The implementation of TLS, and its cipher suites. */
public enum TlsEngine {
    /** BoringSSL, through netty-tcnative. */
    OPENSSL,
    JDK;

    public static final Set<String> PROTOCOLS = Set.of("TLSv1.2", "TLSv1.3");

    /** Forward secrecy and authenticated encryption alone; AES first, as it is the cheapest and all that FIPS has. */
    static final List<String> SUITES = List.of(
            "TLS_AES_128_GCM_SHA256",
            "TLS_AES_256_GCM_SHA384",
            "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    /** Read once by either engine, before its first handshake. */
    private static final String TICKETS = "jdk.tls.server.enableSessionTicketExtension";

    static {
        // Flux connects again for every poll, so a ticket is only work; and a resumed session would skip the check of
        // the client certificate.
        if (System.getProperty(TICKETS) == null) {
            System.setProperty(TICKETS, "false");
        }
    }

    /** The faster one, where this machine has it. */
    public static TlsEngine best() {
        return OpenSsl.isAvailable() ? OPENSSL : JDK;
    }

    /** For the log and for metrics. */
    public String version() {
        return switch (this) {
            case OPENSSL -> String.valueOf(OpenSsl.versionString());
            case JDK -> "JDK " + Runtime.version();
        };
    }

    public SSLEngineOptions options() {
        return switch (this) {
            case OPENSSL -> new Native();
            case JDK -> new Jdk();
        };
    }

    /** What a server needs that is not Vert.x'. */
    SslContext context(KeyManagerFactory keys, Optional<TrustManagerFactory> clients) throws SSLException {
        boolean isNative = this == OPENSSL;
        SslContextBuilder builder = SslContextBuilder.forServer(
                        isNative ? new OpenSslCachingX509KeyManagerFactory(keys) : keys)
                .sslProvider(isNative ? SslProvider.OPENSSL : SslProvider.JDK)
                .protocols(PROTOCOLS)
                .ciphers(SUITES);
        // Clusters without a certificate use a token.
        clients.ifPresent(trust ->
                builder.trustManager(isNative ? new TellingTrust(trust) : trust).clientAuth(ClientAuth.OPTIONAL));
        return withoutMemory(builder.build());
    }

    /** No session is taken up again. */
    private static SslContext withoutMemory(SslContext context) {
        if (context.sessionContext() instanceof OpenSslServerSessionContext sessions) {
            sessions.setSessionCacheEnabled(false);
        } else {
            // The JDK always caches sessions; the smallest cache is one session, for a second.
            context.sessionContext().setSessionCacheSize(1);
            context.sessionContext().setSessionTimeout(1);
        }
        return context;
    }

    private static final class Native extends OpenSSLEngineOptions {
        @Override
        public OpenSSLEngineOptions copy() {
            return new Native();
        }

        @Override
        public SslContextFactory sslContextFactory() {
            return new Contexts(SslProvider.OPENSSL);
        }
    }

    private static final class Jdk extends JdkSSLEngineOptions {
        @Override
        public JdkSSLEngineOptions copy() {
            return new Jdk();
        }

        @Override
        public SslContextFactory sslContextFactory() {
            return new Contexts(SslProvider.JDK);
        }
    }

    /** Vert.x's own, but the suites stay in order, and the key is not parsed again in every handshake. */
    private static final class Contexts extends DefaultSslContextFactory {
        private final SslProvider provider;

        Contexts(SslProvider provider) {
            super(provider, false);
            this.provider = provider;
        }

        @Override
        public SslContext create() throws SSLException {
            return withoutMemory(super.create());
        }

        @Override
        public SslContextFactory enabledCipherSuites(Set<String> unordered) {
            return super.enabledCipherSuites(new LinkedHashSet<>(SUITES));
        }

        @Override
        public SslContextFactory keyMananagerFactory(KeyManagerFactory keys) {
            return super.keyMananagerFactory(
                    provider == SslProvider.OPENSSL ? new OpenSslCachingX509KeyManagerFactory(keys) : keys);
        }

        @Override
        public SslContextFactory trustManagerFactory(TrustManagerFactory trust) {
            return super.trustManagerFactory(provider == SslProvider.OPENSSL ? new TellingTrust(trust) : trust);
        }
    }
}
