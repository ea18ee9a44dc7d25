package dev.homeport.demo;

import dev.homeport.access.Actor;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import dev.homeport.write.ConfirmationRequired;
import dev.homeport.write.Expected;
import dev.homeport.write.Operation;
import dev.homeport.write.Outcome;
import dev.homeport.write.WriteRequest;
import dev.homeport.write.Writer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ObjectNode;

/** A month in which people ran this fleet, written by the real writer as if it were then. */
final class DemoHistory {
    private static final Actor ANA = new Actor(Actor.Kind.PERSON, "ana.kovac");
    private static final Actor BEN = new Actor(Actor.Kind.PERSON, "ben.osei");
    private static final Actor MARTA = new Actor(Actor.Kind.PERSON, "marta.silva");
    private static final Actor YUKI = new Actor(Actor.Kind.PERSON, "yuki.tanaka");
    private static final Actor PIPELINE = new Actor(Actor.Kind.SERVICE, "ci-platform");
    private static final int DAYS = 30;
    private static final int MOST_SURVEYED = 200;

    private final Writer writer;
    private final MovingClock clock;
    private final Instant now;

    DemoHistory(Writer writer, MovingClock clock, Instant now) {
        this.writer = writer;
        this.clock = clock;
        this.now = now;
    }

    static Instant begin(Instant now) {
        return now.minus(Duration.ofDays(DAYS));
    }

    /** What an operation makes beside a cluster's document, such as its token. */
    interface WithCluster {
        Operation of(DemoCluster cluster);
    }

    /** Returns at which revision each cluster was made. */
    Map<String, Long> write(List<DemoCluster> clusters, String pollInterval, WithCluster tokens) {
        at(30, 9);
        write(ANA, "the catalog of the platform", DemoCatalog.components());
        write(ANA, "namespaces and who may work in them", DemoCatalog.namespaces());
        write(ANA, "templates and workspaces", DemoCatalog.layers());
        Map<String, Long> made = new TreeMap<>();
        int day = 29;
        for (String workspace : DemoCluster.WORKSPACES) {
            at(day--, 10);
            List<DemoCluster> own = clusters.stream()
                    .filter(cluster -> cluster.workspace().equals(workspace))
                    .toList();
            adopt(workspace, own, pollInterval, tokens, made);
        }
        month(clusters);
        lately(clusters);
        return made;
    }

    private void adopt(
            String workspace,
            List<DemoCluster> clusters,
            String pollInterval,
            WithCluster tokens,
            Map<String, Long> made) {
        List<Operation> operations = new ArrayList<>();
        for (DemoCluster cluster : clusters) {
            operations.add(DemoCatalog.create(Types.CLUSTER, cluster.id(), cluster.document(pollInterval)));
            operations.add(tokens.of(cluster));
        }
        if (operations.isEmpty()) {
            return;
        }
        // Taken over from a list, in which not everything was filled in.
        long revision = write(WriteRequest.of(PIPELINE, "adopt the clusters of " + workspace, operations)
                .with(WriteRequest.Flag.IMPORTED));
        clusters.forEach(cluster -> made.put(cluster.id(), revision));
    }

    /** Upgrades arrive in the lower tiers first, and some things are tried and taken back. */
    private void month(List<DemoCluster> clusters) {
        int day = 20;
        for (DemoCatalog.Part part : DemoCatalog.PARTS) {
            for (String version : part.upgrades()) {
                String change = part.id() + " " + version;
                at(day, 9);
                edit(PIPELINE, change + " in dev", environment("dev"), body -> override(body, part.id(), version));
                at(day, 15);
                edit(PIPELINE, change + " in qa", environment("qa"), body -> override(body, part.id(), version));
                at(day - 1, 11);
                edit(
                        BEN,
                        "release " + change + " to all clusters",
                        component(part.id()),
                        body -> released(body, version));
                at(day - 1, 12);
                edit(PIPELINE, change + " is the default now", environment("dev"), body -> without(body, part.id()));
                edit(PIPELINE, change + " is the default now", environment("qa"), body -> without(body, part.id()));
                day = Math.max(3, day - 1);
            }
        }
        at(12, 10);
        edit(
                YUKI,
                "PAY-2210: two replicas for payments",
                workspace("payments"),
                body -> patch(body, "ingress-nginx", 2));
        at(11, 16);
        edit(YUKI, "ML-88: more room for the policy engine", workspace("ml"), body -> patch(body, "kyverno", 3));
        at(10, 8);
        edit(YUKI, "ML-88: was not the reason after all", workspace("ml"), body -> {
            body.remove("patches");
            return body;
        });
        int number = 0;
        // However large the fleet: each takes its time, and a month has no more of it.
        for (DemoCluster cluster : clusters.subList(0, Math.min(MOST_SURVEYED, clusters.size()))) {
            if (number++ % 9 == 0) {
                at(9 - number % 7, 8 + number % 9);
                edit(ANA, "site survey", cluster(cluster), body -> {
                    ((ObjectNode) body.get("labels")).put("surveyed", "2026");
                    return body;
                });
            }
        }
    }

