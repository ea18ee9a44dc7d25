package dev.homeport.server;

import dev.homeport.document.Types;
import dev.homeport.server.admin.AdminListener;
import dev.homeport.server.admin.AdminRoutes;
import dev.homeport.server.admin.Authenticator;
import dev.homeport.server.admin.ExpensiveRequests;
import dev.homeport.server.admin.Services;
import dev.homeport.server.config.Address;
import dev.homeport.server.config.ServerSettings;
import dev.homeport.server.events.EventDoor;
import dev.homeport.server.http.ConnectionLimits;
import dev.homeport.server.http.ConnectionTimeouts;
import dev.homeport.server.http.RequestView;
import dev.homeport.server.http.Routes;
import dev.homeport.server.http.VertxRequest;
import dev.homeport.server.logging.AccessLog;
import dev.homeport.server.metrics.Meters;
import dev.homeport.server.poll.PollListener;
import dev.homeport.server.poll.PollWatch;
import dev.homeport.server.poll.wire.Pages;
import dev.homeport.server.tls.Certificates;
import dev.homeport.server.tls.ClientCertificates;
import dev.homeport.server.tls.TlsEngine;
import dev.homeport.server.tracing.Tracing;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** A node with its listeners open. */
public final class RunningServer implements AutoCloseable {
    private final Node node;
    private static final Duration LOOK_AT_CERTIFICATES = Duration.ofSeconds(2);

    private final Listeners listeners;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Routes routes;
    private final AdminListener requests;
    private final Optional<Address> admin;
    private final Optional<Address> poll;

    private RunningServer(Node node, Optional<Certificates> certificates, ConnectionTimeouts timeouts) {
        this.node = node;
        this.listeners = new Listeners(certificates, timeouts);
        ServerSettings settings = node.settings;
        boolean readOnly = settings.mode() == ServerSettings.Mode.READ_ONLY;
        Meters meters = node.meters;
        ServerSettings.Proxies proxies = settings.proxies();
        PollListener polls = new PollListener(
                node.polls,
                new EventDoor(node.inbox, proxies.trusted(), node.clock, node.connections),
                watch(meters.polls(), node.tracing),
                node.refusals,
                readOnly,
                proxies.trusted(),
                shown(settings, node.clock),
                node.loops::problem);
        Services services = node.services();
        ExpensiveRequests expensive = new ExpensiveRequests(
                () -> node.follower.live().current().all(Types.CLUSTER).size(),
                Runtime.getRuntime().availableProcessors());
        this.routes = readOnly
                ? AdminRoutes.ofReadOnly(services, meters)
                : AdminRoutes.of(services, meters, node.visitors, expensive);
        this.requests = new AdminListener(
                routes,
                polls,
                node.clock,
                new Authenticator(services, node.identification, node.visitors, node.failedLogins, proxies.trusted()),
                threads,
                expensive,
                services,
                node.tracing,
                answered -> {
                    meters.answered(answered);
                    AccessLog.write(answered);
                    node.audit.answered(answered);
                });
        int cores = Runtime.getRuntime().availableProcessors();
        // Browsers would ask people which certificate to show.
        boolean onlyOne = settings.pollListen().isEmpty();
        this.admin = settings.adminListen()
                .map(address -> listeners.listen(
                        address,
                        Math.max(1, cores / 2),
                        new Listeners.Purpose(
                                onlyOne,
                                proxies.admin(),
                                node.connections.plane("admin", ConnectionDefaults.ofAdmin(settings))),
                        requests::handle));
        // Started after the other one: a client that finds it ready finds both.
        this.poll = settings.pollListen()
                .map(address -> listeners.listenForPolls(
                        address,
                        Math.max(1, cores),
                        polls,
                        readOnly ? requests.pages() : Pages.NONE,
                        proxies.poll(),
                        node.connections.plane("poll", ConnectionDefaults.ofPolls(settings))));
        meters.connections(node.connections);
        certificates.ifPresent(tls -> {
            meters.tls(tls, listeners.handshakeFailures());
            node.loop("certificates", LOOK_AT_CERTIFICATES, tls::look);
        });
        listeners.watch(node.loops);
        node.loops.watch("requests", threads, threads::isShutdown);
    }

    private static PollWatch watch(PollWatch meters, Tracing tracing) {
        return tracing == Tracing.OFF
                ? meters
                : (request, path, status, bytes, nanos) -> {
                    meters.polled(request, path, status, bytes, nanos);
                    tracing.polled(request, path, status, nanos);
                };
    }

    private static Function<RequestView, ClientCertificates.Shown> shown(ServerSettings settings, InstantSource clock) {
        Optional<ClientCertificates> clients = settings.tls()
                .filter(tls -> tls.clientCa().isPresent())
                .map(tls -> new ClientCertificates(tls.clientUri()));
        if (clients.isEmpty()) {
            return request -> ClientCertificates.NOTHING;
        }
        // With a plane of their own, clusters show certificates there; on the admin plane they are those of people.
        boolean ownPlane = settings.pollListen().isPresent();
        return request -> ownPlane && request instanceof VertxRequest
                ? ClientCertificates.NOTHING
                : clients.get().shown(request.session(), clock.instant());
    }

    public static RunningServer start(ServerSettings settings) {
        return start(settings, ConnectionTimeouts.STANDARD);
    }

    /** Tests cannot wait as long as clients may take. */
    static RunningServer start(ServerSettings settings, ConnectionTimeouts timeouts) {
        // First of all, so that nothing is made where the server cannot start.
        Optional<Certificates> certificates =
                settings.tls().map(tls -> new Certificates(tls, TlsEngine.best(), InstantSource.system()));
        Node node = Node.start(settings);
        try {
            return new RunningServer(node, certificates, timeouts);
        } catch (RuntimeException e) {
            node.close();
            throw e;
        }
    }

    Node node() {
        return node;
    }

    public Routes routes() {
        return routes;
    }

    ConnectionLimits connections() {
        return node.connections;
    }

    public Optional<Address> admin() {
        return admin;
    }

    public Optional<Address> poll() {
        return poll;
    }

    /** The one-time admin token of a new installation, in full. */
    public Optional<String> firstToken() {
        return node.firstToken.map(first -> first.token().reveal());
    }

    @Override
    public void close() {
        node.loops.closing();
        requests.endStreams();
        listeners.close();
        threads.close();
        node.close();
    }
}
