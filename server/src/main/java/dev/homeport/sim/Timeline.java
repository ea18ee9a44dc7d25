package dev.homeport.sim;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** How many requests were answered and how many were not, by the tenth of a second in which they were sent. */
public final class Timeline {
    private static final long SLOT = Duration.ofMillis(100).toNanos();

    private final long begun;
    private final int[] answered;
    private final int[] failed;

    private Timeline(long begun, int[] answered, int[] failed) {
        this.begun = begun;
        this.answered = answered;
        this.failed = failed;
    }

    /** A span of {@link System#nanoTime}. */
    public record Span(long from, long to) {}

    /** The share of requests sent outside the spans that was answered. */
    public double answeredOutside(List<Span> spans) {
        long good = 0;
        long bad = 0;
        for (int slot = 0; slot < answered.length; slot++) {
            long from = begun + slot * SLOT;
            if (spans.stream().noneMatch(span -> from + SLOT > span.from() && from < span.to())) {
                good += answered[slot];
                bad += failed[slot];
            }
        }
        return good + bad == 0 ? 1 : (double) good / (good + bad);
    }

    /** Counts while a simulation runs. */
    static final class Counting {
        private final long begun = System.nanoTime();
        private int[] answered = new int[1200];
        private int[] failed = new int[1200];
        private int slots;

        void add(long sent, boolean wasAnswered) {
            int slot = (int) Math.max(0, (sent - begun) / SLOT);
            if (slot >= answered.length) {
                answered = Arrays.copyOf(answered, slot * 2);
                failed = Arrays.copyOf(failed, slot * 2);
            }
            slots = Math.max(slots, slot + 1);
            (wasAnswered ? answered : failed)[slot]++;
        }

        Timeline soFar() {
            return new Timeline(begun, Arrays.copyOf(answered, slots), Arrays.copyOf(failed, slots));
        }
    }
}
