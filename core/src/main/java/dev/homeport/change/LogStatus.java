package dev.homeport.change;

import java.time.Duration;
import java.util.Optional;

/**
 * The end of the log, and what the store says about itself, read together.
 *
 * @param quarantine why nothing may be served or written until an operator accepts the store
 * @param acceptedEpoch the epoch that an operator accepted last; 0 when that never happened
 * @param replicaAge when a replica was read: how long ago it was equal to its primary
 */
public record LogStatus(Head head, Optional<String> quarantine, long acceptedEpoch, Optional<Duration> replicaAge) {

    /** Whether an operator has accepted the epoch that the log is in. */
    public boolean isAccepted() {
        return acceptedEpoch == head.epoch();
    }

    public boolean isReplica() {
        return replicaAge.isPresent();
    }

    /** How long ago this was the end of the log. */
    public Duration age() {
        return replicaAge.orElse(Duration.ZERO);
    }
}
