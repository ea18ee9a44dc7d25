package dev.homeport.access;

import dev.homeport.document.Document;
import dev.homeport.document.Types;
import dev.homeport.fleet.FleetView;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A grant, read from its document and cached with it, since every request needs it.
 *
 * @param scope the one word of the scope: fleet, environment, workspace or cluster
 * @param scopeId what of that kind; empty for the fleet
 */
record Grant(
        String subject,
        String role,
        String scope,
        String scopeId,
        Set<String> verbs,
        Set<String> types,
        Set<String> environments,
        @Nullable Instant expiresAt,
        long revision) {

    static Grant of(Document document) {
        return document.derive(Grant::read);
    }

    private static Grant read(Document document) {
        JsonNode body = document.tree();
        String scope = body.path("scope").propertyNames().stream().findFirst().orElse("");
        String expiry = body.path("expires_at").stringValue("");
        return new Grant(
                body.path("subject").stringValue(""),
                body.path("role").stringValue(""),
                scope,
                body.path("scope").path(scope).stringValue(""),
                Rule.texts(body.path("verbs")),
                Rule.texts(body.path("types")),
                Rule.texts(body.path("environments")),
                expiry.isEmpty() ? null : Instant.parse(expiry),
                document.updated().revision());
    }

    boolean isForFleet() {
        return scope.equals("fleet");
    }

    boolean isLive(Instant now) {
        return expiresAt == null || expiresAt.isAfter(now);
    }

    /** A grant for something that was deleted does not count for a later one of the same name. */
    boolean isStillMeant(FleetView view) {
        if (isForFleet()) {
            return true;
        }
        Document there = view.document(scope, scopeId);
        return there != null && there.created().revision() <= revision;
    }

    /** Where the grant holds. */
    Place place() {
        Set<String> within = new HashSet<>(environments);
        boolean all = environments.isEmpty();
        return switch (scope) {
            case Types.ENVIRONMENT -> {
                within.retainAll(Set.of(scopeId));
                yield new Place(null, null, all ? Set.of(scopeId) : within);
            }
            case Types.WORKSPACE -> new Place(null, scopeId, all ? null : within);
            case Types.CLUSTER -> new Place(scopeId, null, all ? null : within);
            default -> new Place(null, null, all ? null : within);
        };
    }

    /** What the grant is about as an object of the fleet: a cluster's is where the cluster is. */
    Place target(FleetView view) {
        Place place = place();
        if (place.cluster() == null) {
            return place;
        }
        Place cluster = Places.ofCluster(place.cluster(), view.document(Types.CLUSTER, place.cluster()));
        return place.environments() == null
                ? cluster
                : new Place(cluster.cluster(), cluster.workspace(), place.environments());
    }
}
