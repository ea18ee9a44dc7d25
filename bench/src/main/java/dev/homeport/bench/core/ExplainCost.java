package dev.homeport.bench.core;

import dev.homeport.bench.Timing;
import dev.homeport.document.Document;
import dev.homeport.document.TypeDefinition;
import dev.homeport.fleet.Explain;
import dev.homeport.snapshot.Snapshot;

/** What it costs to say where everything in one cluster's answer comes from. */
final class ExplainCost {
    static final String FIGURE = "explain_us";

    private ExplainCost() {}

    static double micros(Snapshot snapshot, Document[] clusters, TypeDefinition type) {
        return Timing.nanosEach(i -> System.identityHashCode(Explain.of(snapshot, clusters[i % clusters.length], type)))
                / 1_000;
    }
}
