package dev.homeport.bench;

import java.util.Arrays;

/** A set of durations, sorted. */
public final class Percentiles {
    private static final double NANOS_PER_MILLI = 1e6;

    private final long[] sorted;

    public Percentiles(long[] nanos) {
        this.sorted = nanos.clone();
        Arrays.sort(sorted);
    }

    /** The smallest duration that at least this share of all does not exceed. */
    public double millis(double share) {
        int rank = (int) Math.ceil(share * sorted.length);
        return sorted[Math.max(0, rank - 1)] / NANOS_PER_MILLI;
    }
}
