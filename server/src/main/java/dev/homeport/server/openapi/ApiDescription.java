package dev.homeport.server.openapi;

import dev.homeport.document.TypeCatalog;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import dev.homeport.server.http.Route;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;

/** An OpenAPI 3.1 document: each route is an operation, and a route for all types is one operation for each type. */
final class ApiDescription {
    private static final String PLURAL = "{plural}";

    private final ObjectNode document = StrictJson.object();
    private final ObjectNode paths = StrictJson.object();
    private final TypeCatalog types;

    private ApiDescription(TypeCatalog types) {
        this.types = types;
    }

    static ObjectNode of(List<Route> routes, TypeCatalog types) {
        ApiDescription description = new ApiDescription(types);
        routes.stream().filter(route -> !route.path().contains(PLURAL)).forEach(description::add);
        routes.stream().filter(route -> route.path().contains(PLURAL)).forEach(description::addForTypes);
        PollOperations.all(types).forEach(description::add);
        return description.whole();
    }

    private ObjectNode whole() {
        document.put("openapi", "3.1.1");
        document.putObject("info")
                .put("title", "Homeport")
                .put("version", "2.0")
                .put(
                        "description",
                        "Desired state for fleets of Kubernetes clusters: what clusters poll, and what people and"
                                + " pipelines change.");
        document.putArray("servers").addObject().put("url", "/");
        document.set("paths", paths);
        ObjectNode components = document.putObject("components");
        ObjectNode security = components.putObject("securitySchemes");
        security.putObject("bearer").put("type", "http").put("scheme", "bearer");
        security.putObject("basic")
                .put("type", "http")
                .put("scheme", "basic")
                .put("description", "The token is the password; the user name does not matter.");
        security.putObject("event_signature")
                .put("type", "apiKey")
                .put("in", "header")
                .put("name", "X-Signature")
                .put("description", "sha256= and the HMAC-SHA-256 of the body under the cluster's event key.");
        components.set("schemas", Schemas.all(types));
        ObjectNode problem = components.putObject("responses").putObject("problem");
        problem.put("description", "Why it was refused, and what to do");
        problem.putObject("content")
                .putObject("application/problem+json")
                .putObject("schema")
                .put("$ref", Schemas.reference("problem"));
        return document;
    }

    private void add(Route route) {
        add(route.path(), route.method(), Operations.of(route));
    }

    private void add(PollOperations.Poll poll) {
        add(poll.path(), poll.method(), poll.operation());
    }

    private void addForTypes(Route route) {
        for (TypeDefinition type : types.all()) {
            // Tokens are read like other documents, and written by operations of their own.
            boolean reads = route.method().equals("GET") || !type.name().equals(Types.TOKEN);
            if (type.part() != TypeDefinition.Part.INTERNAL && reads) {
                add(route.path().replace(PLURAL, type.plural()), route.method(), Operations.of(route, type));
            }
        }
    }

    /** A path of its own wins over one for all types, here as in the table. */
    private void add(String path, String method, ObjectNode operation) {
        String verb = method.toLowerCase(Locale.ROOT);
        ObjectNode operations = paths.get(path) instanceof ObjectNode known ? known : paths.putObject(path);
        if (!operations.has(verb)) {
            operations.set(verb, operation);
        }
    }
}
