package dev.homeport.server.hostile;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.homeport.json.StrictJson;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The description that the server gives of itself, and whether what it answers is what it says there. */
final class ApiDocument {
    private static final SchemaRegistry SCHEMAS = SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12,
            registry -> registry.schemaLoader(loader -> loader.fetchRemoteResources(false)));

    private final ObjectNode document;
    private final Map<String, Operation> operations = new TreeMap<>();
    private final Map<String, Schema> compiled = new HashMap<>();
    private final ObjectNode components;

    /** One operation, with where it is. */
    record Operation(String id, String method, String path, JsonNode json) {}

    ApiDocument(ObjectNode document) {
        this.document = document;
        document.get("paths")
                .forEachEntry((path, methods) -> methods.forEachEntry((method, json) -> {
                    String id = json.get("operationId").stringValue();
                    operations.put(id, new Operation(id, method.toUpperCase(Locale.ROOT), path, json));
                }));
        this.components = document.get("components").deepCopy().asObject();
        close(components.get("schemas"));
    }

    /** A field that no schema mentions is a gap in the description, so here objects hold what they say and no more. */
    private static void close(JsonNode node) {
        if (node instanceof ObjectNode object
                && object.path("properties").isObject()
                && !object.has("additionalProperties")
                && !object.has("unevaluatedProperties")) {
            object.put("additionalProperties", false);
        }
        node.forEach(ApiDocument::close);
    }

    Map<String, Operation> operations() {
        return operations;
    }

    private JsonNode json(String operation) {
        Operation known = operations.get(operation);
        if (known == null) {
            throw new AssertionError("no operation " + operation);
        }
        return known.json();
    }

    boolean declares(String operation, int status) {
        return json(operation).get("responses").has(Integer.toString(status));
    }

    /** The good statuses that the description promises. */
    List<Integer> good(String operation) {
        List<Integer> good = new ArrayList<>();
        json(operation).get("responses").propertyNames().forEach(status -> {
            if (status.startsWith("2")) {
                good.add(Integer.parseInt(status));
            }
        });
        return good;
    }

    /** What of a JSON answer is not as described; nothing when all is. */
    List<String> faults(String operation, int status, String media, String body) {
        JsonNode response = json(operation).get("responses").path(Integer.toString(status));
        String reference = response.path("$ref").asString("");
        JsonNode content = (reference.isEmpty() ? response : document.at(reference.substring(1))).path("content");
        String plain = media.split(";", 2)[0].strip();
        if (!content.has(plain)) {
            return List.of("the media type " + plain + " is not described; there is " + content.propertyNames());
        }
        if (!plain.endsWith("json")) {
            return List.of();
        }
        JsonNode schema = content.get(plain).get("schema");
        Schema known = compiled.computeIfAbsent(schema.toString(), text -> {
            ObjectNode whole = StrictJson.object();
            whole.put("$schema", "https://json-schema.org/draft/2020-12/schema");
            whole.set("components", components);
            whole.putArray("allOf").add(schema);
            return SCHEMAS.getSchema(whole);
        });
        return known.validate(new tools.jackson.databind.json.JsonMapper().readTree(body)).stream()
                .map(Error::toString)
                .toList();
    }

    private List<String> parameters(String operation, String in) {
        List<String> names = new ArrayList<>();
        json(operation).path("parameters").forEach(parameter -> {
            if (parameter.get("in").stringValue().equals(in)) {
                names.add(parameter.get("name").stringValue());
            }
        });
        return names;
    }

    List<String> query(String operation) {
        return parameters(operation, "query");
    }

    List<String> headers(String operation) {
        return parameters(operation, "header");
    }

    /** Root paths, polls and open pages do not care about a query string. */
    boolean isStrict(String operation) {
        Operation known = operations.get(operation);
        return known != null
                && known.path().startsWith("/api/v2/")
                && !known.path().startsWith("/api/v2/flux/")
                && !known.path().equals("/api/v2/stream");
    }

    boolean takes(String operation, String method) {
        Operation known = operations.get(operation);
        if (known == null) {
            return true;
        }
        Set<String> same = Set.of(method.toLowerCase(Locale.ROOT));
        return document.get("paths").get(known.path()).propertyNames().stream().anyMatch(same::contains)
                && method.equals(method.toUpperCase(Locale.ROOT));
    }

    /** Pointers to what a body must have, as far as the schema says so for objects at its top and in spec. */
    List<String> required(String operation, ObjectNode body) {
        JsonNode schema = json(operation).at("/requestBody/content/application~1json/schema");
        List<String> found = new ArrayList<>();
        required(schema, body, "", found);
        found.removeIf(pointer -> pointer.equals("/spec/id"));
        return found;
    }

    private void required(JsonNode schema, JsonNode value, String at, List<String> found) {
        String reference = schema.path("$ref").asString("");
        JsonNode known = reference.isEmpty() ? schema : document.at(reference.substring(1));
        known.path("required").forEach(name -> {
            if (value.has(name.stringValue())) {
                found.add(at + "/" + name.stringValue());
            }
        });
        if (value.path("spec").isObject() && at.isEmpty()) {
            required(known.path("properties").path("spec"), value.path("spec"), "/spec", found);
        }
    }
}
