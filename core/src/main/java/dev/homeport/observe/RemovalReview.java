package dev.homeport.observe;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * How far the removal of one item has come on one cluster.
 *
 * @param fetchedAt when the cluster was first given the answer without it
 * @param reason why it is still there, or why that is not known
 * @param source from where that is known
 */
public record RemovalReview(RemovedItem item, State state, Optional<Instant> fetchedAt, String reason, Source source) {

    /** Where it is. What the cluster has shown to be gone is not listed. */
    public enum State {
        /** The cluster has not fetched the answer without it. */
        PENDING,
        /** The cluster has not shown that it is gone. */
        REMOVING,
        /** Flux leaves it on the cluster on purpose. */
        KEPT,
        /** It is removed from the answer, and nothing shows whether it is gone from the cluster. */
        UNCONFIRMED;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
