package dev.homeport.sim;

/** How long things took, in steps of about five per cent. */
final class Latencies {
    private static final double STEP = Math.log(1.05);
    private static final int BUCKETS = 512;

    private final long[] counts = new long[BUCKETS];
    private long all;

    void add(long nanos) {
        int bucket = (int) (Math.log(Math.max(1.0, nanos / 1e3)) / STEP);
        counts[Math.min(bucket, BUCKETS - 1)]++;
        all++;
    }

    /** The time, in milliseconds, within which this share of them was done. */
    double within(double share) {
        long wanted = (long) Math.ceil(share * all);
        long seen = 0;
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            seen += counts[bucket];
            if (seen >= wanted && seen > 0) {
                return Math.exp((bucket + 1) * STEP) / 1e3;
            }
        }
        return 0;
    }
}
