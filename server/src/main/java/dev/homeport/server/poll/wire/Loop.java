package dev.homeport.server.poll.wire;

import dev.homeport.server.liveness.LoopHealth;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the connections of one event loop share. Used on that loop alone. */
final class Loop {
    private static final Logger LOG = LoggerFactory.getLogger(Loop.class);

    /** How many connections are compared to find one that can be closed: all would take too long in a flood. */
    private static final int COMPARED = 16;

    final RequestHead head = new RequestHead();

    /** Where heads are read from: a little more than the longest, and room for empty lines before it. */
    final byte[] scratch = new byte[RequestHead.MAX_BYTES + 64];

    /** Where the first bytes of a connection are read to. */
    final ByteBuffer direct = ByteBuffer.allocateDirect(2048);

    final ByteBufAllocator allocator = PooledByteBufAllocator.DEFAULT;

    private final List<PollConnection> open = new ArrayList<>();
    private boolean draining;
    private volatile @Nullable LoopHealth health;
    private int looked;

    /** Made once, as it is asked for with each new connection. */
    final BooleanSupplier makeRoom = this::makeRoom;

    private final LoopGroup group;

    /** Read by other loops. */
    private volatile int size;

    Loop(LoopGroup group) {
        this.group = group;
    }

    int size() {
        return size;
    }

    void add(PollConnection connection) {
        connection.place = open.size();
        open.add(connection);
        size = open.size();
    }

    /** The last one takes its place. */
    void remove(PollConnection connection) {
        PollConnection last = open.removeLast();
        if (last != connection) {
            last.place = connection.place;
            open.set(connection.place, last);
        }
        size = open.size();
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

    /** Connections are not spread evenly, so a loop with few of them does not close those. */
    private boolean makeRoom() {
        return !group.hasItsShare(this) && group.askAnother(this) || evictOne();
    }

    /** Closes the connection that is missed least, preferably one without a request; false when all are being served. */
    boolean evictOne() {
        PollConnection least = null;
        for (int i = Math.min(COMPARED, open.size()); i > 0; i--) {
            looked = looked + 1 < open.size() ? looked + 1 : 0;
            PollConnection next = open.get(looked);
            if (next.canBeEvicted() && (least == null || next.isMissedLessThan(least))) {
                least = next;
            }
        }
        if (least == null) {
            return false;
        }
        least.cut();
        return true;
    }

    /** One that fails does not keep the others from their turn. */
    private void each(Consumer<PollConnection> what) {
        // From the end, because a connection that is closed is replaced by the last one, which had its turn.
        for (int i = open.size() - 1; i >= 0; i--) {
            try {
                if (i < open.size()) {
                    what.accept(open.get(i));
                }
            } catch (Throwable e) {
                failed(e);
            }
        }
    }
}
