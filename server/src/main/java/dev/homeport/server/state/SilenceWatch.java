package dev.homeport.server.state;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/** Which clusters may have become silent, without looking at all the others. */
final class SilenceWatch {
    /** For one that could not be looked at. */
    private static final Duration RETRY = Duration.ofMinutes(1);

    private final PriorityQueue<Turn> turns = new PriorityQueue<>(Comparator.comparing(Turn::at));

    /** The earliest turn of each cluster; looking at it often must not make more of them. */
    private final Map<String, Instant> next = new HashMap<>();

    private final Map<String, Standing> talking = new HashMap<>();

    /** When to think of a cluster again. */
    private record Turn(Instant at, String cluster) {}

    /** Returns whether its time is up: it is silent, or something that weighs more. */
    boolean looked(Standing standing, Instant now) {
        Instant silentFrom = standing.silentFrom();
        boolean up = silentFrom != null && silentFrom.isBefore(now);
        if (silentFrom == null || up) {
            forget(standing.cluster());
        } else {
            talking.put(standing.cluster(), standing);
            plan(standing.cluster(), silentFrom);
        }
        return up;
    }

    void forget(String cluster) {
        talking.remove(cluster);
    }

    /** To be looked at now. */
    Set<String> due(Instant now) {
        Set<String> clusters = new HashSet<>();
        for (Turn turn = turns.peek(); turn != null && turn.at.isBefore(now); turn = turns.peek()) {
            turns.remove();
            next.remove(turn.cluster, turn.at);
            Standing standing = talking.get(turn.cluster);
            Instant silentFrom = standing == null ? null : standing.silentFrom();
            if (silentFrom != null) {
                boolean up = silentFrom.isBefore(now);
                if (up) {
                    clusters.add(turn.cluster);
                }
                plan(turn.cluster, up ? now.plus(RETRY) : silentFrom);
            }
        }
        return clusters;
    }

    private void plan(String cluster, Instant at) {
        Instant known = next.get(cluster);
        if (known == null || at.isBefore(known)) {
            next.put(cluster, at);
            turns.add(new Turn(at, cluster));
        }
    }

    /** How many turns are planned. */
    int turns() {
        return turns.size();
    }
}