    /** Recent changes, which a user looks at first. */
    private void lately(List<DemoCluster> clusters) {
        clock.moveTo(now.minus(Duration.ofHours(51)));
        write(
                BEN,
                "OPS-190: no changes during the sale",
                List.of(DemoCatalog.create(Types.FREEZE, "checkout-sale", freeze(now.plus(Duration.ofHours(2))))));
        clusters.stream()
                .filter(cluster -> cluster.habit() == DemoCluster.Habit.PINNED)
                .forEach(cluster -> {
                    clock.moveTo(now.minus(Duration.ofHours(29)));
                    edit(MARTA, "INC-8812: 1.19 does not start here", cluster(cluster), this::pin);
                });
        clock.moveTo(now.minus(Duration.ofHours(2)));
        edit(
                MARTA,
                "EDGE-412: the ingress shares the node's network, for less latency",
                workspace(DemoCluster.FAILING_WORKSPACE),
                body -> {
                    body.withObject("/by_environment/prod/patches/ingress-nginx")
                            .put("controller.hostNetwork", true);
                    return body;
                });
    }

    private ObjectNode freeze(Instant end) {
        ObjectNode body = StrictJson.object()
                .put("reason", "OPS-190: no changes during the sale")
                .put("owner", "team-checkout")
                .put("expires_at", text(end));
        body.putObject("scope").put("workspace", "checkout");
        return body;
    }

    private ObjectNode pin(ObjectNode body) {
        body.withArray("/platform_components")
                .addObject()
                .put("id", "cert-manager")
                .put("assign", false)
                .put("oci_tag", "v1.18.3")
                .put("owner", "marta.silva")
                .put("reason", "INC-8812: 1.19 does not start here")
                .put("expires_at", text(now.plus(Duration.ofHours(22))));
        return body;
    }

    private static ObjectNode override(ObjectNode body, String component, String version) {
        body.withArray("/platform_components")
                .addObject()
                .put("id", component)
                .put("assign", false)
                .put("oci_tag", version);
        return body;
    }

    private static ObjectNode without(ObjectNode body, String component) {
        body.withArray("/platform_components")
                .removeIf(reference -> reference.path("id").asString("").equals(component));
        return body;
    }

    private static ObjectNode released(ObjectNode body, String version) {
        return body.put("component_version", version).put("oci_tag", version);
    }

    private static ObjectNode patch(ObjectNode body, String component, int replicas) {
        body.withObject("/patches/" + component).put("replicaCount", replicas);
        return body;
    }

    private static DocumentKey environment(String id) {
        return new DocumentKey(Types.ENVIRONMENT, id);
    }

    private static DocumentKey workspace(String id) {
        return new DocumentKey(Types.WORKSPACE, id);
    }

    private static DocumentKey component(String id) {
        return new DocumentKey(Types.PLATFORM_COMPONENT, id);
    }

    private static DocumentKey cluster(DemoCluster cluster) {
        return new DocumentKey(Types.CLUSTER, cluster.id());
    }

    private static String text(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** So many days ago, at about this hour. */
    private void at(int daysAgo, int hour) {
        clock.moveTo(now.minus(Duration.ofDays(daysAgo))
                .truncatedTo(ChronoUnit.DAYS)
                .plus(Duration.ofHours(hour))
                .plus(Duration.ofMinutes(7L * daysAgo % 60)));
    }

    private void edit(Actor actor, String reason, DocumentKey key, UnaryOperator<ObjectNode> change) {
        write(actor, reason, List.of(new Operation.Edit(key, change, Expected.ANY)));
    }

    private void write(Actor actor, String reason, List<Operation> operations) {
        write(WriteRequest.of(actor, reason, operations));
    }

    private long write(WriteRequest request) {
        try {
            return revision(writer.write(request));
        } catch (ConfirmationRequired e) {
            return revision(writer.write(request.confirmedBy(e.token())));
        }
    }

    private static long revision(Outcome outcome) {
        return outcome instanceof Outcome.Committed committed
                ? committed.commit().revision()
                : 0;
    }
}
