package dev.homeport.fleet;

/** The record in the log that lets an answer be empty. */
public sealed interface Proof {
    /** The cluster never had an item of this type. */
    record SinceBirth(long revision) implements Proof {}

    /** A confirmed commit emptied it. */
    record Emptied(long revision) implements Proof {}

    /** The cluster was decommissioned. */
    record Decommissioned(long revision) implements Proof {}
}
