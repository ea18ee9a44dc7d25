package dev.homeport.server.admin;

import dev.homeport.access.Powers;
import dev.homeport.change.History;
import dev.homeport.change.RecordedChange;
import dev.homeport.change.RecordedCommit;
import dev.homeport.document.Document;
import dev.homeport.document.Stamp;
import dev.homeport.document.Types;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.json.StrictJson;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The changes of a commit, each with the document before and after. */
final class ChangeJson {
    private final CommitPages seen;
    private final History history;

    ChangeJson(History history, Powers powers) {
        this.history = history;
        this.seen = new CommitPages(history, powers);
    }

    ArrayNode all(RecordedCommit commit) {
        return some(commit, 0, Integer.MAX_VALUE);
    }

    /** Of those that the reader sees. */
    ArrayNode some(RecordedCommit commit, int from, int to) {
        ArrayNode changes = JsonNodeFactory.instance.arrayNode();
        List<RecordedChange> all = seen.changes(commit);
        all.subList(Math.min(from, all.size()), Math.min(to, all.size()))
                .forEach(change -> changes.add(one(change, commit.commit().stamp())));
        return changes;
    }

    private ObjectNode one(RecordedChange change, Stamp stamp) {
        Optional<Document> before = history.documentAt(change.key(), stamp.revision() - 1);
        Optional<Document> after = change.after().map(body -> Document.of(change.key(), body, stamp, stamp));
        ObjectNode json = StrictJson.object();
        boolean life = change.key().type().equals(Types.CLUSTER_LIFE);
        json.put("type", life ? Types.CLUSTER : change.key().type());
        json.put("id", change.key().id());
        json.put("part", life ? "status" : "spec");
        json.put("change", before.isEmpty() ? "created" : after.isEmpty() ? "removed" : "changed");
        before.filter(document -> seen.sees(document, stamp.revision() - 1))
                .ifPresent(document -> put(json, "before", document));
        after.filter(document -> seen.sees(document, stamp.revision()))
                .ifPresent(document -> put(json, "after", document));
        if (change.redacted()) {
            json.put("redacted", true);
        }
        return json;
    }

    private static void put(ObjectNode json, String side, Document document) {
        if (document.fault().isPresent()) {
            json.put(side + "_fault", document.fault().get());
        } else if (document.type().equals(Types.CLUSTER_LIFE)) {
            ClusterStatus.addLife(ClusterLife.of(document), json.putObject(side));
        } else {
            json.set(side, DocumentJson.spec(document));
        }
    }
}
