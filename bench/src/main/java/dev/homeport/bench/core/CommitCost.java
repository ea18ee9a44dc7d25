package dev.homeport.bench.core;

import dev.homeport.bench.Percentiles;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.write.Expected;
import dev.homeport.write.Operation;
import dev.homeport.write.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import tools.jackson.databind.node.ObjectNode;

/** How long a writer waits until its change is durable and published. Every other commit makes a cluster. */
final class CommitCost {
    private static final int WARM_UP = 200;
    private static final int COMMITS = 600;

    private final BenchFleet fleet;
    private final List<String> ids = new ArrayList<>();
    private final Random random = new Random(2);
    private int next;

    private CommitCost(BenchFleet fleet) {
        this.fleet = fleet;
        for (Document cluster : fleet.snapshot().all(Types.CLUSTER).values()) {
            ids.add(cluster.id());
        }
        this.next = ids.size();
    }

    static void measure(BenchFleet fleet, Map<String, Object> figures) {
        CommitCost cost = new CommitCost(fleet);
        long[] whole = new long[COMMITS];
        long[] store = new long[COMMITS];
        long[] rest = new long[COMMITS];
        for (int i = -WARM_UP; i < COMMITS; i++) {
            long nanos = cost.commit(i);
            if (i >= 0) {
                whole[i] = nanos;
                store[i] = fleet.log().lastAppendNanos();
                rest[i] = nanos - store[i];
            }
        }
        put(figures, "commit", whole);
        put(figures, "commit_store", store);
        put(figures, "commit_rest", rest);
    }

    private static void put(Map<String, Object> figures, String name, long[] nanos) {
        Percentiles percentiles = new Percentiles(nanos);
        figures.put(name + "_p50_ms", percentiles.millis(0.50));
        figures.put(name + "_p99_ms", percentiles.millis(0.99));
    }

    private long commit(int number) {
        Operation operation = number % 2 == 0 ? SampleFleet.creation(next++) : edit();
        long start = System.nanoTime();
        Outcome outcome = fleet.writer().write(BenchFleet.request(List.of(operation)));
        long nanos = System.nanoTime() - start;
        if (!(outcome instanceof Outcome.Committed)) {
            throw new IllegalStateException("not committed: " + outcome);
        }
        return nanos;
    }

    private Operation edit() {
        String id = ids.get(random.nextInt(ids.size()));
        // A value that no earlier run wrote, or there would be nothing to commit.
        long value = System.nanoTime();
        return new Operation.Edit(
                new DocumentKey(Types.CLUSTER, id),
                body -> {
                    ((ObjectNode) body.get("patches").get(SampleFleet.EVERYWHERE)).put("controller.epoch", value);
                    return body;
                },
                Expected.ANY);
    }
}
