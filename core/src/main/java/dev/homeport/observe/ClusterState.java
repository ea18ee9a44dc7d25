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
    /** Its answers are frozen. */
    PAUSED,
    /** It reported that a desired component fails. */
    FAILING,
    /** Its desired state was served, and not all of it is reported as running yet. */
    APPLYING,
    /** It was given an answer without something that it has not shown to be gone. */
    REMOVING,
    /** Its desired state has changed since its last poll. */
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
