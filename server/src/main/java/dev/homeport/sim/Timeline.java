package dev.homeport.sim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** How many requests were answered, by the tenth of a second in which they were sent, and from when to when others failed. */
public final class Timeline {
    private static final long SLOT = Duration.ofMillis(100).toNanos();

    private final long begun;
    private final int[] answered;
    private final List<Span> failed;

    private Timeline(long begun, int[] answered, List<Span> failed) {
        this.begun = begun;
        this.answered = answered;
        this.failed = failed;
    }

    /** A span of {@link System#nanoTime}. */
    public record Span(long from, long to) {
        boolean meets(Span other) {
            return to >= other.from && from <= other.to;
        }
    }

    /** Of the requests that were under way at no time of these spans, the share that was answered. */
    public double answeredOutside(List<Span> spans) {
        long good = 0;
        for (int slot = 0; slot < answered.length; slot++) {
            Span sent = new Span(begun + slot * SLOT, begun + (slot + 1) * SLOT);
            good += spans.stream().noneMatch(sent::meets) ? answered[slot] : 0;
        }
        long bad = failed.stream()
                .filter(request -> spans.stream().noneMatch(request::meets))
                .count();
        return good + bad == 0 ? 1 : (double) good / (good + bad);
    }

    /** Counts while a simulation runs. */
    static final class Counting {
        private final long begun = System.nanoTime();
        private final List<Span> failed = new ArrayList<>();
        private int[] answered = new int[1200];
        private int slots;

        void answered(long sent) {
            int slot = (int) Math.max(0, (sent - begun) / SLOT);
            if (slot >= answered.length) {
                answered = Arrays.copyOf(answered, slot * 2);
            }
            slots = Math.max(slots, slot + 1);
            answered[slot]++;
        }

        void failed(long sent, long ended) {
            failed.add(new Span(sent, ended));
        }

        Timeline soFar() {
            return new Timeline(begun, Arrays.copyOf(answered, slots), List.copyOf(failed));
        }
    }
}
