package dev.homeport.sim;

import java.time.Duration;
import java.util.Map;

/**
 * What a simulation has counted so far.
 *
 * @param measured of the time and the polls, those after the warm-up: rate, latencies and lag are of these
 * @param statuses answers by status; 0: none came
 * @param faults answers that Flux would refuse, by what is wrong with them
 * @param held sets that stayed as they were because a check of their template failed, by check
 * @param older answers of an earlier revision than the cluster had seen
 * @param unmarked answers that do not say of which revision they are
 * @param witnessed events of sets that found an object other than Homeport knew it
 * @param deletions what left an inventory, and of that what Flux would not delete
 */
public record Figures(
        int clusters,
        int providers,
        Duration time,
        long polls,
        Measured measured,
        Map<Integer, Long> statuses,
        Map<String, Long> faults,
        Map<String, Long> held,
        long older,
        long unmarked,
        long added,
        long changed,
        long deletions,
        long kept,
        Events events,
        long witnessed) {

    /** Counters of the events that were sent. */
    public record Events(long sent, long accepted, long refused, long lost) {}

    public long answered() {
        return statuses.entrySet().stream()
                .filter(status -> status.getKey() / 100 == 2)
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /**
     * How fast it went.
     *
     * @param lag how far polls were behind their time at worst; more than the interval: this machine cannot keep up
     */
    public record Measured(Duration time, long polls, double medianMillis, double p99Millis, Duration lag) {
        public double rate() {
            return time.isZero() ? 0 : polls / (time.toNanos() / 1e9);
        }
    }
}
