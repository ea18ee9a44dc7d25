package dev.homeport.collection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.support.Cases;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The persistent collections against those of the JDK; versions kept along the way must not change afterwards. */
@Tag("properties")
class CollectionProperties {
    /** Sizes around which nodes split and join are as likely as small ones. */
    private static int range(SplittableRandom random) {
        return new int[] {5, 70, 300, 5_000}[random.nextInt(4)];
    }

    @Test
    void aSortedTreeIsATreeMap() {
        Cases.forAll(Cases.count() / 20, random -> {
            int range = range(random);
            SortedMap<String, Integer> model = new TreeMap<>();
            for (int left = random.nextInt(range); left > 0; left--) {
                model.put(key(random.nextInt(range)), left);
            }
            SortedTree<String, Integer> tree =
                    SortedTree.ofSorted(List.copyOf(model.keySet()), List.copyOf(model.values()));
            Map<SortedTree<String, Integer>, SortedMap<String, Integer>> kept = new HashMap<>();
            int bias = random.nextInt(100);
            for (int step = 0; step < 400; step++) {
                String key = key(random.nextInt(range));
                if (random.nextInt(100) < bias) {
                    tree = tree.with(key, step);
                    model.put(key, step);
                } else {
                    tree = tree.without(key);
                    model.remove(key);
                }
                assertThat(tree.get(key)).isEqualTo(model.get(key));
                assertThat(tree.size()).isEqualTo(model.size());
                if (random.nextInt(40) == 0) {
                    kept.put(tree, new TreeMap<>(model));
                }
            }
            kept.put(tree, model);
            kept.forEach((version, expected) -> same(version, expected, key(random.nextInt(range))));
        });
    }

    /** Beginnings on both sides of what a node's marks can hold, and some that are the beginning of others. */
    private static final List<String> BEGINNINGS = List.of(
            "k", "", "edge-eu-central-1-", "\0", "k\0", "\u00fe", "\u00ff", "\u00ff\u0100", "\ud83d\ude00", "\uffff");

    private static String key(int number) {
        return BEGINNINGS.get(number % 31 % BEGINNINGS.size()) + number;
    }

    private static void same(SortedTree<String, Integer> tree, SortedMap<String, Integer> model, String from) {
        assertThat(tree.isEmpty()).isEqualTo(model.isEmpty());
        assertThat(tree.size()).isEqualTo(model.size());
        assertThat(listed(tree.entries())).isEqualTo(List.copyOf(model.entrySet()));
        assertThat(listed(tree.values())).isEqualTo(List.copyOf(model.values()));
        assertThat(listed(tree.from(from)))
                .isEqualTo(List.copyOf(model.tailMap(from).entrySet()));
        model.forEach((key, value) -> assertThat(tree.find(key)).contains(value));
        assertThat(tree.get("nothing")).isNull();
    }

    private static <T> List<T> listed(Iterable<T> elements) {
        List<T> all = new ArrayList<>();
        elements.forEach(all::add);
        return all;
    }

    @Test
    void bitsAreABitSet() {
        Cases.forAll(Cases.count() / 20, random -> {
            int range = new int[] {20, 60, 5_000, 20_000}[random.nextInt(4)];
            BitSet model = new BitSet();
            Bits bits = Bits.NONE;
            Map<Bits, BitSet> kept = new HashMap<>();
            int bias = 30 + random.nextInt(65);
            for (int step = 0; step < 150; step++) {
                Bits before = bits;
                BitSet old = (BitSet) model.clone();
                if (random.nextBoolean()) {
                    int number = random.nextInt(range);
                    boolean add = random.nextInt(100) < bias;
                    bits = add ? bits.with(number) : bits.without(number);
                    model.set(number, add);
                } else {
                    Bits.Editor editor = bits.edit();
                    for (int left = random.nextInt(40); left > 0; left--) {
                        int number = random.nextInt(range);
                        boolean add = random.nextInt(100) < bias;
                        editor = add ? editor.add(number) : editor.remove(number);
                        model.set(number, add);
                    }
                    bits = editor.done();
                }
                assertThat(bits.size()).isEqualTo(model.cardinality());
                if (random.nextInt(10) == 0) {
                    kept.put(before, old);
                }
            }
            kept.put(bits, model);
            kept.forEach((version, expected) -> same(version, expected, range));
        });
    }

    private static void same(Bits bits, BitSet model, int range) {
        assertThat(bits.toArray()).isEqualTo(model.stream().toArray());
        assertThat(bits.isEmpty()).isEqualTo(model.isEmpty());
        BitSet sum = new BitSet();
        bits.addTo(sum);
        assertThat(sum).isEqualTo(model);
        for (int number = 0; number < range; number += 1 + range / 500) {
            assertThat(bits.contains(number)).isEqualTo(model.get(number));
        }
        assertThat(bits.contains(10_000_000)).isFalse();
        if (!model.isEmpty()) {
            assertThat(bits.first()).isEqualTo(model.nextSetBit(0));
        }
    }

    @Test
    void aSlotTableIsAMap() {
        Cases.forAll(Cases.count() / 20, random -> {
            int range = new int[] {10, 1_030, 5_000}[random.nextInt(3)];
            Map<Integer, String> model = new HashMap<>();
            List<String> first = new ArrayList<>();
            for (int slot = 0; slot < random.nextInt(range); slot++) {
                first.add("v" + slot);
                model.put(slot, "v" + slot);
            }
            SlotTable<String> table = SlotTable.of(first, first.size());
            int end = first.size();
            Map<SlotTable<String>, Map<Integer, String>> kept = new HashMap<>();
            for (int step = 0; step < 100; step++) {
                int slot = random.nextInt(range);
                String value = random.nextInt(4) == 0 ? null : "s" + step;
                table = table.with(slot, value);
                model.put(slot, value);
                end = Math.max(end, slot + 1);
                assertThat(table.end()).isEqualTo(end);
                if (random.nextInt(20) == 0) {
                    kept.put(table, new HashMap<>(model));
                }
            }
            kept.put(table, model);
            kept.forEach((version, expected) -> {
                for (int slot = 0; slot < range + 10; slot++) {
                    assertThat(version.get(slot)).isEqualTo(expected.get(slot));
                }
            });
        });
    }
}
