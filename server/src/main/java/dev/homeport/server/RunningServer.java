package dev.homeport.server;

import dev.homeport.server.admin.AdminListener;
import dev.homeport.server.admin.AdminRoutes;
import dev.homeport.server.config.Address;
import dev.homeport.server.config.ServerSettings;
import dev.homeport.server.http.Routes;
import dev.homeport.server.poll.PollListener;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A node with its listeners open. */
public final class RunningServer implements AutoCloseable {
    private final Node node;
    private final Listeners listeners = new Listeners();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Optional<Address> admin;
    private final Optional<Address> poll;

    private RunningServer(Node node) {
        this.node = node;
        ServerSettings settings = node.settings;
        PollListener polls = new PollListener(node.polls, settings.mode() == ServerSettings.Mode.READ_ONLY);
        int cores = Runtime.getRuntime().availableProcessors();
        this.poll = settings.pollListen()
                .map(address -> listeners.listen(address, Math.max(1, cores), settings.tls(), polls::handle));
        this.admin = settings.adminListen().map(address -> {
            Routes routes = AdminRoutes.of(node.services());
            AdminListener listener = new AdminListener(
                    routes, polls, node.follower, node.identification, node.rights, node.clock, threads);
            return listeners.listen(address, Math.max(1, cores / 2), settings.tls(), listener::handle);
        });
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
        listeners.close();
        threads.close();
        node.close();
    }
}
