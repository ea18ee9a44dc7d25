package dev.homeport.server.admin;

import dev.homeport.access.Powers;
import dev.homeport.change.ChangeOutline;
import dev.homeport.change.Commit;
import dev.homeport.change.History;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.WorkBudget;
import dev.homeport.snapshot.SeenInPast;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import tools.jackson.databind.node.ObjectNode;

/** Changes of a commit, each with the document before and after. Documents are read as they are shown, a few at a time. */
final class ChangeJson {
    private static final int AT_ONCE = 50;

    private final History history;
    private final SeenInPast seen;

    ChangeJson(History history, Powers powers) {
        this.history = history;
        this.seen = new SeenInPast(history, powers);
    }

    /**
     * Shows changes in their order until one is not taken any more.
     *
     * @param changes those that the reader sees
     * @return how many were taken
     */
    int show(Commit commit, List<ChangeOutline> changes, Predicate<ObjectNode> taken) {
        WorkBudget budget = WorkBudget.current();
        for (int from = 0; from < changes.size(); from += AT_ONCE) {
            List<ChangeOutline> some = changes.subList(from, Math.min(from + AT_ONCE, changes.size()));
            Side before = side(keys(some, change -> !change.creates()), commit.revision() - 1);
            Side after = side(keys(some, change -> !change.removes()), commit.revision());
            for (int i = 0; i < some.size(); i++) {
                budget.check();
                if (!taken.test(one(some.get(i), before, after))) {
                    return from + i;
                }
            }
        }
        return changes.size();
    }

    private static List<DocumentKey> keys(List<ChangeOutline> changes, Predicate<ChangeOutline> which) {
        return changes.stream().filter(which).map(ChangeOutline::key).toList();
    }

    /** Documents at one revision, and which of them the reader sees. */
    private record Side(Map<DocumentKey, Document> documents, Set<DocumentKey> seen) {
        void put(ObjectNode json, String name, DocumentKey key) {
            Document document = documents.get(key);
            if (document == null || !seen.contains(key)) {
                return;
            }
            if (document.fault().isPresent()) {
                json.put(name + "_fault", document.fault().get());
            } else if (key.type().equals(Types.CLUSTER_LIFE)) {
                ClusterStatus.addLife(ClusterLife.of(document), json.putObject(name));
            } else {
                json.set(name, DocumentJson.spec(document));
            }
        }
    }

    private Side side(List<DocumentKey> keys, long revision) {
        return new Side(history.documentsAt(keys, revision), seen.recorded(keys, revision));
    }

    private static ObjectNode one(ChangeOutline change, Side before, Side after) {
        DocumentKey key = change.key();
        boolean life = key.type().equals(Types.CLUSTER_LIFE);
        ObjectNode json = StrictJson.object()
                .put("type", life ? Types.CLUSTER : key.type())
                .put("id", key.id())
                .put("part", life ? "status" : "spec")
                .put("change", change.creates() ? "created" : change.removes() ? "removed" : "changed");
        before.put(json, "before", key);
        after.put(json, "after", key);
        if (change.redacted()) {
            json.put("redacted", true);
        }
        return json;
    }
}
