package dev.homeport.bench.core;

import dev.homeport.bench.ChildJvm;
import dev.homeport.bench.UsedHeap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A process that loads a fleet and measures it. Arguments: kind and location of an empty store, of the fleet's store, and
 * {@code load} or {@code all}.
 */
final class FleetMeasure {
    private FleetMeasure() {}

    public static void main(String[] args) {
        Map<String, Object> figures = new LinkedHashMap<>();
        try (BenchFleet empty = BenchFleet.open(StoreAddress.of(args[0], args[1]))) {
            long before = UsedHeap.bytes();
            long start = System.nanoTime();
            try (BenchFleet fleet = BenchFleet.open(StoreAddress.of(args[2], args[3]))) {
                figures.put("load_s", (System.nanoTime() - start) / 1e9);
                long after = UsedHeap.bytes();
                int clusters = fleet.clusters();
                figures.put("clusters", clusters);
                figures.put("heap_mib", (after - before) / 1024.0 / 1024.0);
                figures.put("heap_per_cluster_bytes", (after - before) / (double) clusters);
                if (args[4].equals("all")) {
                    AnswerCost.measure(fleet.snapshot(), figures);
                    PlanCost.measure(fleet, figures);
                    // Last, because it changes the fleet.
                    CommitCost.measure(fleet, figures);
                }
            }
            figures.put("empty_clusters", empty.clusters());
        }
        ChildJvm.report(figures);
    }
}
