package dev.homeport.server.metrics;

import dev.homeport.document.Document;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.Cluster;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.snapshot.Snapshot;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** How many documents and clusters there are; counted when asked for, and once for each revision. */
final class FleetMeters {
    private final MultiGauge documents;
    private final MultiGauge clusters;
    private long countedAt = -1;

    FleetMeters(MeterRegistry registry) {
        documents = MultiGauge.builder("homeport.documents")
                .description("Documents by type")
                .register(registry);
        clusters = MultiGauge.builder("homeport.clusters")
                .description("Clusters by phase and environment")
                .register(registry);
    }

    private record Place(String state, String environment) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            int byState = state.compareTo(other.state);
            return byState != 0 ? byState : environment.compareTo(other.environment);
        }
    }

    synchronized void count(Snapshot snapshot) {
        if (snapshot.revision() == countedAt) {
            return;
        }
        countedAt = snapshot.revision();
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        for (TypeDefinition type : snapshot.types().all()) {
            rows.add(MultiGauge.Row.of(
                    Tags.of("type", type.name()), snapshot.all(type.name()).size()));
        }
        documents.register(rows, true);
        Map<Place, Integer> places = new TreeMap<>();
        for (Document document : snapshot.all(Types.CLUSTER).values()) {
            places.merge(place(snapshot, document), 1, Integer::sum);
        }
        List<MultiGauge.Row<?>> clusterRows = new ArrayList<>();
        places.forEach((place, count) -> clusterRows.add(
                MultiGauge.Row.of(Tags.of("state", place.state(), "environment", place.environment()), count)));
        clusters.register(clusterRows, true);
    }

    private static Place place(Snapshot snapshot, Document document) {
        if (document.fault().isPresent()) {
            return new Place("broken", "");
        }
        ClusterLife life = ClusterLife.of(snapshot.document(Types.CLUSTER_LIFE, document.id()));
        String state =
                life.paused().isPresent() ? "paused" : life.phase().name().toLowerCase(Locale.ROOT);
        return new Place(state, Cluster.of(document).environment());
    }
}
