package dev.homeport.access;

import dev.homeport.document.Document;
import dev.homeport.document.Types;
import dev.homeport.fleet.Cluster;
import dev.homeport.fleet.Tiers;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Fields that lift a guard or change who a cluster is. Changing one needs the right to do what it makes possible, not only the
 * right to update the document.
 */
final class SensitiveFields {
    private SensitiveFields() {}

    static List<RequiredRight> of(Document before, Document after, AccessView view) {
        if (before.fault().isPresent() || after.fault().isPresent()) {
            return List.of();
        }
        return switch (after.type()) {
            case Types.CLUSTER -> ofCluster(before, after, view);
            case Types.NAMESPACE, Types.PLATFORM_COMPONENT -> ofItem(before.tree(), after.tree(), after);
            case Types.FREEZE ->
                before.tree().path("scope").equals(after.tree().path("scope"))
                        ? List.of()
                        : List.of(new RequiredRight(
                                Verb.DELETE, Types.FREEZE, "change the scope of " + after.key() + ", which lifts it"));
            default -> List.of();
        };
    }

    private static List<RequiredRight> ofCluster(Document before, Document after, AccessView view) {
        List<RequiredRight> needed = new ArrayList<>();
        Tiers tiers = new Tiers(view.documents(Types.ENVIRONMENT));
        if (tiers.isProtected(Cluster.of(before)) && !tiers.isProtected(Cluster.of(after))) {
            needed.add(new RequiredRight(
                    Verb.DECOMMISSION,
                    Types.CLUSTER,
                    "take the protection of " + after.key()
                            + " away, without which it can be decommissioned unconfirmed"));
        }
        JsonNode old = before.tree();
        JsonNode now = after.tree();
        for (String field : List.of("cluster_dns", "dns_aliases")) {
            if (!old.path(field).equals(now.path(field))) {
                needed.add(new RequiredRight(
                        Verb.DELETE,
                        Types.CLUSTER,
                        "change " + field + " of " + after.key() + ", which takes a name away from its cluster"));
            }
        }
        if (!old.path("event_key").equals(now.path("event_key"))) {
            needed.add(new RequiredRight(
                    Verb.UPDATE, Types.TOKEN, "change event_key of " + after.key() + ", which is a credential"));
        }
        return needed;
    }

    /** Without these marks, a removal is not confirmed, or deletes the namespace with all that is in it. */
    private static List<RequiredRight> ofItem(JsonNode old, JsonNode now, Document item) {
        boolean careless = old.path("stateful").booleanValue(false)
                && !now.path("stateful").booleanValue(false);
        boolean deletes =
                old.path("keep").booleanValue(true) && !now.path("keep").booleanValue(true);
        if (!careless && !deletes) {
            return List.of();
        }
        return List.of(new RequiredRight(
                Verb.DELETE,
                item.type(),
                (careless ? "take stateful away from " : "set keep to false in ") + item.key()
                        + ", without which a removal loses data"));
    }
}
