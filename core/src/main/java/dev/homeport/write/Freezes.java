package dev.homeport.write;

import dev.homeport.document.Document;
import dev.homeport.document.Types;
import dev.homeport.fleet.Cluster;
import dev.homeport.json.StrictJson;
import dev.homeport.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The switches that are set. A freeze ends by being deleted, by a person or by its expiry. */
final class Freezes {
    private record Freeze(String id, JsonNode scope, String reason) {}

    /** What a freeze that cannot be read may have meant. */
    private static final JsonNode EVERYTHING = StrictJson.object().put("fleet", true);

    private final List<Freeze> freezes = new ArrayList<>();

    Freezes(Snapshot snapshot) {
        for (Document document : snapshot.all(Types.FREEZE).values()) {
            if (document.fault().isPresent()) {
                freezes.add(new Freeze(document.id(), EVERYTHING, "which cannot be read"));
                continue;
            }
            JsonNode body = document.tree();
            freezes.add(new Freeze(
                    document.id(), body.path("scope"), body.path("reason").stringValue("")));
        }
    }

    boolean none() {
        return freezes.isEmpty();
    }

    /** The freeze that holds this cluster, in words. */
    Optional<String> on(Cluster cluster) {
        return freezes.stream()
                .filter(freeze -> covers(freeze.scope(), cluster))
                .findFirst()
                .map(freeze -> "freeze/" + freeze.id() + " (" + freeze.reason() + ") holds cluster/" + cluster.id());
    }

    private static boolean covers(JsonNode scope, Cluster cluster) {
        return scope.path("fleet").booleanValue(false)
                || scope.path("environment").stringValue("").equals(cluster.environment())
                || scope.path("workspace").stringValue("").equals(cluster.workspace())
                || scope.path("cluster").stringValue("").equals(cluster.id());
    }
}
