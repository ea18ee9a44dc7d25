package dev.homeport.bench.maps;

import io.vavr.collection.HashMap;
import io.vavr.collection.TreeMap;
import java.util.List;
import org.organicdesign.fp.collections.PersistentHashMap;
import org.organicdesign.fp.collections.PersistentTreeMap;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;
import org.pcollections.TreePMap;

/** The maps of libraries, each in its own words. */
final class LibraryMaps {
    private LibraryMaps() {}

    record VavrTree() implements MapUnderTest<TreeMap<String, Integer>> {
        @Override
        public TreeMap<String, Integer> build(List<String> keys, List<Integer> values) {
            TreeMap<String, Integer> map = TreeMap.empty();
            for (int i = 0; i < keys.size(); i++) {
                map = map.put(keys.get(i), values.get(i));
            }
            return map;
        }

        @Override
        public int get(TreeMap<String, Integer> map, String key) {
            return map.get(key).getOrElse(-1);
        }

        @Override
        public TreeMap<String, Integer> put(TreeMap<String, Integer> map, String key, Integer value) {
            return map.put(key, value);
        }
    }

    record VavrHash() implements MapUnderTest<HashMap<String, Integer>> {
        @Override
        public HashMap<String, Integer> build(List<String> keys, List<Integer> values) {
            HashMap<String, Integer> map = HashMap.empty();
            for (int i = 0; i < keys.size(); i++) {
                map = map.put(keys.get(i), values.get(i));
            }
            return map;
        }

        @Override
        public int get(HashMap<String, Integer> map, String key) {
            return map.get(key).getOrElse(-1);
        }

        @Override
        public HashMap<String, Integer> put(HashMap<String, Integer> map, String key, Integer value) {
            return map.put(key, value);
        }
    }

    record PCollectionsTree() implements MapUnderTest<TreePMap<String, Integer>> {
        @Override
        public TreePMap<String, Integer> build(List<String> keys, List<Integer> values) {
            java.util.TreeMap<String, Integer> sorted = new java.util.TreeMap<>();
            for (int i = 0; i < keys.size(); i++) {
                sorted.put(keys.get(i), values.get(i));
            }
            return TreePMap.fromSortedMap(sorted);
        }

        @Override
        public int get(TreePMap<String, Integer> map, String key) {
            return map.getOrDefault(key, -1);
        }

        @Override
        public TreePMap<String, Integer> put(TreePMap<String, Integer> map, String key, Integer value) {
            return map.plus(key, value);
        }
    }

    record PCollectionsHash() implements MapUnderTest<HashPMap<String, Integer>> {
        @Override
        public HashPMap<String, Integer> build(List<String> keys, List<Integer> values) {
            HashPMap<String, Integer> map = HashTreePMap.empty();
            for (int i = 0; i < keys.size(); i++) {
                map = map.plus(keys.get(i), values.get(i));
            }
            return map;
        }

        @Override
        public int get(HashPMap<String, Integer> map, String key) {
            return map.getOrDefault(key, -1);
        }

        @Override
        public HashPMap<String, Integer> put(HashPMap<String, Integer> map, String key, Integer value) {
            return map.plus(key, value);
        }
    }

    record PaguroTree() implements MapUnderTest<PersistentTreeMap<String, Integer>> {
        @Override
        public PersistentTreeMap<String, Integer> build(List<String> keys, List<Integer> values) {
            PersistentTreeMap<String, Integer> map = PersistentTreeMap.empty();
            for (int i = 0; i < keys.size(); i++) {
                map = map.assoc(keys.get(i), values.get(i));
            }
            return map;
        }

        @Override
        public int get(PersistentTreeMap<String, Integer> map, String key) {
            return map.getOrElse(key, -1);
        }

        @Override
        public PersistentTreeMap<String, Integer> put(
                PersistentTreeMap<String, Integer> map, String key, Integer value) {
            return map.assoc(key, value);
        }
    }

    record PaguroHash() implements MapUnderTest<PersistentHashMap<String, Integer>> {
        @Override
        public PersistentHashMap<String, Integer> build(List<String> keys, List<Integer> values) {
            PersistentHashMap.MutHashMap<String, Integer> map = PersistentHashMap.emptyMutable();
            for (int i = 0; i < keys.size(); i++) {
                map = map.assoc(keys.get(i), values.get(i));
            }
            return map.immutable();
        }

        @Override
        public int get(PersistentHashMap<String, Integer> map, String key) {
            return map.getOrElse(key, -1);
        }

        @Override
        public PersistentHashMap<String, Integer> put(
                PersistentHashMap<String, Integer> map, String key, Integer value) {
            return map.assoc(key, value);
        }
    }

    record BifurcanHash() implements MapUnderTest<io.lacuna.bifurcan.Map<String, Integer>> {
        @Override
        public io.lacuna.bifurcan.Map<String, Integer> build(List<String> keys, List<Integer> values) {
            io.lacuna.bifurcan.Map<String, Integer> map = new io.lacuna.bifurcan.Map<String, Integer>().linear();
            for (int i = 0; i < keys.size(); i++) {
                map = map.put(keys.get(i), values.get(i));
            }
            return map.forked();
        }

        @Override
        public int get(io.lacuna.bifurcan.Map<String, Integer> map, String key) {
            return map.get(key, -1);
        }

        @Override
        public io.lacuna.bifurcan.Map<String, Integer> put(
                io.lacuna.bifurcan.Map<String, Integer> map, String key, Integer value) {
            return map.put(key, value);
        }
    }
}
