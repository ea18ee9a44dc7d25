package dev.homeport.server.openapi;

import dev.homeport.json.StrictJson;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Request and responses of an operation. The file {@code operations.json} names for each kind of operation the schema of its
 * request and of each good answer; a list means any of these, an object names media types other than JSON.
 */
final class Shapes {
    private static final ObjectNode KINDS = resource("operations.json");

    private final ObjectNode kind;
    private final String type;

    private Shapes(ObjectNode kind, String type) {
        this.kind = kind;
        this.type = type;
    }

    /**
     * A shape that is missing in the file is described as any object, and a test fails.
     *
     * @param type takes the place of {@code {type}} in the names of schemas; empty without a type
     */
    static Shapes of(String kind, String type) {
        return new Shapes(
                KINDS.path(kind) instanceof ObjectNode known
                        ? known
                        : StrictJson.object().put("200", "any"),
                type);
    }

    static ObjectNode resource(String name) {
        try (InputStream in = Objects.requireNonNull(Shapes.class.getResourceAsStream(name), name)) {
            return StrictJson.read(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Optional<ObjectNode> request() {
        JsonNode request = kind.path("request");
        if (request.isMissingNode()) {
            return Optional.empty();
        }
        ObjectNode body = StrictJson.object();
        body.put("required", !kind.path("optional").booleanValue(false));
        body.set("content", content(request));
        return Optional.of(body);
    }

    /** Adds the good answers. */
    void answers(ObjectNode responses) {
        kind.forEachEntry((name, schema) -> {
            if (name.matches("[0-9]{3}")) {
                ObjectNode response = responses.putObject(name).put("description", words(name));
                if (!schema.isNull()) {
                    response.set("content", content(schema));
                }
            }
        });
    }

    private static String words(String status) {
        return switch (status) {
            case "201" -> "Created";
            case "202" -> "Accepted";
            case "302" -> "Redirect";
            case "304" -> "Not modified";
            default -> "OK";
        };
    }

    private ObjectNode content(JsonNode schema) {
        ObjectNode content = StrictJson.object();
        if (schema instanceof ObjectNode byMedia) {
            byMedia.forEachEntry((media, one) -> content.putObject(media).set("schema", reference(one)));
        } else {
            content.putObject("application/json").set("schema", reference(schema));
        }
        return content;
    }

    private ObjectNode reference(JsonNode names) {
        ObjectNode schema = StrictJson.object();
        if (names instanceof ArrayNode several) {
            ArrayNode any = schema.putArray("anyOf");
            several.forEach(one -> any.add(reference(one)));
            return schema;
        }
        return schema.put("$ref", Schemas.reference(names.stringValue().replace("{type}", type)));
    }
}
