package dev.homeport.write;

import dev.homeport.access.AccessKeys;
import dev.homeport.access.Powers;
import dev.homeport.api.ErrorCode;
import dev.homeport.document.Body;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.Cluster;
import dev.homeport.problem.ProblemException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A cluster that moves to another workspace leaves the grants on it behind, and unused join tokens: people of
 * the workspace that it leaves gave them, and those of the other one do not know of them.
 */
final class MovedClusters {
    private MovedClusters() {}

    static void leaveRightsBehind(Draft draft, Powers powers) {
        Map<DocumentKey, Optional<Document>> changes = draft.changes();
        for (DocumentKey key : changes.keySet()) {
            if (key.type().equals(Types.CLUSTER) && moves(draft.before().find(key), draft.find(key))) {
                if (!powers.isPlatformAdmin()) {
                    refuseNewGrants(key, changes);
                }
                leaveRightsBehind(key.id(), changes, draft);
            }
        }
    }

    private static boolean moves(Optional<Document> before, Optional<Document> after) {
        return before.isPresent()
                && after.isPresent()
                && before.get().fault().isEmpty()
                && !Objects.equals(
                        Cluster.of(before.get()).workspace(),
                        Cluster.of(after.get()).workspace());
    }

    private static void leaveRightsBehind(String cluster, Map<DocumentKey, Optional<Document>> changes, Draft draft) {
        for (DocumentKey grant : draft.before().users(AccessKeys.grantsOnCluster(cluster))) {
            if (!changes.containsKey(grant)) {
                draft.removeAlong(grant);
            }
        }
        for (DocumentKey token : draft.before().users(AccessKeys.joinTokensOfCluster(cluster))) {
            draft.find(token)
                    .ifPresent(document ->
                            draft.putAlong(token, Body.of(document.tree().put("revoked", true))));
        }
    }

    /** It would be judged by the workspace that the cluster leaves, and hold in the other one. */
    private static void refuseNewGrants(DocumentKey cluster, Map<DocumentKey, Optional<Document>> changes) {
        String on = AccessKeys.grantsOnCluster(cluster.id());
        changes.values().stream()
                .flatMap(Optional::stream)
                .filter(document -> document.type().equals(Types.ACCESS_GRANT))
                .filter(document -> AccessKeys.of(document).contains(on))
                .findFirst()
                .ifPresent(grant -> {
                    throw ProblemException.refused(
                            ErrorCode.FORBIDDEN,
                            grant.key() + " is on " + cluster + ", which this change moves to another workspace",
                            "move the cluster first, then grant",
                            List.of(grant.key().toString()));
                });
    }
}
