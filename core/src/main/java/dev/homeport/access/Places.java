package dev.homeport.access;

import dev.homeport.document.Document;
import dev.homeport.document.Types;
import dev.homeport.fleet.FleetView;
import dev.homeport.json.PackedCursor;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Where documents are, and what a change of them concerns. */
final class Places {
    private Places() {}

    /** Where a cluster's document puts it; one that is missing or cannot be read belongs to the fleet only. */
    static Place ofCluster(String id, @Nullable Document cluster) {
        if (cluster == null || cluster.fault().isPresent()) {
            return new Place(id, null, null);
        }
        String workspace = null;
        String environment = "";
        PackedCursor cursor = cluster.cursor();
        for (String field : cursor.object()) {
            switch (field) {
                case "workspace" -> workspace = cursor.text();
                case "environment" -> environment = cursor.text();
                default -> cursor.skip();
            }
        }
        return new Place(id, workspace, Set.of(environment));
    }

    /** The one side of a change: what a writer must have rights for. */
    static Place of(Document side, Optional<Document> before, Optional<Document> after, FleetView view) {
        return switch (side.type()) {
            case Types.CLUSTER -> moves(before, after) ? surroundings(side) : ofCluster(side.id(), side);
            case Types.WORKSPACE -> new Place(null, side.id(), touched(before, after));
            case Types.CLUSTER_TEMPLATE -> new Place(null, null, touched(before, after));
            case Types.ENVIRONMENT ->
                before.isPresent() && after.isPresent() ? new Place(null, null, Set.of(side.id())) : Place.FLEET;
            case Types.ACCESS_GRANT -> readable(side) ? Grant.of(side).target(view) : Place.FLEET;
            case Types.FREEZE -> readable(side) ? ofScope(side.tree().path("scope"), view) : Place.FLEET;
            case Types.TOKEN -> ofToken(side, view);
            default -> Place.FLEET;
        };
    }

    private static boolean moves(Optional<Document> before, Optional<Document> after) {
        return before.isPresent()
                && after.isPresent()
                && !ofCluster("", before.get()).equals(ofCluster("", after.get()));
    }

    /** Rights on one cluster give none in the workspace and environment that it comes from or goes to. */
    private static Place surroundings(Document cluster) {
        Place place = ofCluster(cluster.id(), cluster);
        return new Place(null, place.workspace(), place.environments());
    }

    static Place ofToken(Document token, FleetView view) {
        if (!readable(token)) {
            return Place.FLEET;
        }
        StoredToken stored = StoredToken.of(token);
        return stored.isForCluster()
                ? ofCluster(stored.subject(), view.document(Types.CLUSTER, stored.subject()))
                : Place.FLEET;
    }

    static Place ofScope(JsonNode scope, FleetView view) {
        String word = scope.propertyNames().stream().findFirst().orElse("");
        String id = scope.path(word).stringValue("");
        return switch (word) {
            case Types.ENVIRONMENT -> new Place(null, null, Set.of(id));
            case Types.WORKSPACE -> new Place(null, id, null);
            case Types.CLUSTER -> ofCluster(id, view.document(Types.CLUSTER, id));
            default -> Place.FLEET;
        };
    }

    private static boolean readable(Document document) {
        return document.fault().isEmpty();
    }

    /** The environments that a change of a shared layer is about: those of by_environment, if nothing else changes. */
    private static @Nullable Set<String> touched(Optional<Document> before, Optional<Document> after) {
        if (before.isEmpty() || after.isEmpty() || !readable(before.get()) || !readable(after.get())) {
            return null;
        }
        ObjectNode old = before.get().tree();
        ObjectNode now = after.get().tree();
        JsonNode oldLayers = old.path("by_environment");
        JsonNode nowLayers = now.path("by_environment");
        old.remove("by_environment");
        now.remove("by_environment");
        if (!old.equals(now)) {
            return null;
        }
        Set<String> names = new HashSet<>(oldLayers.propertyNames());
        names.addAll(nowLayers.propertyNames());
        names.removeIf(name -> oldLayers.path(name).equals(nowLayers.path(name)));
        return names;
    }
}
