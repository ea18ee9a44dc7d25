package dev.homeport.server.poll.wire;

import dev.homeport.server.config.Address;
import dev.homeport.server.http.ConnectionLimits;
import dev.homeport.server.http.ConnectionTimeouts;
import dev.homeport.server.liveness.LoopHealth;
import dev.homeport.server.liveness.Loops;
import dev.homeport.server.poll.PollListener;
import dev.homeport.server.poll.PollPath;
import dev.homeport.server.tls.HandshakeFailures;
import io.netty.channel.EventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Listens for polls. Each event loop has a socket and accepts for itself, so that a connection stays where it came in. */
public final class PollServer implements AutoCloseable {
    private static final boolean EPOLL = Epoll.isAvailable();
    private static final int BACKLOG = 4096;

    private final MultiThreadIoEventLoopGroup group;
    private final IdentityHashMap<EventLoop, Loop> loops = new IdentityHashMap<>();
    private final List<Door> doors = new ArrayList<>();

    private PollServer(MultiThreadIoEventLoopGroup group) {
        this.group = group;
    }

    /**
     * The handler of requests, and how connections begin.
     *
     * @param tls asked for each connection, so that a new certificate is used from the next one on; empty for plain HTTP
     * @param proxyHeader whether each connection begins with what a proxy says of it
     * @param failures receives connections that fail before their first request
     */
    public record Plane(
            PollListener polls,
            Pages pages,
            Optional<Supplier<SslContext>> tls,
            boolean proxyHeader,
            HandshakeFailures failures,
            ConnectionLimits.Plane limits,
            ConnectionTimeouts timeouts) {

        boolean hasPage(String method, String path) {
            return !path.startsWith(PollPath.PREFIX)
                    && (method.equals("GET") || method.equals("HEAD"))
                    && pages.has(path);
        }
    }

    /** Starts to listen. */
    public static PollServer listen(Address address, int eventLoops, Plane plane) {
        IoHandlerFactory transport = EPOLL ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        PollServer server = new PollServer(
                new MultiThreadIoEventLoopGroup(EPOLL ? eventLoops : 1, new DefaultThreadFactory("poll"), transport));
        try {
            InetSocketAddress socket =
                    free(new InetSocketAddress(InetAddress.getByName(address.host()), address.port()));
            LoopGroup group = new LoopGroup(plane.limits().limit());
            for (EventExecutor executor : server.group) {
                Loop loop = new Loop(group);
                group.add((EventLoop) executor, loop);
                server.loops.put((EventLoop) executor, loop);
                long look = plane.timeouts().look().toMillis();
                Future<?> _ = executor.scheduleAtFixedRate(loop::cutLate, look, look, TimeUnit.MILLISECONDS);
                Intake intake = new Intake((EventLoop) executor, loop, plane);
                server.doors.add(
                        EPOLL ? EpollDoor.open(intake, socket, BACKLOG) : NioDoor.open(intake, socket, BACKLOG));
            }
            return server;
        } catch (IOException | RuntimeException e) {
            server.close();
            throw new IllegalStateException("cannot listen on " + address + ": " + e.getMessage(), e);
        }
    }

    /**
     * The address with a free port. The loops' sockets share their port with each other, and would with those of another
     * server that was started by mistake; this one does not share it.
     */
    private static InetSocketAddress free(InetSocketAddress wanted) throws IOException {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(wanted);
            return new InetSocketAddress(wanted.getAddress(), probe.getLocalPort());
        }
    }

    /** Has every event loop asked whether it still turns. */
    public void watch(Loops watched) {
        int number = 0;
        for (EventExecutor executor : group) {
            LoopHealth health = watched.watch("poll-" + number++, executor);
            Objects.requireNonNull(loops.get((EventLoop) executor)).watchedBy(health);
        }
    }

    public int port() {
        return doors.getFirst().port();
    }

    /** Afterwards no client can connect; waiting ones are accepted first. */
    public void stopAccepting() {
        doors.forEach(Door::shut);
    }

    /** Gives each request that has begun the time to be answered; returns whether all were. */
    public boolean drain(Duration most) throws InterruptedException {
        long until = System.nanoTime() + most.toNanos();
        onLoops(Loop::drain);
        while (!onLoops(loop -> {})) {
            if (System.nanoTime() > until) {
                return false;
            }
            Thread.sleep(10);
        }
        return true;
    }

    /** Whether all are without connections afterwards. */
    private boolean onLoops(Consumer<Loop> what) {
        boolean empty = true;
        for (Map.Entry<EventLoop, Loop> entry : loops.entrySet()) {
            Loop loop = entry.getValue();
            empty &= entry.getKey()
                    .submit(() -> {
                        what.accept(loop);
                        return loop.isEmpty();
                    })
                    .syncUninterruptibly()
                    .getNow();
        }
        return empty;
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
