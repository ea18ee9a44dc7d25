package dev.homeport.server.poll.wire;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What the connections of one event loop share. Used on that loop alone. */
final class Loop {
    final RequestHead head = new RequestHead();

    /** Where heads are read from: a little more than the longest, and room for empty lines before it. */
    final byte[] scratch = new byte[RequestHead.MAX_BYTES + 64];

    /** Where the first bytes of a connection are read to. */
    final ByteBuffer direct = ByteBuffer.allocateDirect(2048);

    final ByteBufAllocator allocator = PooledByteBufAllocator.DEFAULT;

    private final List<PollConnection> open = new ArrayList<>();
    private boolean draining;

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

    private void each(Consumer<PollConnection> what) {
        List.copyOf(open).forEach(what);
    }
}
