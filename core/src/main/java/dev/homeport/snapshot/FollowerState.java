package dev.homeport.snapshot;

/** Whether what is in memory may be served. */
public sealed interface FollowerState {
    /**
     * Memory was equal to the end of the log at that time.
     *
     * @param confirmedAt in nanoseconds of the follower's ticker, which mean nothing outside this process
     */
    record Following(long confirmedAt) implements FollowerState {}

    /** The log went backwards or became another one. Nothing is served and nothing written until an operator accepts. */
    record Quarantined(String reason) implements FollowerState {}
}
