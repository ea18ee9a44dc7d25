package dev.homeport.bench.core;

import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.write.Expected;
import dev.homeport.write.Operation;
import dev.homeport.write.Outcome;
import dev.homeport.write.WriteRequest;
import java.util.List;
import java.util.Map;

/** The plan of a catalog change that gives every cluster another answer. */
final class PlanCost {
    private static final int RUNS = 3;

    private PlanCost() {}

    static void measure(BenchFleet fleet, Map<String, Object> figures) {
        dryRun(fleet);
        double best = Double.MAX_VALUE;
        for (int i = 0; i < RUNS; i++) {
            best = Math.min(best, dryRun(fleet));
        }
        figures.put("plan_all_ms", best);
    }

    private static double dryRun(BenchFleet fleet) {
        Operation edit = new Operation.Edit(
                new DocumentKey(Types.PLATFORM_COMPONENT, SampleFleet.EVERYWHERE),
                body -> body.put("oci_tag", "9.9.9"),
                Expected.ANY);
        WriteRequest request = BenchFleet.request(List.of(edit)).with(WriteRequest.Flag.DRY_RUN);
        long start = System.nanoTime();
        Outcome outcome = fleet.writer().write(request);
        double millis = (System.nanoTime() - start) / 1e6;
        if (!(outcome instanceof Outcome.Planned planned) || planned.plan().clustersChanged() != fleet.clusters()) {
            throw new IllegalStateException("the plan does not touch every cluster");
        }
        return millis;
    }
}
