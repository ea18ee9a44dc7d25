package dev.homeport.server.http;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Cuts connections on which no request gets finished. An idle timeout does not do it: a byte now and then keeps a connection
 * busy for ever. One for each event loop, so nothing here is shared between threads.
 */
public final class ConnectionWatch {
    private static final long LOOK_MILLIS = 1000;
    private static final long HEAD_NANOS = Duration.ofSeconds(15).toNanos();
    private static final long BODY_NANOS = Duration.ofSeconds(60).toNanos();

    private final Map<HttpConnection, State> open = new HashMap<>();

    /** Since when a connection waits for a request, or has one that is not answered yet. */
    private static final class State {
        private long since = System.nanoTime();
        private @Nullable HttpServerRequest pending;
    }

    /** Watches a server's connections and requests; to be called on the event loop that serves them. */
    public static void over(Vertx vertx, HttpServer server, Handler<HttpServerRequest> handler) {
        ConnectionWatch watch = new ConnectionWatch();
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
        state.since = System.nanoTime();
        if (!request.response().ended() && !request.response().closed()) {
            state.pending = request;
            request.response().endHandler(nothing -> {
                state.since = System.nanoTime();
                state.pending = null;
            });
        }
    }

    private void cut() {
        long now = System.nanoTime();
        for (Map.Entry<HttpConnection, State> entry : new ArrayList<>(open.entrySet())) {
            State state = entry.getValue();
            long waited = now - state.since;
            boolean late =
                    state.pending == null ? waited > HEAD_NANOS : !state.pending.isEnded() && waited > BODY_NANOS;
            if (late) {
                entry.getKey().close();
            }
        }
    }
}
