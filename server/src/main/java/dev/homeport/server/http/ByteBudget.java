package dev.homeport.server.http;

import dev.homeport.api.ErrorCode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that all connections together may hold in memory for requests that are not answered yet. One address gets at most half
 * of them, so that it cannot keep everybody else from sending.
 */
public final class ByteBudget {
    private static final int SHARE_OF_ONE_ADDRESS = 2;

    private final long limit;
    private final AtomicLong used = new AtomicLong();
    private final LongAdder refused = new LongAdder();
    private final InstantSource clock;
    private final Episode episode = new Episode();

    public ByteBudget(long limit, InstantSource clock) {
        this.limit = limit;
        this.clock = clock;
    }

    /** What one address uses. */
    static final class Share {
        private final AtomicLong used = new AtomicLong();
    }

    /** Bytes taken for one request or connection. Safe for use by several threads. */
    public final class Lease implements AutoCloseable {
        private final @Nullable Share share;
        private long taken;
        private boolean closed;

        private Lease(@Nullable Share share) {
            this.share = share;
        }

        /** Takes more or gives back until this many are taken; false, and unchanged, when there are not enough. */
        public synchronized boolean resize(long bytes) {
            long more = bytes - taken;
            if (more == 0) {
                return true;
            }
            if (closed || more > 0 && !take(share, more)) {
                return false;
            }
            if (more < 0) {
                give(share, -more);
            }
            taken = bytes;
            return true;
        }

        @Override
        public synchronized void close() {
            closed = true;
            give(share, taken);
            taken = 0;
        }
    }

    Lease lease(@Nullable Share share) {
        return new Lease(share);
    }

    private boolean take(@Nullable Share share, long more) {
        if (used.addAndGet(more) > limit) {
            used.addAndGet(-more);
            return refuse();
        }
        if (share != null && share.used.addAndGet(more) > limit / SHARE_OF_ONE_ADDRESS) {
            give(share, more);
            return refuse();
        }
        return true;
    }

    private boolean refuse() {
        refused.increment();
        episode.note(clock.instant(), "");
        return false;
    }

    private void give(@Nullable Share share, long bytes) {
        used.addAndGet(-bytes);
        if (share != null) {
            share.used.addAndGet(-bytes);
        }
    }

    /** The answer to a request that does not fit now. */
    public Reply exhausted() {
        return ProblemReply.of(
                        ErrorCode.UNAVAILABLE,
                        "the server is receiving more requests than fit into its memory limit",
                        "try again shortly",
                        "")
                .with("Retry-After", "2");
    }

    public long limit() {
        return limit;
    }

    /** The most that one request can hold. */
    public long largest() {
        return limit / SHARE_OF_ONE_ADDRESS;
    }

    public long used() {
        return used.get();
    }

    /** Since when there was not enough, if that is not long ago. */
    public Optional<Instant> exhaustedSince(Instant now) {
        return episode.lately(now).map(Episode.Reached::since);
    }

    public long refused() {
        return refused.sum();
    }
}
