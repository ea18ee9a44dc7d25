package dev.homeport.server.poll;

import dev.homeport.access.Powers;
import dev.homeport.collection.Bits;
import dev.homeport.document.Document;
import dev.homeport.document.Types;
import dev.homeport.fleet.Cluster;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.json.StrictJson;
import dev.homeport.server.http.Reply;
import dev.homeport.snapshot.LabelSelector;
import dev.homeport.snapshot.Snapshot;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The list of clusters as inputs, for whoever provisions them. */
final class ClusterInputs {
    private ClusterInputs() {}

    static Reply reply(Snapshot snapshot, Map<String, String> query, Powers powers) {
        LabelSelector selector = LabelSelector.parse(query.getOrDefault("label_selector", ""));
        String environment = query.getOrDefault("environment", "");
        ObjectNode body = StrictJson.object();
        ArrayNode inputs = body.putArray("inputs");
        if (environment.isEmpty()) {
            snapshot.all(Types.CLUSTER).values().forEach(cluster -> add(snapshot, cluster, selector, powers, inputs));
        } else {
            Bits members = snapshot.clustersWith("environments/" + environment);
            members.forEach(slot -> add(snapshot, snapshot.clusterInSlot(slot), selector, powers, inputs));
        }
        return Reply.json(200, body);
    }

    private static void add(
            Snapshot snapshot, Document document, LabelSelector selector, Powers powers, ArrayNode inputs) {
        ClusterLife life = ClusterLife.of(snapshot.document(Types.CLUSTER_LIFE, document.id()));
        if (document.fault().isPresent() || life.phase() != ClusterLife.Phase.ACTIVE || !powers.sees(document)) {
            return;
        }
        Cluster cluster = Cluster.of(document);
        if (selector.matches(cluster.labels())) {
            inputs.addObject()
                    .put("id", cluster.id())
                    .put("cluster_name", cluster.name())
                    .put("cluster_dns", cluster.dns())
                    .put("environment", cluster.environment());
        }
    }
}
