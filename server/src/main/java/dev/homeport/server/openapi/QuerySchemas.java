package dev.homeport.server.openapi;

import dev.homeport.json.StrictJson;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Query parameters mean the same wherever they appear. */
final class QuerySchemas {
    private static final Set<String> FLAGS = Set.of(
            "dry_run",
            "hotfix",
            "secrets_seen",
            "counts",
            "force",
            "raw",
            "brief",
            "tokens",
            "prune",
            "refused",
            "delete_namespaces");
    private static final Set<String> NUMBERS = Set.of("limit", "offset", "page_size", "revision");
    private static final Set<String> TIMES = Set.of("since", "until", "at");
    private static final Map<String, List<String>> WORDS =
            Map.of("shape", List.of("flat", "set"), "format", List.of("json", "jsonl", "yaml"));

    private QuerySchemas() {}

    static ObjectNode of(String name) {
        ObjectNode schema = StrictJson.object();
        if (FLAGS.contains(name)) {
            return schema.put("type", "boolean");
        }
        if (NUMBERS.contains(name)) {
            return schema.put("type", "integer").put("minimum", 0);
        }
        schema.put("type", "string");
        if (TIMES.contains(name)) {
            schema.put("format", "date-time");
        }
        List<String> words = WORDS.get(name);
        if (words != null) {
            ArrayNode all = schema.putArray("enum");
            words.forEach(all::add);
        }
        return schema;
    }
}
