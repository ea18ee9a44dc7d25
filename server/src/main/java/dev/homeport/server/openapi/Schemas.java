package dev.homeport.server.openapi;

import dev.homeport.document.TypeCatalog;
import dev.homeport.document.TypeDefinition;
import dev.homeport.json.StrictJson;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The schemas that operations refer to: for each type what is stored, what is shown and a page of it. */
final class Schemas {
    private Schemas() {}

    static String reference(String name) {
        return "#/components/schemas/" + name;
    }

    static String spec(String type) {
        return type + "_spec";
    }

    static String document(String type) {
        return type + "_document";
    }

    static String list(String type) {
        return type + "_list";
    }

    static ObjectNode all(TypeCatalog types) {
        ObjectNode schemas = StrictJson.object();
        schemas.set("problem", StrictJson.read(PROBLEM));
        schemas.set("meta", StrictJson.read(META));
        schemas.set("inputs", StrictJson.read(INPUTS));
        schemas.set("event", StrictJson.read(EVENT));
        for (TypeDefinition type : types.all()) {
            if (type.part() != TypeDefinition.Part.INTERNAL) {
                add(type, schemas);
            }
        }
        return schemas;
    }

    private static void add(TypeDefinition type, ObjectNode schemas) {
        ObjectNode spec = type.schema().deepCopy();
        spec.remove("$schema");
        rebase(spec, reference(spec(type.name())));
        schemas.set(spec(type.name()), spec);

        ObjectNode document = schemas.putObject(document(type.name())).put("type", "object");
        document.putArray("required").add("spec");
        ObjectNode fields = document.putObject("properties");
        fields.putObject("type").put("const", type.name());
        fields.putObject("id").put("type", "string");
        fields.putObject("spec").put("$ref", reference(spec(type.name())));
        fields.putObject("meta").put("$ref", reference("meta"));
        fields.putObject("status").put("type", "object");

        ObjectNode list = schemas.putObject(list(type.name())).put("type", "object");
        ObjectNode parts = list.putObject("properties");
        parts.putObject("items").put("type", "array").putObject("items").put("$ref", reference(document(type.name())));
        parts.putObject("next_page_token").put("type", "string");
        parts.putObject("revision").put("type", "integer");
    }

    /** A schema's references to its own definitions, from the root of the description. */
    private static void rebase(JsonNode node, String base) {
        if (node instanceof ObjectNode object && object.path("$ref").isString()) {
            String own = object.get("$ref").stringValue();
            if (own.startsWith("#")) {
                object.put("$ref", base + own.substring(1));
            }
        }
        node.forEach(child -> rebase(child, base));
    }

    private static final String PROBLEM = """
            {"type": "object", "required": ["type", "title", "status", "code", "detail"], "properties": {
              "type": {"type": "string"}, "title": {"type": "string"}, "status": {"type": "integer"},
              "code": {"type": "string"}, "detail": {"type": "string"},
              "next": {"type": "string", "description": "What to do about it"},
              "request_id": {"type": "string"},
              "errors": {"type": "array", "items": {"type": "object", "properties": {
                "pointer": {"type": "string"}, "detail": {"type": "string"}, "fix": {"type": "string"}}}},
              "involved": {"type": "array", "items": {"type": "string"}},
              "plan": {"type": "object"}, "confirmation": {"type": "string"},
              "error": {"type": "string", "description": "On root paths"},
              "message": {"type": "string", "description": "On root paths"}}}
            """;

    private static final String META = """
            {"type": "object", "properties": {"revision": {"type": "integer"}, "epoch": {"type": "integer"},
              "created_at": {"type": "string"}, "updated_at": {"type": "string"}, "updated_by": {"type": "string"}}}
            """;

    private static final String EVENT = """
            {"type": "object", "required": ["involvedObject", "timestamp"], "properties": {
              "involvedObject": {"type": "object", "required": ["kind", "name"], "properties": {
                "kind": {"type": "string"}, "namespace": {"type": "string"}, "name": {"type": "string"},
                "resourceVersion": {"type": "string"}}},
              "timestamp": {"type": "string", "format": "date-time"},
              "severity": {"enum": ["info", "error"]}, "reason": {"type": "string"}, "message": {"type": "string"},
              "metadata": {"type": "object", "properties": {
                "component_id": {"type": "string"},
                "answer_type": {"type": "string", "description": "Plural of the type whose provider or set this is"},
                "answer_digest": {"type": "string", "description": "Of the answer that the object was made from"},
                "revision": {"type": "string", "description": "Artifact or chart that the event is about"}}}}}
            """;

    private static final String INPUTS = """
            {"type": "object", "required": ["inputs"], "properties": {"inputs": {"type": "array", "items": {
              "type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}}}}}
            """;
}
