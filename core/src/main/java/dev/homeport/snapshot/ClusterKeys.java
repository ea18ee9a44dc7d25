package dev.homeport.snapshot;

import dev.homeport.document.Document;
import dev.homeport.fleet.Cluster;
import dev.homeport.fleet.References;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The keys under which one cluster is indexed. A cluster that cannot be read is found by its id alone. */
record ClusterKeys(Set<String> members, List<String> dnsNames) {
    /** Clusters from imports and root paths that have no owner yet. */
    static final String WITHOUT_OWNER = "debt/owner";

    /** Clusters whose documents cannot be read: whatever name is asked for may be one of theirs. */
    static final String UNREADABLE = "fault/cluster";

    static ClusterKeys of(Document document) {
        if (document.fault().isPresent()) {
            return new ClusterKeys(Set.of(UNREADABLE), List.of());
        }
        Cluster cluster = Cluster.of(document);
        Set<String> members = new TreeSet<>(References.of(cluster));
        cluster.labels().forEach((key, value) -> members.add(label(key, value)));
        if (cluster.owner() == null) {
            members.add(WITHOUT_OWNER);
        }
        List<String> dnsNames = new ArrayList<>();
        dnsNames.add(cluster.dns());
        cluster.dnsAliases().forEach(alias -> dnsNames.add(alias.dns()));
        return new ClusterKeys(members, dnsNames);
    }

    static String label(String key, String value) {
        return "label/" + key + "=" + value;
    }
}
