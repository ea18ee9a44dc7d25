package dev.homeport.fleet;

import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The layers of one cluster, weakest first.
 *
 * @param serviceAccount what is delivered under, as far as the cluster's workspace or the cluster itself speaks of it
 * @param accountForBindings whether that is so for role bindings too
 */
record LayerStack(
        FleetView base,
        Cluster cluster,
        List<LayerSource> sources,
        @Nullable String serviceAccount,
        boolean accountForBindings) {

    /** The first in which each role binding can be made by an account of its own. */
    private static final int BINDINGS_BY_ACCOUNT = 2;

    /** Throws {@link Unresolved} when a layer's document is missing. */
    public static LayerStack of(FleetView view, Cluster cluster) {
        List<LayerSource> sources = new ArrayList<>(6);
        add(sources, view, Types.CLUSTER_TEMPLATE, cluster.template(), LayerSource.Kind.TEMPLATE, cluster);
        add(sources, view, Types.ENVIRONMENT, cluster.environment(), LayerSource.Kind.ENVIRONMENT, cluster);
        SharedLayer workspace =
                add(sources, view, Types.WORKSPACE, cluster.workspace(), LayerSource.Kind.WORKSPACE, cluster);
        if (!cluster.layer().isEmpty()) {
            sources.add(new LayerSource(LayerSource.Kind.CLUSTER, cluster.document(), cluster.layer()));
        }
        String account = workspace == null ? null : workspace.serviceAccount();
        return new LayerStack(view, cluster, sources, account, account != null && accountForBindings(view));
    }

    private static boolean accountForBindings(FleetView view) {
        return FleetSettings.orStandard(view).answerFormat() >= BINDINGS_BY_ACCOUNT;
    }

    /** The account that an item is delivered under: the workspace's, once a tenant's layer has a say in it. */
    @Nullable
    String accountFor(MergedRef ref) {
        return serviceAccount != null && (ref.isTenants() || tenantPatches(ref.id())) ? serviceAccount : null;
    }

    private boolean tenantPatches(String component) {
        for (LayerSource source : sources) {
            if (source.kind().isTenants() && source.layer().patches().containsKey(component)) {
                return true;
            }
        }
        return false;
    }

    /** Whether another view holds the very same layers for this cluster. */
    boolean isSameIn(FleetView view) {
        return (serviceAccount == null || accountForBindings == accountForBindings(view))
                && same(view, Types.CLUSTER_TEMPLATE, cluster.template())
                && same(view, Types.ENVIRONMENT, cluster.environment())
                && same(view, Types.WORKSPACE, cluster.workspace());
    }

    private boolean same(FleetView view, String type, @Nullable String id) {
        return id == null || view.document(type, id) == base.document(type, id);
    }

    private static @Nullable SharedLayer add(
            List<LayerSource> sources,
            FleetView view,
            String type,
            @Nullable String id,
            LayerSource.Kind kind,
            Cluster cluster) {
        if (id == null) {
            return null;
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
        return shared;
    }
}
