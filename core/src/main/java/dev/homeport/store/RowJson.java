package dev.homeport.store;

import dev.homeport.document.Body;
import dev.homeport.json.CanonicalJson;
import dev.homeport.json.StrictJson;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads what a row holds. Digests vouch for the text, so there are no limits and no search for duplicate keys: whatever was
 * committed can be read.
 */
final class RowJson {
    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(1_000)
                            .maxStringLength(Integer.MAX_VALUE)
                            .maxNameLength(Integer.MAX_VALUE)
                            .build())
                    .build())
            .build();

    private RowJson() {}

    static Body body(byte[] utf8) {
        return Body.of(tree(utf8));
    }

    static ObjectNode tree(byte[] utf8) {
        return (ObjectNode) MAPPER.readTree(utf8);
    }

    static String ofMarks(Map<String, String> marks) {
        if (marks.isEmpty()) {
            return "{}";
        }
        ObjectNode object = StrictJson.object();
        marks.forEach(object::put);
        return CanonicalJson.text(object);
    }

    static Map<String, String> marks(String json) {
        if (json.equals("{}")) {
            return Map.of();
        }
        Map<String, String> marks = new TreeMap<>();
        ((ObjectNode) MAPPER.readTree(json)).forEachEntry((name, value) -> marks.put(name, value.stringValue()));
        return Map.copyOf(marks);
    }
}
