package dev.homeport.observe;

import java.util.Locale;
import java.util.Optional;

/** How a cluster is, exactly one of these: the first that is true. */
public enum ClusterState {
    /** No longer managed. */
    DETACHED,
    /** Decommissioned, and being emptied. */
    LEAVING,
    /** It has never polled. */
    NEW,
    /** It has not polled for three intervals. */
    SILENT,
    /** Somebody holds its answers as they are. */
    PAUSED,
    /** It reported that something it shall run does not. */
    FAILING,
    /** It was given what it shall run, and has not reported all of it as running. */
    APPLYING,
    /** It was given an answer without something that it has not shown to be gone. */
    REMOVING,
    /** What it shall run has changed since it last polled. */
    PENDING,
    /** It has reported all desired components as running, and shown that all removed ones are gone. */
    IN_SYNC;

    /** As it is written everywhere: {@code in-sync}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static Optional<ClusterState> of(String word) {
        for (ClusterState state : values()) {
            if (state.word().equals(word)) {
                return Optional.of(state);
            }
        }
        return Optional.empty();
    }
}
