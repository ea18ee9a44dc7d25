package dev.homeport.sim;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** One simulated cluster. */
final class SimCluster {
    private final Identity identity;
    private final FluxEvents events;
    private final Map<String, Provider> providers = new TreeMap<>();

    /** Its components do not stay up, whatever they are. */
    boolean broken;

    /** The one that is down, empty while none is. */
    String brokenComponent = "";

    String brokenCause = "";

    final Watched witnesses = new Watched();

    long nextHeartbeat;

    /** What sets that look at objects have to know. */
    static final class Watched {
        List<WitnessSet> sets = List.of();

        /** Sets that have found a difference and said so. */
        final Set<String> waiting = new HashSet<>();

        /** Components that have not come up yet. */
        final Set<String> atWork = new HashSet<>();

        /** Components that are no longer wanted and still there. */
        final Map<String, SimItem> left = new TreeMap<>();
    }

    SimCluster(Identity identity, long resourceVersion) {
        this.identity = identity;
        this.events = new FluxEvents(identity, resourceVersion);
    }

    Identity identity() {
        return identity;
    }

    FluxEvents events() {
        return events;
    }

    /** By the plural of their type. */
    Map<String, Provider> providers() {
        return providers;
    }
}
