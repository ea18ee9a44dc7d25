package dev.homeport.write;

import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.Cluster;
import dev.homeport.fleet.Tiers;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Clusters that a change takes out of the cluster list, or out of the list of a workspace, an environment or a label. A
 * management cluster deletes clusters by those lists, so a lost row counts like a lost item.
 */
final class ClusterListLosses {
    private ClusterListLosses() {}

    /** @param allowed how many clusters may leave a list by an edit without a confirmation */
    static List<String> guards(Draft draft, long allowed) {
        Tiers tiers = new Tiers(draft.before().all(Types.ENVIRONMENT).values());
        List<DocumentKey> unreadable = new ArrayList<>();
        List<DocumentKey> removed = new ArrayList<>();
        List<DocumentKey> moved = new ArrayList<>();
        List<DocumentKey> movedProtected = new ArrayList<>();
        draft.changes().forEach((key, after) -> {
            Document before =
                    key.type().equals(Types.CLUSTER) ? draft.before().find(key).orElse(null) : null;
            if (before == null) {
                return;
            }
            if (before.fault().isPresent()) {
                unreadable.add(key);
            } else if (after.isEmpty()) {
                removed.add(key);
            } else if (leavesAList(Cluster.of(before), Cluster.of(after.get()))) {
                (tiers.isProtected(Cluster.of(before)) ? movedProtected : moved).add(key);
            }
        });
        List<String> tripped = new ArrayList<>();
        unreadable.stream()
                .findFirst()
                .ifPresent(
                        key -> tripped.add(key + " cannot be read, so the cluster lists that it leaves are unknown"));
        removed.stream().findFirst().ifPresent(key -> tripped.add(key + " leaves the cluster list"));
        movedProtected.stream()
                .findFirst()
                .ifPresent(key -> tripped.add(
                        key + " is protected and leaves the cluster list of its workspace, environment or label"));
        if (moved.size() > allowed) {
            tripped.add(moved.size()
                    + " clusters leave the cluster list of their workspace, environment or label, more than the "
                    + allowed + " that need no confirmation");
        }
        return tripped;
    }

    private static boolean leavesAList(Cluster before, Cluster after) {
        return !before.environment().equals(after.environment())
                || before.workspace() != null && !Objects.equals(before.workspace(), after.workspace())
                || !after.labels().entrySet().containsAll(before.labels().entrySet());
    }
}
