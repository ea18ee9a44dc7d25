package dev.homeport.document;

import dev.homeport.problem.Violation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a cluster must be beyond its schema. */
final class ClusterRules {
    private ClusterRules() {}

    static List<Violation> check(ObjectNode cluster) {
        List<Violation> found = new ArrayList<>(LayerRules.check(cluster, ""));
        JsonNode aliases = cluster.path("dns_aliases");
        Set<String> names = new HashSet<>();
        names.add(cluster.path("cluster_dns").asString(""));
        for (int i = 0; i < aliases.size(); i++) {
            String alias = aliases.path(i).path("dns").asString("");
            if (!alias.isEmpty() && !names.add(alias)) {
                found.add(new Violation(
                        Pointer.child(Pointer.child("/dns_aliases", i), "dns"),
                        "'" + Shown.text(alias) + "' is the cluster's name already (duplicate)",
                        "an alias is a former name; name each once"));
            }
        }
        return found;
    }
}
