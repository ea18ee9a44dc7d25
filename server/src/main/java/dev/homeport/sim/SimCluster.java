package dev.homeport.sim;

import java.util.Map;
import java.util.TreeMap;

/** One cluster that is not there. */
final class SimCluster {
    private final Identity identity;
    private final FluxEvents events;
    private final Map<String, Provider> providers = new TreeMap<>();

    /** Its components do not stay up, whatever they are. */
    boolean broken;

    long nextHeartbeat;

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
