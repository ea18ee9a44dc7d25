package dev.homeport.server.http;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** Handling of connections that Vert.x does not have. */
@SuppressWarnings("FutureReturnValueIgnored") // fire and forget
public final class Connections {
    private static final AttributeKey<Boolean> DISCARDING = AttributeKey.valueOf(Connections.class, "discarding");
    private static final AttributeKey<Integer> REFUSAL = AttributeKey.valueOf(Connections.class, "refusal");
    private static final AttributeKey<int[]> PENDING = AttributeKey.valueOf(Connections.class, "pending");
    private static final AttributeKey<Duration> LINGER = AttributeKey.valueOf(Connections.class, "linger");

    private Connections() {}

    static Optional<Channel> channel(HttpConnection connection) {
        return connection instanceof ConnectionBase base
                ? Optional.of(base.channelHandlerContext().channel())
                : Optional.empty();
    }

    /** Now, whatever is still to be sent: Vert.x' own close waits until all of that was taken. */
    static void cut(HttpConnection connection) {
        channel(connection).ifPresentOrElse(Connections::cut, connection::close);
    }

    static void cut(Channel channel) {
        try {
            channel.eventLoop().execute(() -> channel.unsafe().close(channel.voidPromise()));
        } catch (RejectedExecutionException e) {
            // Its event loop has ended, and every connection with it.
        }
    }

    static void lingerFor(Channel channel, Duration time) {
        channel.attr(LINGER).set(time);
    }

    /**
     * Reads nothing more and closes the connection soon. Closing at once would reset it, and a client that still sends would
     * not see its answer.
     */
    static void endSoon(HttpConnection connection) {
        channel(connection).ifPresent(channel -> {
            channel.attr(DISCARDING).set(true);
            Duration time = channel.attr(LINGER).get();
            long millis = (time == null ? ConnectionTimeouts.STANDARD.linger() : time).toMillis();
            channel.eventLoop().schedule(() -> cut(channel), millis, TimeUnit.MILLISECONDS);
        });
    }

    /** Calls when the connection is closed, at once if it is. Only for few of the requests on a connection. */
    public static void whenClosed(HttpConnection connection, Runnable what) {
        channel(connection).ifPresent(channel -> channel.closeFuture().addListener(closed -> what.run()));
    }

    /** Whether what arrives is not looked at any more. */
    public static boolean isDiscarding(Channel channel) {
        return channel.hasAttr(DISCARDING)
                && Boolean.TRUE.equals(channel.attr(DISCARDING).get());
    }

    /** Notes that one more request was read; how many of them are not answered. To be called on the connection's loop. */
    public static int asked(Channel channel) {
        int[] pending = channel.attr(PENDING).get();
        if (pending == null) {
            pending = new int[1];
            channel.attr(PENDING).set(pending);
        }
        return ++pending[0];
    }

    static void answered(HttpConnection connection) {
        channel(connection).map(channel -> channel.attr(PENDING).get()).ifPresent(pending -> pending[0]--);
    }

    /** Notes with which status the request is refused that comes next on the connection. */
    public static void refuse(Channel channel, int status) {
        channel.attr(REFUSAL).set(status);
    }

    /** The status to refuse a malformed request with. */
    public static int refusal(HttpConnection connection) {
        return channel(connection).map(channel -> channel.attr(REFUSAL).get()).orElse(400);
    }
}
