package dev.homeport.bench.core;

import dev.homeport.bench.Goal.Bound;
import dev.homeport.bench.Report;
import java.util.Comparator;
import java.util.List;

/** What the core promises, held against what was found. */
final class CoreGoals {
    private static final double HEAP_PER_CLUSTER_BYTES = 2048;
    private static final double COMMIT_P99_MS = 50;
    private static final double COMMIT_GROWTH = 3;
    private static final double COMMIT_GROWTH_MS = 5;
    private static final double PLAN_MS = 2_000;
    private static final int PLAN_CLUSTERS = 100_000;
    private static final double ANSWER_US = 10;
    private static final double EXPLAIN_US = 1_000;

    private final List<SizeResult> results;
    private final Report report;

    private CoreGoals(List<SizeResult> results, Report report) {
        this.results = results;
        this.report = report;
    }

    static void add(List<SizeResult> results, Report report) {
        CoreGoals goals = new CoreGoals(results, report);
        results.forEach(goals::ofSize);
        for (StoreKind store : StoreKind.values()) {
            goals.flatness(store);
        }
    }

    private void ofSize(SizeResult result) {
        String at = "_" + result.size() + "_" + result.store();
        atMost("heap_per_cluster" + at + "_bytes", result.number("heap_per_cluster_bytes"), HEAP_PER_CLUSTER_BYTES);
        atMost("commit_p99" + at + "_ms", result.number("commit_p99_ms"), COMMIT_P99_MS);
        if (result.size() <= PLAN_CLUSTERS) {
            atMost("plan_all" + at + "_ms", result.number("plan_all_ms"), PLAN_MS);
        }
        atMost("resolve_render_flat" + at + "_us", result.number("resolve_render_flat_us"), ANSWER_US);
        // ADR 7: what the processor takes for the digest's SHA-256 has a column of its own.
        double set = result.number("resolve_render_set_us") - result.number("digest_us");
        atMost("resolve_render_set_less_sha256" + at + "_us", set, ANSWER_US);
        atMost("explain" + at + "_us", result.number(ExplainCost.FIGURE), EXPLAIN_US);
    }

    /** A commit must not cost more because the fleet is larger. */
    private void flatness(StoreKind store) {
        List<SizeResult> bySize = results.stream()
                .filter(result -> result.store() == store)
                .sorted(Comparator.comparingInt(SizeResult::size))
                .toList();
        if (bySize.size() > 1) {
            double smallest = bySize.getFirst().number("commit_p99_ms");
            double largest = bySize.getLast().number("commit_p99_ms");
            atMost("commit_p99_flat_" + store + "_ms", largest, COMMIT_GROWTH * smallest + COMMIT_GROWTH_MS);
        }
    }

    private void atMost(String name, double value, double target) {
        report.goal(name, value, Bound.AT_MOST, target);
    }
}
