package dev.homeport.server;

import dev.homeport.server.config.Address;
import dev.homeport.server.http.ConnectionLimits;
import dev.homeport.server.http.ConnectionTimeouts;
import dev.homeport.server.http.ConnectionWatch;
import dev.homeport.server.http.IdleConnections;
import dev.homeport.server.http.MalformedRequest;
import dev.homeport.server.liveness.Loops;
import dev.homeport.server.poll.PollListener;
import dev.homeport.server.poll.wire.Pages;
import dev.homeport.server.poll.wire.PollServer;
import dev.homeport.server.poll.wire.StrictHeads;
import dev.homeport.server.tls.Certificates;
import dev.homeport.server.tls.HandshakeFailures;
import io.netty.util.concurrent.EventExecutor;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** HTTP listeners. Each has event loops of its own, so that a flood on one does not starve the other. */
final class Listeners implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);

    /** For readers that do not take their answer; connections without a request are cut sooner, by the watch. */
    private static final int IDLE_SECONDS = 60;

    private static final int MAX_HEADERS = 16 * 1024;
    private static final int MAX_LINE = 8 * 1024;

    private static final Duration DRAIN = Duration.ofSeconds(10);

    /** How long the request of a connection that was just accepted may take to arrive. */
    private static final Duration UNREAD = Duration.ofMillis(300);

    private final List<Vertx> planes = new ArrayList<>();
    private final List<PollServer> pollServers = new ArrayList<>();
    private final List<AcceptGate> gates = new CopyOnWriteArrayList<>();
    private final List<HttpServer> servers = new CopyOnWriteArrayList<>();

    private final Optional<Certificates> certificates;
    private final ConnectionTimeouts timeouts;
    private final HandshakeFailures handshakeFailures = new HandshakeFailures();

    /** @param certificates none for plain HTTP */
    Listeners(Optional<Certificates> certificates, ConnectionTimeouts timeouts) {
        this.certificates = certificates;
        this.timeouts = timeouts;
    }

    /**
     * What a listener is for.
     *
     * @param clientCertificates whether clients are asked for theirs
     * @param proxyHeader whether each connection begins with what a proxy says of it
     */
    record Purpose(boolean clientCertificates, boolean proxyHeader, ConnectionLimits.Plane limits) {}

    /** Starts listening and returns the address with the port that was taken. */
    Address listen(Address address, int eventLoops, Purpose purpose, Handler<HttpServerRequest> handler) {
        IdleConnections idle = new IdleConnections();
        AcceptGate gate = new AcceptGate(purpose.limits(), idle);
        gates.add(gate);
        ConnectionWatch.Policy policy = new ConnectionWatch.Policy(timeouts, idle, purpose.limits(), StrictHeads::new);
        Vertx vertx = Vertx.builder()
                .with(new VertxOptions()
                        .setEventLoopPoolSize(eventLoops)
                        .setWorkerPoolSize(2)
                        .setInternalBlockingPoolSize(2)
                        // It would make a folder for files of the class path, and leave it behind when it is killed.
                        .setFileSystemOptions(new FileSystemOptions()
                                .setFileCachingEnabled(false)
                                .setClassPathResolvingEnabled(false)))
                .withTransport(gate.transport())
                .build();
        planes.add(vertx);
        HttpServerOptions options = options(address).setUseProxyProtocol(purpose.proxyHeader());
        certificates.ifPresent(tls -> tls.configure(options, purpose.clientCertificates()));
        HttpServer[] first = new HttpServer[1];
        try {
            vertx.deployVerticle(
                            () -> new AbstractVerticle() {
                                @Override
                                public void start(io.vertx.core.Promise<Void> started) {
                                    HttpServer server = getVertx().createHttpServer(options);
                                    ConnectionWatch.over(getVertx(), server, handler, policy);
                                    server.invalidRequestHandler(MalformedRequest::refuse)
                                            .exceptionHandler(handshakeFailures::failed)
                                            .listen()
                                            .onSuccess(listening -> {
                                                first[0] = listening;
                                                servers.add(listening);
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
        certificates.ifPresent(tls -> tls.attach(first[0], purpose.clientCertificates()));
        return new Address(address.host(), first[0].actualPort());
    }

    /** The same for polls, which have a server of their own. */
    Address listenForPolls(
            Address address,
            int eventLoops,
            PollListener polls,
            Pages pages,
            boolean proxyHeader,
            ConnectionLimits.Plane limits) {
        PollServer server = PollServer.listen(
                address,
                eventLoops,
                new PollServer.Plane(
                        polls,
                        pages,
                        certificates.map(Certificates::context),
                        proxyHeader,
                        handshakeFailures,
                        limits,
                        timeouts));
        pollServers.add(server);
        return new Address(address.host(), server.port());
    }

    private HttpServerOptions options(Address address) {
        return new HttpServerOptions()
                .setHost(address.host())
                .setPort(address.port())
                .setIdleTimeout(IDLE_SECONDS)
                .setIdleTimeoutUnit(TimeUnit.SECONDS)
                .setMaxHeaderSize(MAX_HEADERS)
                .setMaxInitialLineLength(MAX_LINE)
                .setMaxFormAttributeSize(MAX_LINE)
                // HTTP/2 is off, with TLS and without: see ADR 18.
                .setUseAlpn(false)
                .setHttp2ClearTextEnabled(false)
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false)
                .setSslHandshakeTimeout(timeouts.head().toMillis())
                .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
                .setProxyProtocolTimeout(timeouts.head().toMillis())
                .setProxyProtocolTimeoutUnit(TimeUnit.MILLISECONDS)
                .setTcpNoDelay(true)
                .setReusePort(false)
                .setAcceptBacklog(4096);
    }

    /** Has every event loop asked whether it still turns. */
    void watch(Loops loops) {
        int number = 0;
        for (Vertx vertx : planes) {
            for (EventExecutor eventLoop : ((VertxInternal) vertx).nettyEventLoopGroup()) {
                loops.watch("admin-" + number++, eventLoop);
            }
            for (EventExecutor acceptor : ((VertxInternal) vertx).acceptorEventLoopGroup()) {
                loops.watch("admin-acceptor", acceptor);
            }
        }
        pollServers.forEach(server -> server.watch(loops));
    }

    HandshakeFailures handshakeFailures() {
        return handshakeFailures;
    }

    /** Takes no more connections, and gives each request that has begun the time to be answered. */
    void drain() {
        gates.forEach(AcceptGate::close);
        pollServers.forEach(PollServer::stopAccepting);
        pause(UNREAD);
        drainPolls();
        List<Future<Void>> draining = servers.stream()
                .map(server -> server.shutdown(DRAIN.toMillis(), TimeUnit.MILLISECONDS))
                .toList();
        try {
            Future.join(draining)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .orTimeout(DRAIN.plusSeconds(1).toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } catch (CompletionException e) {
            LOG.warn("not every connection ended in time: {}", e.getMessage());
        }
    }

    private void drainPolls() {
        for (PollServer server : pollServers) {
            try {
                if (!server.drain(DRAIN)) {
                    LOG.warn("not every poll ended in time");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        drain();
        pollServers.forEach(PollServer::close);
        for (Vertx vertx : planes) {
            vertx.close()
                    .toCompletionStage()
                    .toCompletableFuture()
                    .orTimeout(Duration.ofSeconds(10).toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        }
    }
}
