package dev.homeport.server.openapi;

import dev.homeport.document.TypeDefinition;
import dev.homeport.json.StrictJson;
import dev.homeport.server.http.Route;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A route as an operation. */
final class Operations {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([a-z_]+)}");
    private static final Pattern ROOT = Pattern.compile("root_(.+)_([a-z]+)");
    private static final Map<String, String> ROOTS = Map.of(
            "clusters", "cluster",
            "platform_components", "platform_component",
            "namespaces", "namespace",
            "rolebindings", "rolebinding");

    /** Open to every caller, but not always enabled. */
    private static final Set<String> SIGN_IN = Set.of("login", "loginCallback", "logout", "getSignIn");

    private Operations() {}

    static ObjectNode of(Route route) {
        Matcher root = ROOT.matcher(route.id());
        return root.matches()
                ? of(
                        route,
                        route.path(),
                        route.id(),
                        Shapes.of("root_" + root.group(2), ROOTS.getOrDefault(root.group(1), "")))
                : of(route, route.path(), route.id(), Shapes.of(route.id(), ""));
    }

    /** A route for all types, as the operation for one of them. */
    static ObjectNode of(Route route, TypeDefinition type) {
        String path = route.path().replace("{plural}", type.plural());
        return of(route, path, route.id() + "_" + type.name(), Shapes.of(route.id(), type.name()));
    }

    private static ObjectNode of(Route route, String path, String id, Shapes shapes) {
        ObjectNode operation = StrictJson.object();
        operation.put("operationId", id);
        operation.put("summary", route.summary());
        operation.putArray("tags").add(tag(path));
        operation.put("x-homeport-needs", route.needs().name().toLowerCase(Locale.ROOT));
        ArrayNode parameters = parameters(path);
        query(route.handler().query(), parameters);
        Headers.of(route).forEach(header -> header.describe(parameters));
        if (!parameters.isEmpty()) {
            operation.set("parameters", parameters);
        }
        shapes.request().ifPresent(body -> operation.set("requestBody", body));
        ObjectNode responses = operation.putObject("responses");
        shapes.answers(responses);
        refusals(responses, statuses(route, operation.has("requestBody")));
        if (route.needs() == Route.Needs.NOTHING) {
            operation.putArray("security");
        } else {
            secure(operation);
        }
        return operation;
    }

    /** With which statuses a route refuses. */
    private static Set<Integer> statuses(Route route, boolean takesBody) {
        Set<Integer> statuses = new TreeSet<>(List.of(400, 413, 500));
        boolean open = route.needs() == Route.Needs.NOTHING;
        boolean root = route.needs() == Route.Needs.ROOT_READ || route.needs() == Route.Needs.ROOT_WRITE;
        boolean writes = !route.method().equals("GET");
        if (open && SIGN_IN.contains(route.id())) {
            statuses.addAll(List.of(401, 403, 404, 503));
        }
        if (!open) {
            statuses.addAll(List.of(401, 403, 429, 503));
        }
        if (route.path().contains("{") || writes) {
            statuses.add(404);
        }
        if (!root && !open) {
            statuses.add(422);
        }
        if (writes) {
            statuses.add(409);
        }
        if (takesBody) {
            statuses.add(415);
        }
        if (route.handler().query().contains("as_of")) {
            statuses.add(410);
        }
        Set<Headers> headers = Headers.of(route);
        if (headers.contains(Headers.IF_MATCH) || headers.contains(Headers.IF_MATCH_REQUIRED)) {
            statuses.add(412);
        }
        if (headers.contains(Headers.IF_MATCH_REQUIRED)) {
            statuses.add(428);
        }
        return statuses;
    }

    static void refusals(ObjectNode responses, Set<Integer> statuses) {
        for (int status : statuses) {
            responses.putObject(Integer.toString(status)).put("$ref", "#/components/responses/problem");
        }
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
            parameter.set("schema", QuerySchemas.of(name));
        }
    }

    /** The first word of the path that says what it is about. */
    private static String tag(String path) {
        String rest = path.startsWith("/api/v2/") ? path.substring("/api/v2/".length()) : path.substring(1);
        return rest.split("[/.{:]", 2)[0];
    }
}
