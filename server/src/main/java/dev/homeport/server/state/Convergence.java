package dev.homeport.server.state;

import dev.homeport.observe.ClusterState;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/**
 * How long clusters take to follow a change. A cluster is behind from when a change is seen that it has not been given; where
 * further changes come before it has caught up, the first one counts. Used by one thread.
 */
public final class Convergence {
    /** How far a change has come on one cluster. */
    public enum Stage {
        SERVED,
        APPLIED,
        HEALTHY
    }

    /** Receives each stage that a cluster has reached. */
    public interface Watch {
        void reached(Stage stage, Duration after);
    }

    private final Map<String, Map<Stage, Instant>> waiting = new HashMap<>();
    private volatile Watch watch = (stage, after) -> {};

    public void watch(Watch next) {
        watch = next;
    }

    void look(Standing before, Standing next, Instant now) {
        if (next.state() == ClusterState.DETACHED) {
            forget(next.cluster());
            return;
        }
        if (before.behindSince() == null && next.behindSince() != null) {
            Map<Stage, Instant> since = waiting.computeIfAbsent(next.cluster(), cluster -> new EnumMap<>(Stage.class));
            since.putIfAbsent(Stage.SERVED, now);
            if (next.reporting()) {
                since.putIfAbsent(Stage.APPLIED, now);
                since.putIfAbsent(Stage.HEALTHY, now);
            }
        }
        Map<Stage, Instant> since = waiting.get(next.cluster());
        if (since != null && next.behindSince() == null) {
            reached(since, Stage.SERVED, now);
            if (next.applied()) {
                reached(since, Stage.APPLIED, now);
            }
            if (next.unconfirmedSince() == null) {
                reached(since, Stage.HEALTHY, now);
            }
            if (since.isEmpty()) {
                forget(next.cluster());
            }
        }
    }

    void forget(String cluster) {
        waiting.remove(cluster);
    }

    private void reached(Map<Stage, Instant> since, Stage stage, Instant now) {
        Instant began = since.remove(stage);
        if (began != null) {
            watch.reached(stage, Duration.between(began, now));
        }
    }
}
