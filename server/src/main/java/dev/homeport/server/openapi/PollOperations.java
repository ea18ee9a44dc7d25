package dev.homeport.server.openapi;

import dev.homeport.document.TypeCatalog;
import dev.homeport.document.TypeDefinition;
import dev.homeport.json.StrictJson;
import dev.homeport.server.poll.PollDesk;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What the poll plane answers. It has no table of routes, as it takes its paths apart itself. */
final class PollOperations {
    private static final String CLUSTERS = "/api/v2/flux/clusters";
    private static final String LIST = "poll_clusters";

    private PollOperations() {}

    record Poll(String path, String method, ObjectNode operation) {
        Poll(String path, ObjectNode operation) {
            this(path, "get", operation);
        }
    }

    static List<Poll> all(TypeCatalog types) {
        List<Poll> polls = new ArrayList<>();
        polls.add(open("/health", "health", "Whether the process runs"));
        polls.add(open("/livez", "livez", "Whether every loop of the process turns, and which does not"));
        polls.add(open("/readyz", "readyz", "The same as /ready, by the name that Kubernetes uses"));
        polls.add(open("/ready", "ready", "Whether polls can be answered, and why not"));
        polls.add(poll(
                CLUSTERS,
                LIST,
                "All clusters as inputs, for provisioners; needs a token that may read every cluster it can name",
                Set.of("environment", "label_selector", "limit", "workspace")));
        polls.add(poll(
                CLUSTERS + "/{dns}/sets/types",
                "poll_set_types",
                "Which types a cluster is served, and how their items become objects",
                Set.of()));
        for (TypeDefinition type : types.all()) {
            if (type.part() == TypeDefinition.Part.ITEM) {
                polls.add(poll(
                        CLUSTERS + "/{dns}/" + type.plural(),
                        "poll_" + type.name(),
                        "A cluster's " + type.plural() + ", one input for each",
                        Set.of()));
                polls.add(poll(
                        CLUSTERS + "/{dns}/sets/" + type.plural(),
                        "poll_set_" + type.name(),
                        "A cluster's " + type.plural() + " in one input, with their count",
                        Set.of()));
            }
        }
        polls.add(events());
        return polls;
    }

    private static Poll events() {
        String path = CLUSTERS + "/{dns}/events";
        ObjectNode operation = operation(
                "post_event",
                "Takes an event as Flux's notification-controller posts it, signed with the cluster's key");
        ArrayNode parameters = Operations.parameters(path);
        parameters
                .addObject()
                .put("name", "X-Signature")
                .put("in", "header")
                .put("required", true)
                .put("description", "sha256= and the HMAC-SHA-256 of the body in hexadecimal digits")
                .putObject("schema")
                .put("type", "string");
        operation.set("parameters", parameters);
        operation.putArray("security").addObject().putArray("event_signature");
        Shapes shapes = Shapes.of("post_event", "");
        shapes.request().ifPresent(body -> operation.set("requestBody", body));
        ObjectNode responses = operation.putObject("responses");
        shapes.answers(responses);
        Operations.refusals(responses, Set.of(400, 401, 404, 413, 415, 422, 429, 500, 503));
        return new Poll(path, "post", operation);
    }

    private static Poll poll(String path, String id, String summary, Set<String> query) {
        ObjectNode operation = operation(id, summary);
        ArrayNode parameters = Operations.parameters(path);
        Operations.query(query, parameters);
        if (!parameters.isEmpty()) {
            operation.set("parameters", parameters);
        }
        Operations.secure(operation);
        ObjectNode responses = operation.putObject("responses");
        Shapes.of("poll", "").answers(responses);
        headers(responses.withObject("/200").putObject("headers"), id);
        Operations.refusals(responses, Set.of(400, 401, 403, 404, 410, 422, 429, 500, 503));
        return new Poll(path, operation);
    }

    private static Poll open(String path, String id, String summary) {
        ObjectNode operation = operation(id, summary);
        operation.putArray("security");
        ObjectNode responses = operation.putObject("responses");
        Shapes.of(id, "").answers(responses);
        Operations.refusals(responses, Set.of(500, 503));
        return new Poll(path, operation);
    }

    private static ObjectNode operation(String id, String summary) {
        ObjectNode operation = StrictJson.object().put("operationId", id).put("summary", summary);
        operation.putArray("tags").add("flux");
        return operation;
    }

    private static void headers(ObjectNode headers, String id) {
        header(headers, PollDesk.REVISION, "integer", "The revision of the log that the answer was made from");
        header(headers, PollDesk.AGE, "integer", "Milliseconds since that was known to be the end of the log");
        if (!id.equals(LIST)) {
            header(headers, PollDesk.DIGEST, "string", "Names the content: equal digests, equal answers");
        }
    }

    private static void header(ObjectNode headers, String name, String type, String description) {
        headers.putObject(name)
                .put("description", description)
                .putObject("schema")
                .put("type", type);
    }
}
