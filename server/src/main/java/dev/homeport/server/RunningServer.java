package dev.homeport.server;

import dev.homeport.server.admin.AdminListener;
import dev.homeport.server.admin.AdminRoutes;
import dev.homeport.server.admin.Services;
import dev.homeport.server.config.Address;
import dev.homeport.server.config.ServerSettings;
import dev.homeport.server.events.EventDoor;
import dev.homeport.server.http.Routes;
import dev.homeport.server.logging.AccessLog;
import dev.homeport.server.metrics.Meters;
import dev.homeport.server.poll.PollListener;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A node with its listeners open. */
public final class RunningServer implements AutoCloseable {
    private final Node node;
    private final Listeners listeners = new Listeners();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Routes routes;
    private final AdminListener requests;
    private final Optional<Address> admin;
    private final Optional<Address> poll;

    private RunningServer(Node node) {
        this.node = node;
        ServerSettings settings = node.settings;
        boolean readOnly = settings.mode() == ServerSettings.Mode.READ_ONLY;
        Meters meters = node.meters;
        PollListener polls =
                new PollListener(node.polls, new EventDoor(node.inbox, node.clock), meters.polls(), readOnly);
        Services services = node.services();
        this.routes = readOnly ? AdminRoutes.ofReadOnly(services, meters) : AdminRoutes.of(services, meters);
        this.requests = new AdminListener(
                routes,
                polls,
                services,
                new AdminListener.Doorway(node.identification, node.failedLogins),
                threads,
                answered -> {
                    meters.answered(answered);
                    AccessLog.write(answered);
                });
        Handler<HttpServerRequest> pollPlane = readOnly
                ? request -> {
                    if (requests.hasPage(request)) {
                        requests.handle(request);
                    } else {
                        polls.handle(request);
                    }
                }
                : polls::handle;
        int cores = Runtime.getRuntime().availableProcessors();
        this.poll = settings.pollListen()
                .map(address -> listeners.listen(address, Math.max(1, cores), settings.tls(), pollPlane));
        this.admin = settings.adminListen()
                .map(address -> listeners.listen(address, Math.max(1, cores / 2), settings.tls(), requests::handle));
    }

    public static RunningServer start(ServerSettings settings) {
        Node node = Node.start(settings);
        try {
            return new RunningServer(node);
        } catch (RuntimeException e) {
            node.close();
            throw e;
        }
    }

    Routes routes() {
        return routes;
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
        requests.endStreams();
        listeners.close();
        threads.close();
        node.close();
    }
}
