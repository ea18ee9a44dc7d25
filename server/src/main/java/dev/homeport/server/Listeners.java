package dev.homeport.server;

import dev.homeport.server.config.Address;
import dev.homeport.server.config.ServerSettings;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.net.OpenSSLEngineOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** HTTP listeners. Each has event loops of its own, so that a flood on one does not starve the other. */
final class Listeners implements AutoCloseable {
    private static final int IDLE_SECONDS = 15;
    private static final int MAX_HEADERS = 16 * 1024;
    private static final int MAX_LINE = 8 * 1024;

    private final List<Vertx> planes = new ArrayList<>();

    /** Starts listening and returns the address with the port that was taken. */
    Address listen(
            Address address, int eventLoops, Optional<ServerSettings.Tls> tls, Handler<HttpServerRequest> handler) {
        Vertx vertx = Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(eventLoops)
                .setPreferNativeTransport(true)
                .setWorkerPoolSize(2)
                .setInternalBlockingPoolSize(2));
        planes.add(vertx);
        HttpServerOptions options = options(address, tls);
        HttpServer[] first = new HttpServer[1];
        try {
            vertx.deployVerticle(
                            () -> new AbstractVerticle() {
                                @Override
                                public void start(io.vertx.core.Promise<Void> started) {
                                    HttpServer server = getVertx().createHttpServer(options);
                                    server.requestHandler(handler)
                                            .invalidRequestHandler(HttpServerRequest.DEFAULT_INVALID_REQUEST_HANDLER)
                                            .listen()
                                            .onSuccess(listening -> {
                                                first[0] = listening;
                                                started.complete();
                                            })
                                            .onFailure(started::fail);
                                }
                            },
                            new DeploymentOptions().setInstances(address.port() == 0 ? 1 : eventLoops))
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join();
        } catch (CompletionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IllegalStateException("cannot listen on " + address + ": " + cause.getMessage(), cause);
        }
        return new Address(address.host(), first[0].actualPort());
    }

    private static HttpServerOptions options(Address address, Optional<ServerSettings.Tls> tls) {
        HttpServerOptions options = new HttpServerOptions()
                .setHost(address.host())
                .setPort(address.port())
                .setIdleTimeout(IDLE_SECONDS)
                .setIdleTimeoutUnit(TimeUnit.SECONDS)
                .setMaxHeaderSize(MAX_HEADERS)
                .setMaxInitialLineLength(MAX_LINE)
                .setMaxFormAttributeSize(MAX_LINE)
                .setTcpNoDelay(true)
                .setReusePort(false)
                .setAcceptBacklog(4096);
        tls.ifPresent(files -> {
            options.setSsl(true)
                    .setUseAlpn(true)
                    .setKeyCertOptions(new PemKeyCertOptions()
                            .setCertPath(files.certificate().toString())
                            .setKeyPath(files.key().toString()))
                    .setSslEngineOptions(
                            OpenSSLEngineOptions.isAvailable()
                                    ? new OpenSSLEngineOptions()
                                    : new JdkSSLEngineOptions());
            files.clientCa()
                    .ifPresent(ca -> options.setTrustOptions(new PemTrustOptions().addCertPath(ca.toString()))
                            .setClientAuth(io.vertx.core.http.ClientAuth.REQUEST));
        });
        return options;
    }

    @Override
    public void close() {
        for (Vertx vertx : planes) {
            vertx.close()
                    .toCompletionStage()
                    .toCompletableFuture()
                    .orTimeout(Duration.ofSeconds(10).toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        }
    }
}
