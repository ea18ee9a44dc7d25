package dev.homeport.flux;

import dev.homeport.fleet.Cluster;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * All that is a cluster's own in the manifests it gets, besides its secrets.
 *
 * @param url where it reaches Homeport, without a slash at the end
 */
public record ClusterIdentity(String id, String name, String dns, String environment, String url) {
    public static ClusterIdentity of(Cluster cluster, String url) {
        return new ClusterIdentity(cluster.id(), cluster.name(), cluster.dns(), cluster.environment(), url);
    }

    /** Variables in place of one cluster's words: Flux puts them in on each cluster, from its {@code cluster-identity}. */
    public static ClusterIdentity variables() {
        return new ClusterIdentity(
                "${CLUSTER_ID}", "${CLUSTER_NAME}", "${CLUSTER_DNS}", "${ENVIRONMENT}", "${INTERNAL_API_URL}");
    }

    /** What the ConfigMap {@code cluster-identity} holds. */
    public Map<String, String> asVariables() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("CLUSTER_ID", id);
        all.put("CLUSTER_NAME", name);
        all.put("CLUSTER_DNS", dns);
        all.put("ENVIRONMENT", environment);
        all.put("INTERNAL_API_URL", url);
        return all;
    }

    String polls() {
        return url + "/api/v2/flux/clusters/" + dns;
    }

    /** Only a server on the same machine may be spoken to in the clear. */
    boolean plain() {
        return url.startsWith("http://");
    }
}
