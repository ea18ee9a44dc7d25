package dev.homeport.server.poll;

import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.Cluster;
import dev.homeport.json.CanonicalJson;
import dev.homeport.json.StrictJson;
import dev.homeport.server.http.Plain;
import dev.homeport.snapshot.LabelSelector;
import dev.homeport.snapshot.Snapshot;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The clusters as inputs, for a management cluster that creates and deletes clusters by this list. So the rules for answers
 * hold: a row ends only with the cluster's document, which only a purge removes, or by a confirmed move; whatever is unknown
 * or cannot be read is an error.
 */
sealed interface ClusterList {
    /** All rows, by id. */
    record Rows(byte[] body, int count) implements ClusterList {}

    /** The requested object was not found. */
    record Unknown(String what) implements ClusterList {}

    /** A document that may belong to the list cannot be read. */
    record Broken(DocumentKey key) implements ClusterList {}

    static ClusterList of(Snapshot snapshot, ClusterListQuery query) {
        return fault(snapshot, Types.WORKSPACE, query.workspace())
                .or(() -> fault(snapshot, Types.ENVIRONMENT, query.environment()))
                .orElseGet(() -> rows(snapshot, query));
    }

    private static Optional<ClusterList> fault(Snapshot snapshot, String type, @Nullable String id) {
        if (id == null) {
            return Optional.empty();
        }
        Document document = snapshot.document(type, id);
        if (document == null) {
            return Optional.of(new Unknown(type + "/" + Plain.text(id)));
        }
        return document.fault().isPresent() ? Optional.of(new Broken(document.key())) : Optional.empty();
    }

    private static ClusterList rows(Snapshot snapshot, ClusterListQuery query) {
        ObjectNode body = StrictJson.object();
        ArrayNode inputs = body.putArray("inputs");
        Met met = new Met(query.selector());
        for (Document document : snapshot.all(Types.CLUSTER).values()) {
            if (document.fault().isPresent()) {
                return new Broken(document.key()); // where it belongs is not known
            }
            Cluster cluster = Cluster.of(document);
            boolean inPlace = (query.workspace() == null || Objects.equals(query.workspace(), cluster.workspace()))
                    && (query.environment() == null || query.environment().equals(cluster.environment()));
            if (!inPlace || !met.matches(cluster.labels())) {
                continue;
            }
            Optional<UnreadableRow> life = UnreadableRow.lifeOf(snapshot, document.id());
            if (life.isPresent()) {
                return new Broken(life.get().key());
            }
            inputs.addObject()
                    .put("id", cluster.id())
                    .put("cluster_name", cluster.name())
                    .put("cluster_dns", cluster.dns())
                    .put("environment", cluster.environment());
        }
        if (query.selects() && (inputs.isEmpty() || !met.missing().isEmpty())) {
            // Nothing in the log tells a selection that was emptied from one with a typing mistake.
            return new Unknown(
                    met.missing().isEmpty()
                            ? "a cluster with all of these labels"
                            : "a cluster with the label " + String.join(" or ", met.missing()));
        }
        return new Rows(CanonicalJson.bytes(body), inputs.size());
    }

    /** Notes which parts of a selector some cluster meets. */
    final class Met {
        private final LabelSelector selector;
        private final Set<String> missing = new TreeSet<>();

        Met(LabelSelector selector) {
            this.selector = selector;
            for (LabelSelector.Requirement requirement : selector.requirements()) {
                switch (requirement) {
                    case LabelSelector.Requirement.In in ->
                        in.values().forEach(value -> missing.add(in.key() + "=" + value));
                    case LabelSelector.Requirement.Exists exists -> missing.add(exists.key());
                    case LabelSelector.Requirement.NotIn _ -> {}
                }
            }
        }

        boolean matches(Map<String, String> labels) {
            if (!missing.isEmpty()) {
                labels.forEach((key, value) -> {
                    missing.remove(key);
                    missing.remove(key + "=" + value);
                });
            }
            return selector.matches(labels);
        }

        Set<String> missing() {
            return missing;
        }
    }
}
