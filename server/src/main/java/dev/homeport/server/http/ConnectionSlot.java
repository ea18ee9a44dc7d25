package dev.homeport.server.http;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The place of one open connection among those that are allowed. It is closed with the connection; closing it twice does no harm. */
public final class ConnectionSlot implements AutoCloseable {
    private static final AttributeKey<ConnectionSlot> KEY = AttributeKey.valueOf(ConnectionSlot.class, "slot");

    private final ConnectionLimits.Plane plane;
    private @Nullable String origin;
    private boolean closed;

    ConnectionSlot(ConnectionLimits.Plane plane, @Nullable String origin) {
        this.plane = plane;
        this.origin = origin;
    }

    /** From now on the slot is the channel's, and is closed with it. */
    public void attach(Channel channel) {
        channel.attr(KEY).set(this);
        channel.closeFuture().addListener(gone -> close());
    }

    public static Optional<ConnectionSlot> of(Channel channel) {
        return Optional.ofNullable(channel.attr(KEY).get());
    }

    /** Counts the connection for the address that a proxy speaks for; false when that one has too many. */
    public synchronized boolean rename(String address) {
        if (closed) {
            return false;
        }
        Optional<String> named = plane.rename(origin, address);
        named.ifPresent(key -> origin = key);
        return named.isPresent();
    }

    /** Bytes for this connection, to be closed by the caller. */
    public synchronized ByteBudget.Lease lease() {
        return plane.lease(origin);
    }

    ConnectionLimits.Plane plane() {
        return plane;
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            plane.left(origin);
        }
    }
}
