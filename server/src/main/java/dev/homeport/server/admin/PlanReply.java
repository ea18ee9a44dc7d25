package dev.homeport.server.admin;

import dev.homeport.json.StrictJson;
import dev.homeport.problem.Problem;
import dev.homeport.server.http.ProblemReply;
import dev.homeport.server.http.Reply;
import dev.homeport.write.ConfirmationRequired;
import dev.homeport.write.ItemChange;
import dev.homeport.write.Plan;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A plan on the wire. */
final class PlanReply {
    /** A group may have a hundred thousand clusters; this many are named, and all are counted. */
    private static final int NAMED_CLUSTERS = 100;

    private PlanReply() {}

    static Reply confirmation(ConfirmationRequired refusal, String requestId) {
        Problem problem = refusal.problem();
        ObjectNode body = ProblemReply.body(problem.code(), problem.detail(), problem.next(), requestId);
        body.set("plan", json(refusal.plan()));
        body.put("confirmation", refusal.token());
        return ProblemReply.reply(problem.code(), body).with("Homeport-Confirm", refusal.token());
    }

    static ObjectNode json(Plan plan) {
        ObjectNode json = StrictJson.object();
        json.put("based_on", plan.basedOn());
        json.put("hash", plan.hash());
        json.put("clusters_changed", plan.clustersChanged());
        ArrayNode documents = json.putArray("documents");
        plan.documents().stream()
                .limit(NAMED_CLUSTERS)
                .forEach(change -> documents
                        .addObject()
                        .put("type", change.key().type())
                        .put("id", change.key().id())
                        .put("change", change.kind().name().toLowerCase(Locale.ROOT)));
        json.put("documents_changed", plan.documents().size());
        groups(json.putArray("groups"), plan.groups());
        texts(json.putArray("guards"), plan.guards());
        texts(json.putArray("warnings"), plan.warnings());
        texts(json.putArray("paused"), plan.paused());
        ArrayNode later = json.putArray("later");
        plan.later().forEach(expiry -> {
            ObjectNode one = later.addObject().put("document", expiry.key().toString());
            expiry.from().ifPresent(from -> one.put("from", from.toString()));
            groups(one.putArray("groups"), expiry.groups());
            texts(one.putArray("guards"), expiry.guards());
        });
        if (plan.others()) {
            json.put("others_changed", true);
        }
        return json;
    }

    private static void groups(ArrayNode array, List<Plan.Group> groups) {
        groups.forEach(group -> array.add(group(group)));
    }

    private static ObjectNode group(Plan.Group group) {
        ObjectNode json = StrictJson.object();
        json.put("type", group.type());
        json.put("empties", group.empties());
        json.put("cluster_count", group.clusters().size());
        texts(
                json.putArray("clusters"),
                group.clusters().stream().limit(NAMED_CLUSTERS).toList());
        ArrayNode changes = json.putArray("changes");
        for (ItemChange change : group.changes()) {
            ObjectNode one = changes.addObject()
                    .put("id", change.id())
                    .put("change", change.kind().name().toLowerCase(Locale.ROOT));
            if (change.kept()) {
                one.put("kept", true);
            }
            change.fieldsBefore().ifPresent(before -> one.set("before", before));
            change.fieldsAfter().ifPresent(after -> one.set("after", after));
        }
        return json;
    }

    private static void texts(ArrayNode array, List<String> texts) {
        texts.forEach(array::add);
    }
}
