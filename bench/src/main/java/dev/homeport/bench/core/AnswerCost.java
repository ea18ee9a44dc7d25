package dev.homeport.bench.core;

import dev.homeport.bench.Timing;
import dev.homeport.document.Document;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.Answer;
import dev.homeport.fleet.Answers;
import dev.homeport.fleet.Rendering;
import dev.homeport.fleet.WireShape;
import dev.homeport.snapshot.Snapshot;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** What one answer costs on one thread, over many different clusters. */
final class AnswerCost {
    private static final int CLUSTERS = 50_000;
    private static final double NANOS_PER_MICRO = 1_000;

    private final Snapshot snapshot;
    private final Document[] clusters;

    private AnswerCost(Snapshot snapshot) {
        this.snapshot = snapshot;
        List<Document> all = new ArrayList<>();
        snapshot.all(Types.CLUSTER).values().forEach(all::add);
        Collections.shuffle(all, new Random(1));
        this.clusters = all.stream().limit(CLUSTERS).toArray(Document[]::new);
    }

    static void measure(Snapshot snapshot, Map<String, Object> figures) {
        AnswerCost cost = new AnswerCost(snapshot);
        List<TypeDefinition> components =
                List.of(snapshot.types().named(Types.PLATFORM_COMPONENT).orElseThrow());
        List<TypeDefinition> all = snapshot.types().itemTypes().stream()
                .map(name -> snapshot.types().named(name).orElseThrow())
                .toList();
        figures.put("answer_bytes", cost.averageBytes(components));
        figures.put("resolve_render_set_us", cost.micros(components, WireShape.SET));
        figures.put("digest_us", cost.digestMicros(components.getFirst()));
        figures.put("resolve_render_flat_us", cost.micros(components, WireShape.FLAT));
        figures.put("resolve_render_all_types_us", cost.micros(all, WireShape.SET));
        figures.put("resolve_only_us", cost.resolveMicros(components.getFirst()));
        figures.put(ExplainCost.FIGURE, ExplainCost.micros(snapshot, cost.clusters, components.getFirst()));
    }

    private double micros(List<TypeDefinition> types, WireShape shape) {
        return Timing.nanosEach(i -> {
                    int length = 0;
                    for (TypeDefinition type : types) {
                        length += rendered(clusters[i % clusters.length], type, shape);
                    }
                    return length;
                })
                / NANOS_PER_MICRO;
    }

    private double resolveMicros(TypeDefinition type) {
        return Timing.nanosEach(
                        i -> inputs(clusters[i % clusters.length], type).items().size())
                / NANOS_PER_MICRO;
    }

    /** The SHA-256 that a set body carries, alone: it costs what the processor makes it cost, in any implementation. */
    private double digestMicros(TypeDefinition type) {
        byte[] body = Rendering.render(inputs(clusters[0], type), WireShape.SET).body();
        return Timing.nanosEach(i -> {
                    try {
                        return MessageDigest.getInstance("SHA-256").digest(body)[0];
                    } catch (NoSuchAlgorithmException e) {
                        throw new IllegalStateException(e);
                    }
                })
                / NANOS_PER_MICRO;
    }

    private double averageBytes(List<TypeDefinition> types) {
        long sum = 0;
        for (Document cluster : clusters) {
            sum += rendered(cluster, types.getFirst(), WireShape.SET);
        }
        return (double) sum / clusters.length;
    }

    private int rendered(Document cluster, TypeDefinition type, WireShape shape) {
        return Rendering.render(inputs(cluster, type), shape).body().length;
    }

    private Answer.Inputs inputs(Document cluster, TypeDefinition type) {
        return (Answer.Inputs) Answers.of(snapshot, cluster, type);
    }
}
