package dev.homeport.access;

import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.FleetView;
import dev.homeport.json.StrictJson;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** The roles that Homeport comes with, from the smallest to the largest. They are documents that only Homeport writes. */
public final class BuiltInRoles {
    public static final String PLATFORM_ADMIN = "platform-admin";
    public static final String CLUSTER_ADMIN = "cluster-admin";

    private static final Set<String> OF_WORKSPACES = Set.of("workspace-admin");
    private static final Set<String> OF_CLUSTERS = Set.of(CLUSTER_ADMIN);

    private static final Map<String, ObjectNode> BODIES = read();

    private BuiltInRoles() {}

    /** Bodies by id. */
    public static Map<String, ObjectNode> all() {
        Map<String, ObjectNode> copies = new LinkedHashMap<>();
        BODIES.forEach((id, body) -> copies.put(id, body.deepCopy()));
        return copies;
    }

    public static boolean contains(DocumentKey key) {
        return key.type().equals(Types.ACCESS_ROLE) && BODIES.containsKey(key.id());
    }

    /** The smallest role that allows this, at the smallest place that it is for. */
    static Refusal refusal(String reason, Verb verb, String type, Place place, FleetView view) {
        for (Map.Entry<String, ObjectNode> entry : BODIES.entrySet()) {
            String id = entry.getKey();
            boolean fits = (!OF_WORKSPACES.contains(id) || place.workspace() != null)
                    && (!OF_CLUSTERS.contains(id) || place.cluster() != null);
            boolean allows = Role.read(id, entry.getValue()).rules().stream()
                    .anyMatch(rule -> rule.hasVerb(verb.word()) && rule.hasType(type, view));
            if (fits && allows) {
                return new Refusal(reason, id, where(id, place));
            }
        }
        return new Refusal(reason, PLATFORM_ADMIN, Place.FLEET.toString());
    }

    private static String where(String role, Place place) {
        return OF_WORKSPACES.contains(role) ? "workspace/" + place.workspace() : place.toString();
    }

    static Refusal needs(String role, String reason, Place place) {
        return new Refusal(reason, role, place.toString());
    }

    private static Map<String, ObjectNode> read() {
        try (InputStream in = BuiltInRoles.class.getResourceAsStream("roles.json")) {
            if (in == null) {
                throw new IllegalStateException("the built-in roles are missing");
            }
            Map<String, ObjectNode> bodies = new LinkedHashMap<>();
            StrictJson.read(in.readAllBytes())
                    .path("roles")
                    .forEach(role -> bodies.put(role.path("id").stringValue(""), (ObjectNode) role));
            return bodies;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
