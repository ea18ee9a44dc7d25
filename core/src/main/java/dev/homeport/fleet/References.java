package dev.homeport.fleet;

import dev.homeport.document.Document;
import dev.homeport.document.Types;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** What a document needs to exist, written {@code plural/id}. */
public final class References {
    private References() {}

    public static Set<String> of(Document document) {
        return switch (document.type()) {
            case Types.CLUSTER -> of(Cluster.of(document));
            case Types.ENVIRONMENT, Types.WORKSPACE, Types.CLUSTER_TEMPLATE -> of(SharedLayer.of(document));
            case Types.FREEZE, Types.PROBE -> ofScope(document.tree().path("scope"));
            case Types.ACCESS_GRANT ->
                Set.of("access-roles/" + document.tree().path("role").stringValue(""));
            default -> Set.of();
        };
    }

    public static Set<String> of(Cluster cluster) {
        Set<String> all = new TreeSet<>();
        all.add("environments/" + cluster.environment());
        if (cluster.workspace() != null) {
            all.add("workspaces/" + cluster.workspace());
        }
        if (cluster.template() != null) {
            all.add("cluster-templates/" + cluster.template());
        }
        add(cluster.layer(), all);
        return all;
    }

    private static Set<String> of(SharedLayer shared) {
        Set<String> all = new TreeSet<>();
        add(shared.layer(), all);
        shared.byEnvironment().forEach((environment, layer) -> {
            all.add("environments/" + environment);
            add(layer, all);
        });
        return all;
    }

    private static void add(Layer layer, Set<String> all) {
        layer.refs().forEach((plural, refs) -> {
            for (Ref ref : refs) {
                all.add(plural + "/" + ref.id());
            }
        });
        layer.patches().keySet().forEach(component -> all.add("platform-components/" + component));
    }

    private static Set<String> ofScope(JsonNode scope) {
        Set<String> all = new TreeSet<>();
        scope.forEachEntry((part, id) -> {
            if (id.isString()) {
                all.add(part + "s/" + id.stringValue());
            }
        });
        return all;
    }
}
