package dev.homeport.server.openapi;

import dev.homeport.document.TypeDefinition;
import dev.homeport.json.StrictJson;
import dev.homeport.server.http.Route;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A route as an operation. */
final class Operations {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([a-z_]+)}");
    private static final Set<String> FLAGS = Set.of("dry_run", "hotfix", "secrets_seen", "counts", "force");
    private static final Set<String> NUMBERS = Set.of("limit", "offset", "page_size");

    private Operations() {}

    static ObjectNode of(Route route) {
        return of(route, route.path(), route.id(), null);
    }

    /** A route for all types, as the operation for one of them. */
    static ObjectNode of(Route route, TypeDefinition type) {
        String path = route.path().replace("{plural}", type.plural());
        return of(route, path, route.id() + "_" + type.name(), type);
    }

    private static ObjectNode of(Route route, String path, String id, @Nullable TypeDefinition type) {
        ObjectNode operation = StrictJson.object();
        operation.put("operationId", id);
        operation.put("summary", route.summary());
        operation.putArray("tags").add(tag(path));
        operation.put("x-homeport-needs", route.needs().name().toLowerCase(Locale.ROOT));
        ArrayNode parameters = parameters(path);
        query(route.handler().query(), parameters);
        if (!parameters.isEmpty()) {
            operation.set("parameters", parameters);
        }
        Shapes.request(route, path, Optional.ofNullable(type)).ifPresent(body -> operation.set("requestBody", body));
        ObjectNode responses = operation.putObject("responses");
        responses.set("200", Shapes.success(route, path, Optional.ofNullable(type)));
        responses.putObject("default").put("$ref", "#/components/responses/problem");
        if (route.needs() == Route.Needs.NOTHING) {
            operation.putArray("security");
        } else {
            secure(operation);
        }
        return operation;
    }

    static void secure(ObjectNode operation) {
        ArrayNode security = operation.putArray("security");
        security.addObject().putArray("bearer");
        security.addObject().putArray("basic");
    }

    static ArrayNode parameters(String path) {
        ArrayNode parameters = StrictJson.object().putArray("parameters");
        Matcher placeholder = PLACEHOLDER.matcher(path);
        while (placeholder.find()) {
            parameters
                    .addObject()
                    .put("name", placeholder.group(1))
                    .put("in", "path")
                    .put("required", true)
                    .putObject("schema")
                    .put("type", "string");
        }
        return parameters;
    }

    static void query(Set<String> names, ArrayNode parameters) {
        for (String name : new TreeSet<>(names)) {
            ObjectNode parameter = parameters.addObject().put("name", name).put("in", "query");
            String kind = FLAGS.contains(name) ? "boolean" : NUMBERS.contains(name) ? "integer" : "string";
            parameter.putObject("schema").put("type", kind);
        }
    }

    /** The first word of the path that says what it is about. */
    private static String tag(String path) {
        String rest = path.startsWith("/api/v2/") ? path.substring("/api/v2/".length()) : path.substring(1);
        return rest.split("[/.{:]", 2)[0];
    }
}
