package dev.homeport.server.http;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Cuts connections on which no request gets finished, or whose answers are not taken. An idle timeout does not do it: a byte
 * now and then keeps a connection busy for ever. One for each event loop, so nothing here is shared between threads.
 */
public final class ConnectionWatch {
    private static final long LOOK_MILLIS = 1000;

    private final Patience patience;
    private final Map<HttpConnection, State> open = new HashMap<>();

    /**
     * How long a client may take.
     *
     * @param head until a request is there
     * @param body until the rest of it is
     * @param bytesPerSecond how fast an answer is taken at least, on the whole
     */
    record Patience(Duration head, Duration body, long bytesPerSecond) {
        static final Patience STANDARD = new Patience(Duration.ofSeconds(15), Duration.ofSeconds(60), 64 * 1024);
    }

    private ConnectionWatch(Patience patience) {
        this.patience = patience;
    }

    /** Until when a connection has time, and its requests that are not answered yet: HTTP/2 has several at once. */
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
    public static void over(Vertx vertx, HttpServer server, Handler<HttpServerRequest> handler) {
        over(vertx, server, handler, Patience.STANDARD);
    }

    static void over(Vertx vertx, HttpServer server, Handler<HttpServerRequest> handler, Patience patience) {
        ConnectionWatch watch = new ConnectionWatch(patience);
        server.connectionHandler(watch::opened).requestHandler(request -> {
            handler.handle(request);
            watch.asked(request);
        });
        vertx.setPeriodic(LOOK_MILLIS, timer -> watch.cut());
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
        HttpServerResponse response = request.response();
        if (response.ended() || response.closed()) {
            state.answered(response.bytesWritten());
            return;
        }
        state.until = System.nanoTime() + patience.body().toNanos();
        state.pending.add(request);
        response.endHandler(nothing -> {
            state.answered(response.bytesWritten());
            state.pending.remove(request);
        });
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
