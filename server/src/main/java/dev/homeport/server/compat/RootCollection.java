package dev.homeport.server.compat;

import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The four collections, with their own spelling. */
enum RootCollection {
    CLUSTERS("clusters", Types.CLUSTER, Set.of("cluster_dns", "environment")),
    PLATFORM_COMPONENTS("platform_components", Types.PLATFORM_COMPONENT, Set.of("component_version")),
    NAMESPACES("namespaces", Types.NAMESPACE, Set.of()),
    ROLEBINDINGS("rolebindings", Types.ROLEBINDING, Set.of());

    /** What clusters made here declare, as the manifests of those who come from there have no filter.limit. */
    private static final int INPUT_LIMIT = 100;

    private final String path;
    private final String type;
    private final Set<String> filters;

    RootCollection(String path, String type, Set<String> filters) {
        this.path = path;
        this.type = type;
        this.filters = filters;
    }

    String path() {
        return path;
    }

    String type() {
        return type;
    }

    /** Fields that a list can be filtered by. */
    Set<String> filters() {
        return filters;
    }

    /** The collection that a path belongs to, its documents included. */
    static Optional<RootCollection> ofPath(String asked) {
        for (RootCollection collection : values()) {
            int length = collection.path.length() + 1;
            boolean begins = asked.startsWith(collection.path, 1) && asked.charAt(0) == '/';
            if (begins && (asked.length() == length || asked.charAt(length) == '/')) {
                return Optional.of(collection);
            }
        }
        return Optional.empty();
    }

    /** Adds what a document made here is stored with when the request does not say it. */
    ObjectNode born(ObjectNode body) {
        switch (this) {
            case CLUSTERS -> {
                if (!body.has("protected")) {
                    body.put("protected", false);
                }
                if (!body.has("input_limit")) {
                    body.put("input_limit", INPUT_LIMIT);
                }
            }
            case PLATFORM_COMPONENTS -> {
                if (!body.has("cluster_env_enabled")) {
                    body.put("cluster_env_enabled", false);
                }
                // There is no kind there; what comes from a web address can only be a chart.
                if (!body.has("kind") && body.path("oci_url").asString("").startsWith("https:")) {
                    body.put("kind", "helm");
                }
            }
            case NAMESPACES, ROLEBINDINGS -> {}
        }
        return body;
    }

    /** The document as that service shows it: lists and maps are never missing, and a reference says if it is enabled. */
    ObjectNode shown(ObjectNode body) {
        switch (this) {
            case CLUSTERS -> {
                List.of("platform_components", "namespaces", "rolebindings").forEach(list -> {
                    if (!body.has(list)) {
                        body.putArray(list);
                    }
                });
                orEmpty(body, "patches");
                for (JsonNode reference : body.path("platform_components")) {
                    if (reference instanceof ObjectNode component && !component.has("enabled")) {
                        component.put("enabled", true);
                    }
                }
            }
            case PLATFORM_COMPONENTS -> {
                if (!body.has("depends_on")) {
                    body.putArray("depends_on");
                }
                if (!body.has("cluster_env_enabled")) {
                    body.put("cluster_env_enabled", false);
                }
            }
            case NAMESPACES -> {
                orEmpty(body, "labels");
                orEmpty(body, "annotations");
            }
            case ROLEBINDINGS -> {}
        }
        return body;
    }

    private static void orEmpty(ObjectNode body, String map) {
        if (!body.has(map)) {
            body.set(map, StrictJson.object());
        }
    }
}
