package dev.homeport.server.openapi;

import dev.homeport.document.TypeCatalog;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The schemas that operations refer to: those of {@code schemas.json}, and for each type its own. */
final class Schemas {
    private static final ObjectNode SHARED = Shapes.resource("schemas.json");

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

    static String write(String type) {
        return type + "_write";
    }

    static String list(String type) {
        return type + "_list";
    }

    static ObjectNode all(TypeCatalog types) {
        ObjectNode schemas = SHARED.deepCopy();
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
        if (type.name().equals(Types.TOKEN)) {
            hide("hash", spec);
        }
        rebase(spec, reference(spec(type.name())));
        schemas.set(spec(type.name()), spec);
        schemas.set(write(type.name()), envelope(type).put("additionalProperties", false));
        schemas.withObject("/" + write(type.name())).putArray("required").add("spec");
        ObjectNode shown = envelope(type);
        if (type.name().equals(Types.TOKEN)) {
            shown.withObject("/properties")
                    .putObject("token")
                    .put("type", "string")
                    .put("description", "The token itself, shown once");
        }
        shown.putArray("required").add("type").add("id").add("meta").add("status");
        schemas.set(document(type.name()), shown);
        schemas.set(list(type.name()), page(type));
        schemas.putObject(type.name() + "_root_list")
                .put("type", "array")
                .putObject("items")
                .put("$ref", reference(spec(type.name())));
    }

    /** A document as it is shown, which can be sent back as it is. */
    private static ObjectNode envelope(TypeDefinition type) {
        ObjectNode envelope = StrictJson.object().put("type", "object");
        ObjectNode fields = envelope.putObject("properties");
        fields.putObject("type").putArray("enum").add(type.name()).add(type.plural());
        fields.putObject("id").put("type", "string");
        fields.putObject("spec").put("$ref", reference(spec(type.name())));
        fields.putObject("meta").put("$ref", reference("meta"));
        fields.putObject("status").put("$ref", reference("status"));
        fields.putObject("warnings").put("type", "array").putObject("items").put("type", "string");
        return envelope;
    }

    private static ObjectNode page(TypeDefinition type) {
        ObjectNode page = StrictJson.object().put("type", "object");
        page.putArray("required").add("items").add("revision");
        ObjectNode parts = page.putObject("properties");
        parts.putObject("items").put("type", "array").putObject("items").put("$ref", reference(document(type.name())));
        parts.putObject("next_page_token").put("type", "string");
        parts.putObject("revision").put("$ref", reference("revision"));
        parts.putObject("total").put("type", "integer").put("description", "With counts=true");
        parts.putObject("facets").put("type", "array").putObject("items").put("$ref", reference("facet"));
        return page;
    }

    private static void hide(String field, ObjectNode schema) {
        schema.withObject("/properties").remove(field);
        ArrayNode left = StrictJson.object().putArray("required");
        schema.path("required").forEach(name -> {
            if (!name.stringValue().equals(field)) {
                left.add(name);
            }
        });
        schema.set("required", left);
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
}
