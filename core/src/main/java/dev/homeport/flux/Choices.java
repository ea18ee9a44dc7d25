package dev.homeport.flux;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Options of the manifests, the same for any number of clusters.
 *
 * @param namespace where Flux lives
 * @param pollInterval how often the cluster asks, until its document says otherwise
 * @param types plurals of the only types to adopt; empty: all there are, and all there will be
 * @param bindableRoles roles that role bindings may bind; empty: any
 * @param instance whether Flux is installed by a FluxInstance
 * @param clientCertificate Secret on the cluster with the certificate that opens polls in place of a token, its key, and the
 *     authority that vouches for Homeport
 * @param prometheusRule whether an operator in the cluster reads PrometheusRules
 */
public record Choices(
        String namespace,
        String pollInterval,
        List<String> types,
        Naming naming,
        List<String> bindableRoles,
        Instance instance,
        Optional<String> clientCertificate,
        boolean prometheusRule) {

    public static final Choices STANDARD = new Choices(
            "flux-system", "1m", List.of(), Naming.STANDARD, List.of(), Instance.DETECT, Optional.empty(), false);

    /** The operator's own kinds can be reported only where a FluxInstance has extended Flux's definitions. */
    public enum Instance {
        /** The cluster finds out: the alert on the operator's kinds is made once Flux's definition of an alert allows it. */
        DETECT,
        ABSENT,
        PRESENT,
        /** Part of the manifests. */
        CREATE
    }

    public Choices {
        types = List.copyOf(types);
        bindableRoles = List.copyOf(bindableRoles);
    }

    /** What stands between at signs in templates. */
    Map<String, String> inTemplates(ClusterIdentity identity) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("cluster-id", identity.id());
        all.put("namespace", namespace);
        all.put("object-name", naming.objects());
        all.put("source-name", naming.sources());
        all.put("release-name", naming.releases());
        all.put("target-namespace", naming.targetNamespace());
        all.put("release-storage", naming.storage() == Naming.Storage.TARGET ? "target" : "release");
        all.put("platform-account", ServiceAccounts.PLATFORM);
        return all;
    }
}
