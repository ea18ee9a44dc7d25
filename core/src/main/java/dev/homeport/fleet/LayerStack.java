package dev.homeport.fleet;

import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The layers of one cluster, weakest first. */
record LayerStack(FleetView base, Cluster cluster, List<LayerSource> sources) {

    /** Throws {@link Unresolved} when a layer's document is missing. */
    public static LayerStack of(FleetView view, Cluster cluster) {
        List<LayerSource> sources = new ArrayList<>(6);
        add(sources, view, Types.CLUSTER_TEMPLATE, cluster.template(), LayerSource.Kind.TEMPLATE, cluster);
        add(sources, view, Types.ENVIRONMENT, cluster.environment(), LayerSource.Kind.ENVIRONMENT, cluster);
        add(sources, view, Types.WORKSPACE, cluster.workspace(), LayerSource.Kind.WORKSPACE, cluster);
        if (!cluster.layer().isEmpty()) {
            sources.add(new LayerSource(LayerSource.Kind.CLUSTER, cluster.document(), cluster.layer()));
        }
        return new LayerStack(view, cluster, sources);
    }

    /** Whether another view holds the very same layers for this cluster. */
    boolean isSameIn(FleetView view) {
        return same(view, Types.CLUSTER_TEMPLATE, cluster.template())
                && same(view, Types.ENVIRONMENT, cluster.environment())
                && same(view, Types.WORKSPACE, cluster.workspace());
    }

    private boolean same(FleetView view, String type, @Nullable String id) {
        return id == null || view.document(type, id) == base.document(type, id);
    }

    /** Whether any layer says something about a component's values. */
    boolean patches(String component) {
        for (LayerSource source : sources) {
            Map<String, ComponentPatches> patches = source.layer().patches();
            if (!patches.isEmpty() && patches.containsKey(component)) {
                return true;
            }
        }
        return false;
    }

    private static void add(
            List<LayerSource> sources,
            FleetView view,
            String type,
            @Nullable String id,
            LayerSource.Kind kind,
            Cluster cluster) {
        if (id == null) {
            return;
        }
        Document document = view.document(type, id);
        if (document == null) {
            throw Unresolved.missing(cluster.document().key(), new DocumentKey(type, id));
        }
        SharedLayer shared = SharedLayer.of(document);
        if (!shared.layer().isEmpty()) {
            sources.add(new LayerSource(kind, document, shared.layer()));
        }
        Layer special = shared.byEnvironment().get(cluster.environment());
        if (special != null) {
            sources.add(new LayerSource(kind.byEnvironment(), document, special));
        }
    }
}
