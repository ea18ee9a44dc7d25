package dev.homeport.observe;

import java.util.Locale;

/** From where something about a cluster is known. */
public enum Source {
    /** Flux said so when it happened. */
    EVENT,
    /** The cluster was asked to look, and said so. */
    WITNESS,
    /** The cluster was given an answer. */
    POLL;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
