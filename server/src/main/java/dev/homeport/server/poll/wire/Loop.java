package dev.homeport.server.poll.wire;

import dev.homeport.server.liveness.LoopHealth;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the connections of one event loop share. Used on that loop alone. */
final class Loop {
    private static final Logger LOG = LoggerFactory.getLogger(Loop.class);

    final RequestHead head = new RequestHead();

    /** Where heads are read from: a little more than the longest, and room for empty lines before it. */
    final byte[] scratch = new byte[RequestHead.MAX_BYTES + 64];

    /** Where the first bytes of a connection are read to. */
    final ByteBuffer direct = ByteBuffer.allocateDirect(2048);

    final ByteBufAllocator allocator = PooledByteBufAllocator.DEFAULT;

    private final List<PollConnection> open = new ArrayList<>();
    private boolean draining;
    private volatile @Nullable LoopHealth health;

    void add(PollConnection connection) {
        connection.place = open.size();
        open.add(connection);
    }

    /** The last one takes its place. */
    void remove(PollConnection connection) {
        PollConnection last = open.removeLast();
        if (last != connection) {
            last.place = connection.place;
            open.set(connection.place, last);
        }
    }

    void cutLate() {
        long now = System.nanoTime();
        each(connection -> connection.cutIfLate(now));
    }

    /** From now on every connection ends with the answer to the request that has begun on it. */
    void drain() {
        draining = true;
        each(PollConnection::closeIfIdle);
    }

    boolean draining() {
        return draining;
    }

    boolean isEmpty() {
        return open.isEmpty();
    }

    void watchedBy(LoopHealth watcher) {
        health = watcher;
    }

    /** Nothing that fails may end the loop, or the timer that calls this. */
    void failed(Throwable failure) {
        LoopHealth watcher = health;
        if (watcher == null) {
            LOG.error("a poll loop failed and goes on", failure);
        } else {
            watcher.failed(failure);
        }
    }

    /** A connection that fails does not keep the others from it. */
    private void each(Consumer<PollConnection> what) {
        for (PollConnection connection : List.copyOf(open)) {
            try {
                what.accept(connection);
            } catch (Throwable e) {
                failed(e);
            }
        }
    }
}
