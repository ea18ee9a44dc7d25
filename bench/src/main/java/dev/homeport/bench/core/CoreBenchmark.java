package dev.homeport.bench.core;

import dev.homeport.bench.Benchmark;
import dev.homeport.bench.Report;
import java.util.ArrayList;
import java.util.List;

/** The core at growing sizes of fleet: memory, load, commit, plan and answer. */
public final class CoreBenchmark implements Benchmark {
    @Override
    public String name() {
        return "core";
    }

    @Override
    public String summary() {
        return "heap, load, commit, plan and answer at 10,000 to 1,000,000 clusters";
    }

    @Override
    public void run(List<String> args, Report report) throws Exception {
        CoreOptions options = CoreOptions.parse(args);
        List<SizeResult> results = new ArrayList<>();
        for (StoreKind store : options.stores()) {
            try (FleetHome home = FleetHome.of(store, options)) {
                for (int size : options.sizes(store)) {
                    System.err.println("measuring " + size + " clusters in " + store + "…");
                    SizeResult result = SizeRun.run(home, size, options);
                    report.figures(result.all());
                    // All tables come at the end; should a later size fail, this is not lost.
                    System.err.println(result.all());
                    results.add(result);
                }
            }
        }
        CoreTables.print(results);
        CoreGoals.add(results, report);
    }
}
