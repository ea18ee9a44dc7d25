package dev.homeport.server.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Closes connections that do not finish a request, or do not read their answers. An idle timeout is not enough: a byte now
 * and then keeps a connection busy forever. One for each event loop, so nothing here is shared between threads.
 */
public final class ConnectionWatch {
    private static final long LOOK_MILLIS = 1000;

    /** The name of the decoder of HTTP/1.1 in Vert.x's pipeline. */
    private static final String DECODER = "httpDecoder";

    private final Patience patience;
    private final Optional<IdleConnections> idle;
    private final Map<HttpConnection, State> open = new HashMap<>();

    /**
     * How long a client may take.
     *
     * @param head until a request is there
     * @param body until the rest of it is
     * @param bytesPerSecond how fast an answer is taken at least, on the whole
     */
    record Patience(Duration head, Duration body, long bytesPerSecond) {}

    private ConnectionWatch(Patience patience, Optional<IdleConnections> idle) {
        this.patience = patience;
        this.idle = idle;
    }

    /**
     * What else applies to each connection.
     *
     * @param idle gets the connections without a request
     * @param limits counts connections through a proxy for the client behind it
     * @param reading what HTTP/1.1 requests pass before they are decoded
     */
    public record Policy(
            ConnectionTimeouts timeouts,
            IdleConnections idle,
            ConnectionLimits.Plane limits,
            Supplier<ChannelHandler> reading) {}

    /** Until when a connection has time, and its requests that are not answered yet: a client may send several in a row. */
    private final class State {
        private long until = System.nanoTime() + patience.head().toNanos();
        private final Set<HttpServerRequest> pending = new HashSet<>();

        private void answered(long bytes) {
            until = System.nanoTime()
                    + patience.head().toNanos()
                    + TimeUnit.SECONDS.toNanos(bytes / patience.bytesPerSecond());
        }

        private boolean isLate(long now) {
            boolean waits = pending.isEmpty() || pending.stream().anyMatch(request -> !request.isEnded());
            return waits && now - until > 0;
        }
    }

    /** Watches a server's connections and requests; to be called on the event loop that serves them. */
    public static void over(Vertx vertx, HttpServer server, Handler<HttpServerRequest> handler, Policy policy) {
        ConnectionTimeouts timeouts = policy.timeouts();
        ConnectionWatch watch = new ConnectionWatch(
                new Patience(timeouts.head(), timeouts.body(), timeouts.bytesPerSecond()), Optional.of(policy.idle()));
        server.connectionHandler(connection -> {
            watch.opened(connection);
            Connections.channel(connection).ifPresent(channel -> begin(connection, channel, policy));
        });
        watch.over(vertx, server, handler, timeouts.look().toMillis());
    }

    static void over(Vertx vertx, HttpServer server, Handler<HttpServerRequest> handler, Patience patience) {
        ConnectionWatch watch = new ConnectionWatch(patience, Optional.empty());
        server.connectionHandler(watch::opened);
        watch.over(vertx, server, handler, LOOK_MILLIS);
    }

    private void over(Vertx vertx, HttpServer server, Handler<HttpServerRequest> handler, long lookMillis) {
        server.requestHandler(request -> {
            handler.handle(request);
            asked(request);
        });
        vertx.setPeriodic(lookMillis, timer -> cut());
    }

    private static void begin(HttpConnection connection, Channel channel, Policy policy) {
        Connections.lingerFor(channel, policy.timeouts().linger());
        if (channel.pipeline().get(DECODER) != null) {
            channel.pipeline().addBefore(DECODER, "reading", policy.reading().get());
        }
        String peer = address(connection.remoteAddress(true));
        String proxied = address(connection.remoteAddress());
        boolean isAdmitted = proxied.equals(peer)
                || !policy.limits().isProxy(peer)
                || ConnectionSlot.of(channel).map(slot -> slot.rename(proxied)).orElse(true);
        if (!isAdmitted) {
            Connections.cut(channel);
        }
    }

    private static String address(@Nullable SocketAddress address) {
        String text = address == null ? null : address.hostAddress();
        return text == null ? "" : text;
    }

    private void opened(HttpConnection connection) {
        open.put(connection, new State());
        connection.closeHandler(nothing -> open.remove(connection));
    }

    private void asked(HttpServerRequest request) {
        State state = open.get(request.connection());
        if (state == null) {
            return;
        }
        idle.ifPresent(all -> Connections.channel(request.connection()).ifPresent(all::remove));
        HttpServerResponse response = request.response();
        if (response.ended() || response.closed()) {
            state.answered(response.bytesWritten());
            Connections.answered(request.connection());
            isIdle(request.connection(), state);
            return;
        }
        state.until = System.nanoTime() + patience.body().toNanos();
        state.pending.add(request);
        response.endHandler(nothing -> {
            state.answered(response.bytesWritten());
            state.pending.remove(request);
            Connections.answered(request.connection());
            isIdle(request.connection(), state);
        });
    }

    private void isIdle(HttpConnection connection, State state) {
        if (state.pending.isEmpty()) {
            idle.ifPresent(all -> Connections.channel(connection).ifPresent(all::add));
        }
    }

    private void cut() {
        long now = System.nanoTime();
        for (Map.Entry<HttpConnection, State> entry : new ArrayList<>(open.entrySet())) {
            if (entry.getValue().isLate(now)) {
                Connections.cut(entry.getKey());
            }
        }
    }
}
