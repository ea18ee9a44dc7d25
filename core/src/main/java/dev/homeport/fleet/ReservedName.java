package dev.homeport.fleet;

import dev.homeport.document.Body;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import tools.jackson.databind.JsonNode;

/**
 * An id or a DNS name that a cluster gave up while something may still run and poll under it: a new cluster of that name would
 * begin with empty answers.
 *
 * @param cluster the id of the cluster that had it
 * @param since the revision that gave it up
 */
public record ReservedName(String name, String cluster, long since) {
    public static DocumentKey key(String name) {
        return new DocumentKey(Types.RESERVED_NAME, name);
    }

    public static ReservedName of(Document document) {
        JsonNode body = document.tree();
        return new ReservedName(
                document.id(),
                body.path("cluster").stringValue(""),
                body.path("since").longValue(0));
    }

    public Body body() {
        return Body.of(
                StrictJson.object().put("id", name).put("cluster", cluster).put("since", since));
    }
}
