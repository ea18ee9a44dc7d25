package dev.homeport.server.admin;

import dev.homeport.change.Commit;
import dev.homeport.json.StrictJson;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Commits on the wire. */
final class CommitJson {
    private CommitJson() {}

    static ObjectNode of(Commit commit) {
        ObjectNode json = StrictJson.object()
                .put("revision", commit.revision())
                .put("epoch", commit.epoch())
                .put("at", commit.at().toString())
                .put("actor", commit.actor().toString())
                .put("reason", commit.reason())
                .put("request_id", commit.requestId())
                .put("change_count", commit.changeCount())
                .put("previous_hash", commit.previousHash())
                .put("hash", commit.hash());
        ObjectNode marks = json.putObject("marks");
        commit.marks().forEach(marks::put);
        return json;
    }

    /** @param commits one more than the page takes, when there are more */
    static ObjectNode page(List<Commit> commits, Paging paging) {
        ObjectNode body = StrictJson.object();
        ArrayNode items = body.putArray("items");
        commits.stream().limit(paging.size()).forEach(commit -> items.add(of(commit)));
        if (commits.size() > paging.size()) {
            body.put(
                    "next_page_token",
                    Paging.token(commits.get(paging.size() - 1).revision()));
        }
        return body;
    }
}
