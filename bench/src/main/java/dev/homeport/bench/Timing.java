package dev.homeport.bench;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;

/** Repeats something short for long enough to know what it costs. */
public final class Timing {
    private static final long WARM_UP = TimeUnit.SECONDS.toNanos(4);
    private static final long ROUND = TimeUnit.MILLISECONDS.toNanos(600);
    private static final int ROUNDS = 9;
    private static final int BETWEEN_LOOKS_AT_THE_CLOCK = 64;

    private static int sink;

    private Timing() {}

    /**
     * Nanoseconds for one call: the average of each round, and of the rounds the middle one, so that a burst of something else
     * on the machine does not count. The call is given a running number; what it returns keeps it from being dropped.
     */
    public static double nanosEach(IntUnaryOperator call) {
        average(call, WARM_UP);
        double[] rounds = new double[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            rounds[i] = average(call, ROUND);
        }
        Arrays.sort(rounds);
        return rounds[ROUNDS / 2];
    }

    private static double average(IntUnaryOperator call, long atLeast) {
        long start = System.nanoTime();
        int count = 0;
        long taken = 0;
        int kept = 0;
        while (taken < atLeast) {
            for (int i = 0; i < BETWEEN_LOOKS_AT_THE_CLOCK; i++) {
                kept ^= call.applyAsInt(count++);
            }
            taken = System.nanoTime() - start;
        }
        sink ^= kept;
        return (double) taken / count;
    }

    /** What was kept; never of interest, only never unused. */
    public static int sink() {
        return sink;
    }
}
