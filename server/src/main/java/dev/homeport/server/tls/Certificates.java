package dev.homeport.server.tls;

import dev.homeport.server.config.BadSettings;
import dev.homeport.server.config.ServerSettings;
import io.netty.handler.ssl.SslContext;
import io.vertx.core.Future;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificates that are served. Their files are looked at again and again, by what they hold: a rewritten file, a renamed
 * one and a swapped link are all the same. What cannot be used changes nothing but the log and a metric, and connections that
 * are open go on.
 */
public final class Certificates {
    private static final Logger LOG = LoggerFactory.getLogger(Certificates.class);
    private static final Duration UPDATE = Duration.ofSeconds(10);

    private final ServerSettings.Tls files;
    private final TlsEngine engine;
    private final InstantSource clock;
    private final List<Listening> listening = new ArrayList<>();
    private volatile TlsMaterial current;
    private final AtomicLong reloads = new AtomicLong();
    private volatile Optional<String> trouble = Optional.empty();
    private @Nullable String suspected;

    private final List<AtomicReference<SslContext>> contexts = new ArrayList<>();

    private record Listening(HttpServer server, boolean asksClients) {}

    /** @throws BadSettings when there is nothing usable to begin with */
    public Certificates(ServerSettings.Tls files, TlsEngine engine, InstantSource clock) {
        this.files = files;
        this.engine = engine;
        this.clock = clock;
        try {
            this.current = TlsMaterial.read(files);
        } catch (TlsMaterial.Unusable e) {
            throw new BadSettings(List.of(String.valueOf(e.getMessage())));
        }
        LOG.info("TLS by {} ({}), certificate {}", engine, engine.version(), current);
        warnOfAge();
    }

    /** @param asksClients whether clients may show certificates of their own */
    public void configure(HttpServerOptions options, boolean asksClients) {
        ServerSSLOptions ssl = options(current, asksClients);
        options.setSsl(true)
                .setSslEngineOptions(engine.options())
                .setEnabledSecureTransportProtocols(TlsEngine.PROTOCOLS)
                .setKeyCertOptions(ssl.getKeyCertOptions())
                .setTrustOptions(ssl.getTrustOptions())
                .setClientAuth(ssl.getClientAuth());
    }

    /** From now on the server gets every new certificate. One of several that share an address is enough. */
    public synchronized void attach(HttpServer server, boolean asksClients) {
        listening.add(new Listening(server, asksClients));
    }

    /** For a server that asks at each connection, and takes clients' certificates. */
    public synchronized Supplier<SslContext> context() {
        AtomicReference<SslContext> latest;
        try {
            latest = new AtomicReference<>(context(current));
        } catch (Exception e) {
            throw new IllegalStateException("the certificate cannot be served: " + e.getMessage(), e);
        }
        contexts.add(latest);
        return latest::get;
    }

    private SslContext context(TlsMaterial material) throws Exception {
        return engine.context(
                keys(material).getKeyManagerFactory(null), // values need no file system
                material.clientTrust());
    }

    private static PemKeyCertOptions keys(TlsMaterial material) {
        return new PemKeyCertOptions().setCertValue(material.certificate()).setKeyValue(material.key());
    }

    /** Of the admin plane. */
    private ServerSSLOptions options(TlsMaterial material, boolean asksClients) {
        ServerSSLOptions options = new ServerSSLOptions()
                .setEnabledSecureTransportProtocols(TlsEngine.PROTOCOLS)
                .setKeyCertOptions(keys(material))
                .setClientAuth(ClientAuth.NONE);
        PemTrustOptions trusted = new PemTrustOptions();
        material.clientCa().filter(authorities -> asksClients).ifPresent(trusted::addCertValue);
        material.adminCa().ifPresent(trusted::addCertValue);
        if (!trusted.getCertValues().isEmpty()) {
            boolean required = files.adminClients()
                    .map(ServerSettings.AdminClients::required)
                    .orElse(false); // clusters without a certificate use a token
            options.setTrustOptions(trusted).setClientAuth(required ? ClientAuth.REQUIRED : ClientAuth.REQUEST);
        }
        return options;
    }

    /** Looks at the files once. */
    public synchronized void look() {
        TlsMaterial found;
        try {
            found = TlsMaterial.read(files);
        } catch (TlsMaterial.Unusable e) {
            failed(String.valueOf(e.getMessage()));
            return;
        }
        if (found.sameFiles(current)) {
            settled();
        } else if (found.notAfter().isBefore(clock.instant())
                && current.notAfter().isAfter(clock.instant())) {
            failed("the new certificate has expired: " + found);
        } else {
            serve(found);
        }
    }

    private void serve(TlsMaterial found) {
        try {
            SslContext context = context(found);
            List<Future<Boolean>> updates = listening.stream()
                    .map(one -> one.server().updateSSLOptions(options(found, one.asksClients())))
                    .toList();
            Future.all(updates)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .orTimeout(UPDATE.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
            contexts.forEach(latest -> latest.set(context));
        } catch (Exception e) {
            failed("the new certificate cannot be served: " + e.getMessage());
            return;
        }
        current = found;
        reloads.incrementAndGet();
        LOG.info("new certificate: {}", current);
        warnOfAge();
        settled();
    }

    /** Said when it is seen twice: certificate and key are two files, and one of them is replaced first. */
    private void failed(String reason) {
        if (!reason.equals(suspected)) {
            suspected = reason;
        } else if (!trouble.equals(Optional.of(reason))) {
            trouble = Optional.of(reason);
            LOG.error("{}; still served: {}", reason, current);
        }
    }

    private void settled() {
        suspected = null;
        if (trouble.isPresent()) {
            trouble = Optional.empty();
            LOG.info("the certificate's files are in order");
        }
    }

    private void warnOfAge() {
        Instant now = clock.instant();
        if (current.notAfter().isBefore(now)
                || current.served().getNotBefore().toInstant().isAfter(now)) {
            LOG.warn(
                    "clients will refuse this certificate, it is valid from {} until {}",
                    current.served().getNotBefore().toInstant(),
                    current.notAfter());
        }
    }

    public TlsEngine engine() {
        return engine;
    }

    public Instant notAfter() {
        return current.notAfter();
    }

    public long reloads() {
        return reloads.get();
    }

    /** Why the files as they are now are not what is served. */
    public Optional<String> trouble() {
        return trouble;
    }
}
