package dev.homeport.bench.core;

import dev.homeport.bench.ChildJvm;
import dev.homeport.document.Document;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.Answer;
import dev.homeport.fleet.Answers;
import dev.homeport.snapshot.Snapshot;
import dev.homeport.write.Operation;
import dev.homeport.write.StoreInitializer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A process that fills an empty store and makes sure that it is sound. The first clusters come through the writer, as an
 * import would; the others are appended as the writer would have done it.
 */
final class FleetBuild {
    private static final int WRITTEN = 10_000;
    private static final int BATCH = 1_000;
    private static final int ASKED = 1_000;

    private FleetBuild() {}

    public static void main(String[] args) {
        StoreAddress address = StoreAddress.of(args[0], args[1]);
        int size = Integer.parseInt(args[2]);
        int written = Math.min(size, WRITTEN);
        Map<String, Object> figures = new LinkedHashMap<>();
        try (BenchFleet fleet = BenchFleet.open(address)) {
            long start = System.nanoTime();
            write(fleet, written);
            figures.put("import_per_s", written / seconds(start));
            requireSameAsWriter(fleet.snapshot());
            start = System.nanoTime();
            BulkLoad.append(fleet.store(), written, size);
            figures.put("bulk_s", seconds(start));
            start = System.nanoTime();
            fleet.store().verify(revision -> {});
            figures.put("verify_s", seconds(start));
        }
        try (BenchFleet fleet = BenchFleet.open(address)) {
            requireInputs(fleet.snapshot(), size);
        }
        ChildJvm.report(figures);
    }

    private static void write(BenchFleet fleet, int clusters) {
        StoreInitializer.initialize(fleet.writer());
        fleet.writer().write(BenchFleet.request(SampleFleet.shared()));
        for (int from = 0; from < clusters; from += BATCH) {
            List<Operation> batch = new ArrayList<>(BATCH);
            for (int number = from; number < Math.min(clusters, from + BATCH); number++) {
                batch.add(SampleFleet.creation(number));
            }
            fleet.writer().write(BenchFleet.request(batch));
        }
    }

    private static void requireSameAsWriter(Snapshot snapshot) {
        String id = SampleFleet.clusterId(0);
        Document life = snapshot.document(Types.CLUSTER_LIFE, id);
        if (life == null || !life.body().equals(BulkLoad.life(id))) {
            throw new IllegalStateException("the writer keeps something else about a cluster than the bulk load");
        }
    }

    private static void requireInputs(Snapshot snapshot, int size) {
        int clusters = snapshot.all(Types.CLUSTER).size();
        if (clusters != size) {
            throw new IllegalStateException(clusters + " clusters were made, not " + size);
        }
        Random random = new Random(size);
        for (int i = 0; i < ASKED; i++) {
            String id = SampleFleet.clusterId(random.nextInt(size));
            Document cluster = snapshot.document(Types.CLUSTER, id);
            for (String name : snapshot.types().itemTypes()) {
                TypeDefinition type = snapshot.types().named(name).orElseThrow();
                if (cluster == null || !(Answers.of(snapshot, cluster, type) instanceof Answer.Inputs)) {
                    throw new IllegalStateException("cluster/" + id + " gets no " + type.plural());
                }
            }
        }
    }

    private static double seconds(long start) {
        return (System.nanoTime() - start) / 1e9;
    }
}
