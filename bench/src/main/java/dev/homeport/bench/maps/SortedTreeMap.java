package dev.homeport.bench.maps;

import dev.homeport.collection.SortedTree;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Homeport's own, as it is after a load, and as it is after a million single puts in no order. */
record SortedTreeMap(boolean isGrown) implements MapUnderTest<SortedTree<String, Integer>> {
    static SortedTreeMap loaded() {
        return new SortedTreeMap(false);
    }

    static SortedTreeMap grown() {
        return new SortedTreeMap(true);
    }

    @Override
    public SortedTree<String, Integer> build(List<String> keys, List<Integer> values) {
        if (!isGrown) {
            return SortedTree.ofSorted(keys, values);
        }
        List<Integer> order = new ArrayList<>(values);
        Collections.shuffle(order, new Random(3));
        SortedTree<String, Integer> tree = SortedTree.empty();
        for (int i : order) {
            tree = tree.with(keys.get(i), values.get(i));
        }
        return tree;
    }

    @Override
    public int get(SortedTree<String, Integer> map, String key) {
        Integer value = map.get(key);
        return value == null ? -1 : value;
    }

    @Override
    public SortedTree<String, Integer> put(SortedTree<String, Integer> map, String key, Integer value) {
        return map.with(key, value);
    }
}
