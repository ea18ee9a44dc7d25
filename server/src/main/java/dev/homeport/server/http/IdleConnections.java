package dev.homeport.server.http;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Connections without a request, the one that has waited longest first. For several event loops together. */
public final class IdleConnections {
    private static final AttributeKey<Long> TURN = AttributeKey.valueOf(IdleConnections.class, "turn");

    private final AtomicLong turns = new AtomicLong();
    private final ConcurrentSkipListMap<Long, Channel> waiting = new ConcurrentSkipListMap<>();

    /** The connection waits for a request from now on. */
    public void add(Channel channel) {
        long turn = turns.incrementAndGet();
        forget(channel.attr(TURN).getAndSet(turn));
        waiting.put(turn, channel);
        if (!channel.isOpen()) {
            waiting.remove(turn);
        }
    }

    /** It has a request, or is closed. */
    public void remove(Channel channel) {
        forget(channel.attr(TURN).getAndSet(null));
    }

    private void forget(@Nullable Long turn) {
        if (turn != null) {
            waiting.remove(turn);
        }
    }

    /** Closes one to make room for a new connection; false when all have requests. */
    public boolean evictOne() {
        for (Map.Entry<Long, Channel> oldest : waiting.entrySet()) {
            Channel channel = oldest.getValue();
            // One that is not registered yet belongs to no thread that could close it.
            if (channel.isOpen() && channel.isRegistered() && waiting.remove(oldest.getKey(), channel)) {
                // Its place is free at once, although its event loop takes a moment to close it.
                ConnectionSlot.of(channel).ifPresent(ConnectionSlot::close);
                Connections.cut(channel);
                return true;
            }
        }
        return false;
    }
}
