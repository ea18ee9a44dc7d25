package dev.homeport.access;

import dev.homeport.document.Document;
import dev.homeport.document.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/**
 * What templates and environments assign to the clusters that a tenant's document is about. That is the platform's, and not the
 * workspace's own.
 */
final class SharedItems {
    private static final List<String> FIELDS = List.of("platform_components", "namespaces", "rolebindings");

    private final AccessView view;
    private final Document document;
    private final List<Surroundings> clusters;

    private SharedItems(AccessView view, Document document, List<Surroundings> clusters) {
        this.view = view;
        this.document = document;
        this.clusters = List.copyOf(clusters);
    }

    /** The shared layers of a cluster; either may be empty. */
    private record Surroundings(String template, String environment) {
        static Surroundings of(Document cluster) {
            JsonNode body = cluster.tree();
            return new Surroundings(
                    body.path("template").stringValue(""),
                    body.path("environment").stringValue(""));
        }
    }

    /** Nothing for a document that is a shared layer itself. */
    static Optional<SharedItems> concerning(Optional<Document> before, Document after, AccessView view) {
        return switch (after.type()) {
            case Types.CLUSTER -> {
                List<Surroundings> both = new ArrayList<>(List.of(Surroundings.of(after)));
                before.filter(SharedItems::isReadable).map(Surroundings::of).ifPresent(both::add);
                yield Optional.of(new SharedItems(view, after, both));
            }
            case Types.WORKSPACE -> {
                List<Surroundings> all = StreamSupport.stream(
                                view.clustersOf(after.id()).spliterator(), false)
                        .filter(SharedItems::isReadable)
                        .map(Surroundings::of)
                        .distinct()
                        .toList();
                yield Optional.of(new SharedItems(view, after, all));
            }
            default -> Optional.empty();
        };
    }

    private static boolean isReadable(Document document) {
        return document.fault().isEmpty();
    }

    /** The shared layer that assigns an item, in words. */
    Optional<String> assigner(String environment, String plural, String id) {
        Optional<String> own = clusters.stream()
                .filter(cluster -> environment.isEmpty() || environment.equals(cluster.environment()))
                .flatMap(cluster -> assigner(cluster, plural, id).stream())
                .findFirst();
        boolean wholeWorkspace = document.type().equals(Types.WORKSPACE);
        return own.isPresent() || !wholeWorkspace || isWorkspacesOwn(environment, plural, id)
                ? own
                : anywhere(plural, id);
    }

    /** The same if a change of a cluster brings it into layers that assign the item, out of some that do not. */
    Optional<String> newAssigner(String plural, String id) {
        boolean moves = document.type().equals(Types.CLUSTER) && clusters.size() == 2;
        return moves && assigner(clusters.get(1), plural, id).isEmpty()
                ? assigner(clusters.getFirst(), plural, id)
                : Optional.empty();
    }

    private Optional<String> assigner(Surroundings cluster, String plural, String id) {
        Document template = view.document(Types.CLUSTER_TEMPLATE, cluster.template());
        Document environment = view.document(Types.ENVIRONMENT, cluster.environment());
        if (template != null && assigns(template, cluster.environment(), plural, id)) {
            return Optional.of(template.key().toString());
        }
        return environment != null && assigns(environment, "", plural, id)
                ? Optional.of(environment.key().toString())
                : Optional.empty();
    }

    /** What is stored in the workspace's document, so that no request makes something its own by itself. */
    private boolean isWorkspacesOwn(String environment, String plural, String id) {
        Document stored = view.document(Types.WORKSPACE, document.id());
        return stored != null && assigns(stored, environment, plural, id);
    }

    /** A cluster with any template may come into the workspace later, and with it what the workspace says of its items. */
    private Optional<String> anywhere(String plural, String id) {
        for (String type : List.of(Types.CLUSTER_TEMPLATE, Types.ENVIRONMENT)) {
            for (Document layer : view.documents(type)) {
                boolean assigns = isReadable(layer)
                        && (assigns(layer.tree(), plural, id)
                                || layer.tree().path("by_environment").values().stream()
                                        .anyMatch(one -> assigns(one, plural, id)));
                if (assigns) {
                    return Optional.of(layer.key().toString());
                }
            }
        }
        return Optional.empty();
    }

    private static boolean assigns(Document layer, String environment, String plural, String id) {
        return isReadable(layer)
                && (assigns(layer.tree(), plural, id)
                        || assigns(layer.tree().path("by_environment").path(environment), plural, id));
    }

    /** Whether a layer's own list has the item, enabled or not. */
    static boolean assigns(JsonNode layer, String plural, String id) {
        return ref(layer, plural, id).filter(SharedItems::isAssignment).isPresent();
    }

    static boolean enables(JsonNode layer, String plural, String id) {
        return ref(layer, plural, id)
                .filter(ref -> isAssignment(ref) && ref.path("enabled").booleanValue(true))
                .isPresent();
    }

    private static boolean isAssignment(JsonNode ref) {
        return ref.path("assign").booleanValue(true) && !ref.path("remove").booleanValue(false);
    }

    private static Optional<JsonNode> ref(JsonNode layer, String plural, String id) {
        String field = plural.replace('-', '_');
        JsonNode refs =
                FIELDS.contains(field) ? layer.path(field) : layer.path("refs").path(plural);
        return refs.valueStream()
                .filter(ref -> ref.path("id").stringValue("").equals(id))
                .findFirst();
    }
}
