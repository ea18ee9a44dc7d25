package dev.homeport.bench.maps;

import java.util.function.Supplier;

/** The maps that are compared. */
enum Candidate {
    SORTED_TREE("homeport SortedTree, loaded", true, SortedTreeMap::loaded),
    SORTED_TREE_GROWN("homeport SortedTree, grown", true, SortedTreeMap::grown),
    VAVR_TREE("vavr TreeMap", true, LibraryMaps.VavrTree::new),
    VAVR_HASH("vavr HashMap", false, LibraryMaps.VavrHash::new),
    PCOLLECTIONS_TREE("pcollections TreePMap", true, LibraryMaps.PCollectionsTree::new),
    PCOLLECTIONS_HASH("pcollections HashPMap", false, LibraryMaps.PCollectionsHash::new),
    PAGURO_TREE("paguro PersistentTreeMap", true, LibraryMaps.PaguroTree::new),
    PAGURO_HASH("paguro PersistentHashMap", false, LibraryMaps.PaguroHash::new),
    BIFURCAN_HASH("bifurcan Map (CHAMP)", false, LibraryMaps.BifurcanHash::new);

    private final String label;
    private final boolean sorted;
    private final Supplier<MapUnderTest<?>> maker;

    Candidate(String label, boolean sorted, Supplier<MapUnderTest<?>> maker) {
        this.label = label;
        this.sorted = sorted;
        this.maker = maker;
    }

    String label() {
        return label;
    }

    boolean sorted() {
        return sorted;
    }

    boolean ours() {
        return this == SORTED_TREE || this == SORTED_TREE_GROWN;
    }

    MapUnderTest<?> make() {
        return maker.get();
    }
}
