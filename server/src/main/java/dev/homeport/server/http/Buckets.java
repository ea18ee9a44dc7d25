package dev.homeport.server.http;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Token buckets by key, each one number: the time at which the bucket is full again. */
public final class Buckets {
    static final int MOST_KEYS = 200_000;
    private static final long BETWEEN_SWEEPS = 1_000_000_000L;

    private final long interval;
    private final long burst;
    private final LongSupplier nanos;
    private final ConcurrentHashMap<String, AtomicLong> full = new ConcurrentHashMap<>();
    private final AtomicLong nextSweep;

    /**
     * @param perMinute how fast a bucket fills; 0 for no limit at all
     * @param burst how much it holds
     * @param nanos a clock that only goes forward
     */
    public Buckets(long perMinute, long burst, LongSupplier nanos) {
        this.interval = perMinute == 0 ? 0 : 60_000_000_000L / perMinute;
        this.burst = burst;
        this.nanos = nanos;
        this.nextSweep = new AtomicLong(nanos.getAsLong());
    }

    /** Takes one; false if the bucket is empty. */
    public boolean take(String key) {
        if (interval == 0) {
            return true;
        }
        long now = nanos.getAsLong();
        AtomicLong bucket = full.get(key);
        if (bucket == null) {
            if (full.size() >= MOST_KEYS) {
                sweep(now);
            }
            if (full.size() >= MOST_KEYS) {
                // A flood of new keys must not be able to shut out the known ones.
                return true;
            }
            bucket = full.computeIfAbsent(key, k -> new AtomicLong(now));
        }
        return takeFrom(bucket, now);
    }

    /** Not for each of a flood of keys: looking through all buckets takes longer than what is being slowed down. */
    private void sweep(long now) {
        long due = nextSweep.get();
        if (now - due >= 0 && nextSweep.compareAndSet(due, now + BETWEEN_SWEEPS)) {
            full.values().removeIf(other -> other.get() - now <= 0);
        }
    }

    int size() {
        return full.size();
    }

    private boolean takeFrom(AtomicLong bucket, long now) {
        while (true) {
            long before = bucket.get();
            long after = (before - now > 0 ? before : now) + interval;
            if (after - now > burst * interval) {
                return false;
            }
            if (bucket.compareAndSet(before, after)) {
                return true;
            }
        }
    }
}
