package dev.homeport.document;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** Copies the shared definitions that a schema refers to into it, so that the schema is complete in itself. */
final class SchemaBundle {
    private static final String SHARED = "common.json#/$defs/";
    private static final String OWN = "#/$defs/";

    private final ObjectNode shared;
    private final ObjectNode definitions;

    private SchemaBundle(ObjectNode shared, ObjectNode definitions) {
        this.shared = shared;
        this.definitions = definitions;
    }

    static ObjectNode of(ObjectNode schema, ObjectNode common) {
        ObjectNode whole = schema.deepCopy();
        ObjectNode definitions = whole.putObject("$defs");
        SchemaBundle bundle = new SchemaBundle((ObjectNode) common.path("$defs"), definitions);
        bundle.follow(schema, whole);
        return whole;
    }

    /** Walks the original, because the copy gains definitions meanwhile. */
    private void follow(JsonNode original, JsonNode copy) {
        if (original instanceof ObjectNode) {
            original.forEachEntry((key, value) -> {
                if (key.equals("$ref")) {
                    String name =
                            value.stringValue().substring(value.stringValue().indexOf(OWN) + OWN.length());
                    ((ObjectNode) copy).set("$ref", StringNode.valueOf(OWN + name));
                    include(name);
                } else {
                    follow(value, copy.path(key));
                }
            });
        } else if (original instanceof ArrayNode) {
            for (int i = 0; i < original.size(); i++) {
                follow(original.get(i), copy.get(i));
            }
        }
    }

    private void include(String name) {
        if (!definitions.has(name)) {
            JsonNode definition = shared.path(name);
            if (definition.isMissingNode()) {
                throw new IllegalStateException("no shared definition " + SHARED + name);
            }
            JsonNode copy = definition.deepCopy();
            definitions.set(name, copy);
            follow(definition, copy);
        }
    }
}
