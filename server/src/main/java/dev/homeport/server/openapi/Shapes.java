package dev.homeport.server.openapi;

import dev.homeport.document.TypeDefinition;
import dev.homeport.json.StrictJson;
import dev.homeport.server.http.Route;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** What goes in and comes out of an operation. */
final class Shapes {
    private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");
    private static final Map<String, String> OTHER_MEDIA = Map.of(
            "/metrics", "text/plain",
            "/openapi.yaml", "application/yaml",
            "/api/v2/stream", "text/event-stream");
    private static final Map<String, String> ROOTS = Map.of(
            "clusters", "cluster",
            "platform_components", "platform_component",
            "namespaces", "namespace",
            "rolebindings", "rolebinding");

    private Shapes() {}

    static Optional<ObjectNode> request(Route route, String path, Optional<TypeDefinition> type) {
        if (!WITH_BODY.contains(route.method())) {
            return Optional.empty();
        }
        ObjectNode body = StrictJson.object();
        ObjectNode content = body.putObject("content");
        Optional<String> root = root(path);
        boolean verb = path.lastIndexOf(':') > path.lastIndexOf('/');
        if (root.isPresent()) {
            // Unknown fields are ignored there and every field may be absent from an update: the schema would say too
            // much.
            content.putObject("application/json").putObject("schema").put("type", "object");
        } else if (route.method().equals("PATCH")) {
            content.putObject("application/merge-patch+json")
                    .putObject("schema")
                    .put("type", "object");
            content.putObject("application/json-patch+json").putObject("schema").put("type", "array");
        } else if (type.isPresent() && !verb) {
            reference(content, Schemas.document(type.get().name()));
        } else {
            content.putObject("application/json").putObject("schema").put("type", "object");
        }
        body.put("required", !verb);
        return Optional.of(body);
    }

    static ObjectNode success(Route route, String path, Optional<TypeDefinition> type) {
        ObjectNode response = StrictJson.object().put("description", "Done");
        ObjectNode content = response.putObject("content");
        Optional<String> root = root(path);
        String media = OTHER_MEDIA.get(path);
        if (media != null) {
            content.putObject(media).putObject("schema").put("type", "string");
        } else if (root.isPresent()) {
            rootBody(content, root.get(), route.method().equals("GET") && !path.endsWith("}"));
        } else if (type.isPresent() && path.endsWith("/{id}")) {
            reference(content, Schemas.document(type.get().name()));
        } else if (type.isPresent()
                && route.method().equals("GET")
                && path.endsWith(type.get().plural())) {
            reference(content, Schemas.list(type.get().name()));
        } else {
            content.putObject("application/json").putObject("schema").put("type", "object");
        }
        return response;
    }

    private static void rootBody(ObjectNode content, String type, boolean list) {
        ObjectNode schema = content.putObject("application/json").putObject("schema");
        if (list) {
            schema.put("type", "array").putObject("items").put("$ref", Schemas.reference(Schemas.spec(type)));
        } else {
            schema.put("$ref", Schemas.reference(Schemas.spec(type)));
        }
    }

    private static void reference(ObjectNode content, String schema) {
        content.putObject("application/json").putObject("schema").put("$ref", Schemas.reference(schema));
    }

    /** The type of a root path's documents. */
    private static Optional<String> root(String path) {
        return Optional.ofNullable(ROOTS.get(path.substring(1).split("/", 2)[0]));
    }
}
