package dev.homeport.access;

import dev.homeport.document.Document;
import dev.homeport.document.Types;
import dev.homeport.fleet.FleetSettings;
import dev.homeport.fleet.FleetView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * Fields that define the platform itself, what it trusts, and the limits of others: only a platform admin changes them. The
 * last of the environments, by their order, is the one whose clusters are protected.
 */
final class PlatformFields {
    private static final Map<String, List<String>> FIELDS = Map.of(
            Types.PLATFORM_COMPONENT, List.of("oci_url", "cluster_scoped", "verify", "tenants_may"),
            Types.TYPE, List.of("cluster_scoped", "template"),
            Types.WORKSPACE, List.of("service_account"),
            Types.ENVIRONMENT, List.of("order"),
            Types.CLUSTER, List.of("input_limit"));

    private static final String SETTINGS = "the settings of the fleet";

    private PlatformFields() {}

    /** What of the kind the change touches, in words. Taking a whole document away touches none, but for the settings. */
    static Optional<String> touched(Optional<Document> before, Optional<Document> after, FleetView view) {
        if (after.isEmpty()) {
            return before.filter(document -> document.type().equals(Types.SETTINGS))
                    .map(document -> SETTINGS);
        }
        JsonNode now = after.get().tree();
        JsonNode old = before.filter(document -> document.fault().isEmpty())
                .<JsonNode>map(Document::tree)
                .orElse(MissingNode.getInstance());
        if (after.get().type().equals(Types.SETTINGS)) {
            return old.equals(now) ? Optional.empty() : Optional.of(SETTINGS);
        }
        if (after.get().type().equals(Types.ROLEBINDING) && !old.equals(now)) {
            return java.util.stream.Stream.of(now, old)
                    .map(body -> body.path("role").stringValue(""))
                    .filter(role -> !role.isEmpty() && !allowed(role, view))
                    .findFirst()
                    .map(role -> "a binding of the role " + role + ", which is not in the fleet's role_allow_list,");
        }
        return FIELDS.getOrDefault(after.get().type(), List.of()).stream()
                .filter(field -> !old.path(field).equals(now.path(field)))
                .findFirst()
                .map(field -> "the field " + field);
    }

    private static boolean allowed(String role, FleetView view) {
        Document settings = view.document(Types.SETTINGS, FleetSettings.ID);
        return settings != null
                && settings.fault().isEmpty()
                && Rule.texts(settings.tree().path("role_allow_list")).contains(role);
    }
}
