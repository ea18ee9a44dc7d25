package dev.homeport.server.http;

import dev.homeport.api.ErrorCode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that all connections together may hold in memory for requests that are not answered yet, or for answers that are not
 * taken yet. One address, or the whole admin plane, gets at most half of them, so that it cannot block all others.
 */
public final class ByteBudget {
    private static final int LARGEST_SHARE = 2;

    private final long limit;
    private final String shortage;
    private final AtomicLong used = new AtomicLong();
    private final LongAdder refused = new LongAdder();
    private final InstantSource clock;
    private final Episode episode = new Episode();

    /** @param shortage the message for clients when all bytes are taken */
    ByteBudget(long limit, InstantSource clock, String shortage) {
        this.limit = limit;
        this.shortage = shortage;
        this.clock = clock;
    }

    /** The bytes that one address, or one plane, uses. */
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

        /** Takes this many although there may not be enough, for what cannot be refused any more. */
        synchronized void force(long bytes) {
            if (!closed) {
                give(share, taken - bytes);
                taken = bytes;
            }
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
        if (share != null && share.used.addAndGet(more) > limit / LARGEST_SHARE) {
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
        return ProblemReply.of(ErrorCode.UNAVAILABLE, shortage, "try again shortly", "")
                .with("Retry-After", "2");
    }

    public long limit() {
        return limit;
    }

    /** Whether a share is more than used up, by what could not be refused. */
    boolean isOverdrawn(Share share) {
        return share.used.get() > largest() && !refuse();
    }

    /** The most that one request or answer can hold. */
    public long largest() {
        return limit / LARGEST_SHARE;
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
