package dev.homeport.server.compat;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Leaves out of a body what its type's schema does not know, and fields that are null, which there means "not given". */
final class KnownFields {
    private final ObjectNode schema;

    KnownFields(ObjectNode schema) {
        this.schema = schema;
    }

    ObjectNode of(ObjectNode body) {
        prune(body, schema);
        return body;
    }

    private void prune(JsonNode value, JsonNode rule) {
        JsonNode resolved = resolved(rule);
        switch (value) {
            case ObjectNode object -> fields(object, resolved);
            case ArrayNode array -> array.forEach(element -> prune(element, resolved.path("items")));
            default -> {}
        }
    }

    private void fields(ObjectNode object, JsonNode rule) {
        JsonNode known = rule.path("properties");
        JsonNode others = rule.path("additionalProperties");
        boolean closed = others.isBoolean() && !others.booleanValue();
        object.properties().removeIf(field -> {
            boolean declared = known.has(field.getKey());
            return declared ? field.getValue().isNull() : closed;
        });
        object.forEachEntry((name, value) -> prune(value, known.has(name) ? known.path(name) : others));
    }

    private JsonNode resolved(JsonNode rule) {
        String reference = rule.path("$ref").asString("");
        return reference.startsWith("#/") ? resolved(schema.at(reference.substring(1))) : rule;
    }
}
