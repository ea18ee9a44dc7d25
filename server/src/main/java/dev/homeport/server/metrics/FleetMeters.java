package dev.homeport.server.metrics;

import dev.homeport.document.TypeDefinition;
import dev.homeport.server.state.Standing;
import dev.homeport.server.state.StateBoard;
import dev.homeport.snapshot.Snapshot;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How many documents and clusters there are; counted when asked for. */
final class FleetMeters {
    private final MultiGauge documents;
    private final MultiGauge clusters;
    private final StateBoard board;
    private long countedAt = -1;

    FleetMeters(MeterRegistry registry, StateBoard board) {
        this.board = board;
        documents = MultiGauge.builder("homeport.documents")
                .description("Documents by type")
                .register(registry);
        clusters = MultiGauge.builder("homeport.clusters")
                .description("Clusters by state and environment")
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
        if (snapshot.revision() != countedAt) {
            countedAt = snapshot.revision();
            List<MultiGauge.Row<?>> rows = new ArrayList<>();
            for (TypeDefinition type : snapshot.types().all()) {
                rows.add(MultiGauge.Row.of(
                        Tags.of("type", type.name()), snapshot.all(type.name()).size()));
            }
            documents.register(rows, true);
        }
        Map<Place, Integer> places = new TreeMap<>();
        for (Standing standing : board.all()) {
            places.merge(new Place(standing.state().word(), standing.environment()), 1, Integer::sum);
        }
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        places.forEach((place, count) -> rows.add(
                MultiGauge.Row.of(Tags.of("state", place.state(), "environment", place.environment()), count)));
        clusters.register(rows, true);
    }
}
