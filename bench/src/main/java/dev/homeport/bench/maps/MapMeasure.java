package dev.homeport.bench.maps;

import dev.homeport.bench.ChildJvm;
import dev.homeport.bench.Timing;
import dev.homeport.bench.UsedHeap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/** A process that measures one map: its name and the number of entries are the arguments. */
final class MapMeasure {
    private final List<String> keys = new ArrayList<>();
    private final List<Integer> values = new ArrayList<>();
    private final String[] shuffled;
    private final String[] absent;

    private MapMeasure(int entries) {
        List<String> unknown = new ArrayList<>();
        for (int i = 0; i < entries; i++) {
            keys.add(String.format(Locale.ROOT, "edge-eu-central-%07d", i));
            unknown.add(String.format(Locale.ROOT, "edge-eu-central-%07d-b", i));
            values.add(i);
        }
        this.shuffled = shuffled(keys);
        this.absent = shuffled(unknown);
    }

    public static void main(String[] args) {
        MapMeasure measure = new MapMeasure(Integer.parseInt(args[1]));
        ChildJvm.report(measure.run(Candidate.valueOf(args[0]).make()));
    }

    private <M> Map<String, Object> run(MapUnderTest<M> subject) {
        Map<String, Object> figures = new LinkedHashMap<>();
        subject.build(keys, values);
        long before = UsedHeap.bytes();
        long start = System.nanoTime();
        M map = subject.build(keys, values);
        figures.put("build_ms", (System.nanoTime() - start) / 1e6);
        figures.put("bytes_per_entry", (UsedHeap.bytes() - before) / (double) keys.size());
        requireAll(subject, map);
        int n = shuffled.length;
        figures.put("lookup_ns", Timing.nanosEach(i -> subject.get(map, shuffled[i % n])));
        figures.put("put_known_ns", Timing.nanosEach(i -> putOnto(subject, map, shuffled[i % n])));
        figures.put("put_new_ns", Timing.nanosEach(i -> putOnto(subject, map, absent[i % n])));
        return figures;
    }

    private <M> int putOnto(MapUnderTest<M> subject, M map, String key) {
        return System.identityHashCode(subject.put(map, key, values.getFirst())) & 1;
    }

    private <M> void requireAll(MapUnderTest<M> subject, M map) {
        for (int i = 0; i < keys.size(); i++) {
            if (subject.get(map, keys.get(i)) != i) {
                throw new IllegalStateException("the map does not hold " + keys.get(i));
            }
        }
    }

    private static String[] shuffled(List<String> keys) {
        List<String> order = new ArrayList<>(keys);
        Collections.shuffle(order, new Random(4));
        return order.toArray(String[]::new);
    }
}
