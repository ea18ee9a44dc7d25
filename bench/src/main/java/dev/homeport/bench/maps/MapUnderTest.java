package dev.homeport.bench.maps;

import java.util.List;

/** A persistent map of a library, from text to numbers. What {@code build} and {@code put} return is its own map. */
interface MapUnderTest<M> {
    /** From keys in ascending order, by the quickest way that the library offers. */
    M build(List<String> keys, List<Integer> values);

    int get(M map, String key);

    M put(M map, String key, Integer value);
}
