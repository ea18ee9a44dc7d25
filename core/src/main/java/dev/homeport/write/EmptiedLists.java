package dev.homeport.write;

import dev.homeport.access.Place;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.Cluster;
import dev.homeport.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Cluster lists that have rows now and none after a change: of the fleet, of an environment, of a workspace, and of a workspace
 * in an environment. Lists by label are left out, because an empty one is never served.
 */
final class EmptiedLists {
    private EmptiedLists() {}

    /** Of lists within each other only the widest, because that the narrower ones become empty follows. */
    static List<Place> by(Snapshot before, Map<DocumentKey, Optional<Document>> changes) {
        Set<Place> left = new LinkedHashSet<>();
        Set<Place> filled = new LinkedHashSet<>();
        changes.forEach((key, after) -> {
            if (key.type().equals(Types.CLUSTER)) {
                before.find(key).ifPresent(document -> left.addAll(lists(document)));
                after.ifPresent(document -> filled.addAll(lists(document)));
            }
        });
        left.removeAll(filled);
        left.removeIf(list -> keepsRows(before, changes, list));
        List<Place> widest = new ArrayList<>();
        for (Place list : left) {
            if (wider(list).stream().noneMatch(left::contains)) {
                widest.add(list);
            }
        }
        return widest;
    }

    /** Which other lists a document belongs to that cannot be read is not known: {@link ClusterListLosses} asks for that. */
    private static List<Place> lists(Document document) {
        if (document.fault().isPresent()) {
            return List.of(Place.FLEET);
        }
        Cluster cluster = Cluster.of(document);
        List<Place> lists = new ArrayList<>();
        lists.add(Place.FLEET);
        lists.add(list(null, cluster.environment()));
        if (cluster.workspace() != null) {
            lists.add(list(cluster.workspace(), null));
            lists.add(list(cluster.workspace(), cluster.environment()));
        }
        return lists;
    }

    private static Place list(@Nullable String workspace, @Nullable String environment) {
        return new Place(null, workspace, environment == null ? null : Set.of(environment));
    }

    private static List<Place> wider(Place list) {
        List<Place> wider = new ArrayList<>();
        if (!list.equals(Place.FLEET)) {
            wider.add(Place.FLEET);
        }
        if (list.workspace() != null && list.environments() != null) {
            wider.add(new Place(null, list.workspace(), null));
            wider.add(new Place(null, null, list.environments()));
        }
        return wider;
    }

    private static boolean keepsRows(Snapshot before, Map<DocumentKey, Optional<Document>> changes, Place list) {
        return before.clustersIn(list).stream()
                .anyMatch(
                        slot -> !changes.containsKey(before.clusterInSlot(slot).key()));
    }
}
