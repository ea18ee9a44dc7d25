package dev.homeport.snapshot;

import dev.homeport.collection.Bits;
import dev.homeport.collection.SlotTable;
import dev.homeport.collection.SortedTree;

/** How clusters are found other than by id. */
record ClusterIndex(
        SortedTree<String, Integer> slotOf,
        SlotTable<String> slots,
        SortedTree<String, String> byDns,
        SortedTree<String, Bits> members,
        Bits freeSlots) {
    static final ClusterIndex EMPTY =
            new ClusterIndex(SortedTree.empty(), SlotTable.empty(), SortedTree.empty(), SortedTree.empty(), Bits.NONE);

    Bits clustersWith(String key) {
        Bits found = members.get(key);
        return found == null ? Bits.NONE : found;
    }
}
