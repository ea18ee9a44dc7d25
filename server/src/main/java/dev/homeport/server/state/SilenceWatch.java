package dev.homeport.server.state;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Predicate;

/** Which clusters may have become silent, or may be back, without looking at all the others. */
final class SilenceWatch {
    private final PriorityQueue<Standing> due =
            new PriorityQueue<>(Comparator.comparing(standing -> Objects.requireNonNull(standing.silentFrom())));

    private final Map<String, Standing> latest = new HashMap<>();

    /** Silent, or something that weighs more. */
    private final Map<String, Standing> past = new HashMap<>();

    void looked(Standing standing, Instant now) {
        forget(standing.cluster());
        if (standing.silentFrom() == null) {
            return;
        }
        if (isUp(standing, now)) {
            past.put(standing.cluster(), standing);
        } else {
            latest.put(standing.cluster(), standing);
            due.add(standing);
        }
    }

    void forget(String cluster) {
        latest.remove(cluster);
        past.remove(cluster);
    }

    /** To be looked at now. */
    Set<String> due(Instant now, Predicate<Standing> hasPolledSince) {
        Set<String> clusters = new HashSet<>();
        for (Standing next = due.peek(); next != null && isUp(next, now); next = due.peek()) {
            due.remove();
            // One that was looked at again since has a later time further back.
            if (latest.get(next.cluster()) == next) {
                clusters.add(next.cluster());
            }
        }
        past.values().stream().filter(hasPolledSince).map(Standing::cluster).forEach(clusters::add);
        return clusters;
    }

    private static boolean isUp(Standing standing, Instant now) {
        Instant at = standing.silentFrom();
        return at != null && at.isBefore(now);
    }
}
