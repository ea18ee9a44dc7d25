package dev.homeport.snapshot;

import java.time.Instant;

/** Whether what is in memory may be served. */
public sealed interface FollowerState {
    /** Memory was equal to the end of the log at that time. */
    record Following(Instant confirmedAt) implements FollowerState {}

    /** The log went backwards or became another one. Nothing is served and nothing written until an operator accepts. */
    record Quarantined(String reason) implements FollowerState {}
}
