package dev.homeport.write;

import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.Cluster;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.fleet.Tiers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which clusters a draft takes the protection from: by their own documents, by moving them, or by what it does to the order of
 * the environments.
 */
final class Protection {
    private Protection() {}

    /** Ids in order. What cannot be read before may have been protected. */
    static List<String> lost(Draft draft, Map<DocumentKey, Optional<Document>> changes) {
        boolean reordered = changes.keySet().stream().anyMatch(key -> key.type().equals(Types.ENVIRONMENT));
        List<Document> clusters = new ArrayList<>();
        if (reordered) {
            draft.before().all(Types.CLUSTER).values().forEach(clusters::add);
        } else {
            changes.keySet().stream()
                    .filter(key -> key.type().equals(Types.CLUSTER))
                    .flatMap(key -> draft.before().find(key).stream())
                    .forEach(clusters::add);
        }
        if (clusters.isEmpty()) {
            return List.of();
        }
        Tiers before = new Tiers(draft.before().all(Types.ENVIRONMENT).values());
        Tiers after = reordered ? new Tiers(environments(draft, changes)) : before;
        return clusters.stream()
                .filter(cluster -> isProtected(before, cluster))
                .filter(cluster -> draft.find(cluster.key())
                        .filter(now -> now.fault().isEmpty() && !after.isProtected(Cluster.of(now)))
                        .isPresent())
                .map(Document::id)
                .filter(id -> !isLeaving(draft, id))
                .toList();
    }

    private static boolean isProtected(Tiers tiers, Document cluster) {
        return cluster.fault().isPresent() || tiers.isProtected(Cluster.of(cluster));
    }

    /** Nothing on it needs protection any more. */
    private static boolean isLeaving(Draft draft, String cluster) {
        return ClusterLife.ifReadable(draft.before().document(Types.CLUSTER_LIFE, cluster))
                .filter(life -> life.phase() == ClusterLife.Phase.LEAVING)
                .isPresent();
    }

    private static List<Document> environments(Draft draft, Map<DocumentKey, Optional<Document>> changes) {
        List<Document> environments = new ArrayList<>();
        draft.before().all(Types.ENVIRONMENT).values().forEach(environment -> {
            if (!changes.containsKey(environment.key())) {
                environments.add(environment);
            }
        });
        changes.forEach((key, after) -> {
            if (key.type().equals(Types.ENVIRONMENT)) {
                after.ifPresent(environments::add);
            }
        });
        return environments;
    }
}
