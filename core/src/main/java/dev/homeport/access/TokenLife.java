package dev.homeport.access;

import dev.homeport.document.Document;
import dev.homeport.document.Types;
import dev.homeport.fleet.FleetView;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether a token works: it ends with its own end and with that of every token and sign-in that it comes from. */
public final class TokenLife {
    /** A chain of tokens that is longer is not made, and one that was brought in from elsewhere does not work. */
    public static final int MOST_ANCESTORS = 16;

    private TokenLife() {}

    public static boolean isLive(FleetView view, Document token, Instant now) {
        // Every poll asks this, and a cluster's token comes from no other.
        if (token.fault().isEmpty() && StoredToken.of(token).parents().isEmpty()) {
            return isLiveItself(view, token, now);
        }
        return lineage(view, token)
                .filter(all -> all.values().stream().allMatch(one -> isLiveItself(view, one, now)))
                .isPresent();
    }

    /** When it ends at the latest, if ever. A token that does not work has ended at the beginning of time. */
    public static Optional<Instant> end(FleetView view, Document token) {
        Map<String, Document> all = lineage(view, token).orElse(null);
        if (all == null) {
            return Optional.of(Instant.MIN);
        }
        return all.values().stream()
                .map(one -> StoredToken.of(one).expiresAt())
                .filter(end -> end != null)
                .min(Instant::compareTo);
    }

    /** How many tokens it comes from; more than allowed when one of them is missing. */
    public static int ancestors(FleetView view, Document token) {
        return lineage(view, token).map(all -> all.size() - 1).orElse(MOST_ANCESTORS + 1);
    }

    /** The token and all that it comes from; nothing when one is missing, unreadable or of a later time. */
    private static Optional<Map<String, Document>> lineage(FleetView view, Document token) {
        Map<String, Document> all = new HashMap<>();
        Deque<Document> open = new ArrayDeque<>();
        open.add(token);
        while (!open.isEmpty()) {
            Document one = open.remove();
            if (one.fault().isPresent() || all.size() > MOST_ANCESTORS) {
                return Optional.empty();
            }
            all.put(one.id(), one);
            for (String id : StoredToken.of(one).parents()) {
                @Nullable Document parent = all.containsKey(id) ? one : view.document(Types.TOKEN, id);
                if (parent == null
                        || parent.created().revision() > one.created().revision()) {
                    return Optional.empty();
                }
                if (!all.containsKey(id)) {
                    open.add(parent);
                }
            }
        }
        return Optional.of(all);
    }

    private static boolean isLiveItself(FleetView view, Document document, Instant now) {
        StoredToken token = StoredToken.of(document);
        boolean signedIn = token.signIn()
                .map(signIn -> !SignOuts.isEnded(view, token.madeBy(), signIn))
                .orElse(true);
        return token.isLive(now) && signedIn && subjectLives(view, document, token);
    }

    /** A cluster's token, and one to join with, does not outlive the cluster, and is worth nothing to a later one of the same id. */
    private static boolean subjectLives(FleetView view, Document document, StoredToken token) {
        if (!token.isForCluster()) {
            return true;
        }
        Document cluster = view.document(Types.CLUSTER, token.subject());
        return cluster != null
                && cluster.created().revision() <= document.created().revision();
    }
}
