package dev.homeport.fleet;

/** How a cluster is named in its answers. */
public record ClusterBlock(String id, String name, String dns, String environment) {
    public static ClusterBlock of(Cluster cluster) {
        return new ClusterBlock(cluster.id(), cluster.name(), cluster.dns(), cluster.environment());
    }
}
