package dev.homeport.server.admin;

import dev.homeport.access.Place;
import dev.homeport.access.Powers;
import dev.homeport.access.Verb;
import dev.homeport.document.Document;
import dev.homeport.document.Types;
import dev.homeport.problem.WorkBudget;
import dev.homeport.snapshot.Snapshot;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/** The clusters that the caller sees, found through the indexes: the work is proportional to their number. */
final class SeenClusters {
    private SeenClusters() {}

    static BitSet of(Snapshot snapshot, Powers powers) {
        if (powers.seesAll()) {
            return snapshot.clusterSlots();
        }
        BitSet slots = new BitSet();
        for (Place place : powers.places(Verb.READ, Types.CLUSTER)) {
            slots.or(snapshot.clustersIn(place));
        }
        return slots;
    }

    /** Ordered by id. */
    static List<Document> inOrder(Snapshot snapshot, BitSet slots) {
        WorkBudget.current().spend((long) slots.cardinality() * WorkBudget.INDEXED_LOOK);
        return slots.stream()
                .mapToObj(snapshot::clusterInSlot)
                .sorted(Comparator.comparing(Document::id))
                .toList();
    }
}
