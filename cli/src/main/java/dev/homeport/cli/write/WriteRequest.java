package dev.homeport.cli.write;

import dev.homeport.api.HomeportClient.Payload;
import dev.homeport.cli.select.Reference;
import dev.homeport.cli.server.Paths;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A write before its plan was shown.
 *
 * @param path with its parameters, but without those that control how it is executed
 */
public record WriteRequest(String method, String path, Map<String, String> headers, Optional<Payload> body) {
    public WriteRequest {
        headers = Map.copyOf(headers);
    }

    public static WriteRequest post(String path) {
        return new WriteRequest("POST", path, Map.of(), Optional.empty());
    }

    public static WriteRequest post(String path, JsonNode body) {
        return new WriteRequest("POST", path, Map.of(), Optional.of(Payload.json(body)));
    }

    /** Many documents in one commit, or none of them. */
    public static WriteRequest change(ArrayNode operations) {
        ObjectNode body = JsonMapper.shared().createObjectNode();
        body.set("operations", operations);
        return post("/api/v2/changes", body);
    }

    /** @param spec a merge patch of it */
    public static WriteRequest patch(Reference document, ObjectNode spec) {
        ObjectNode body = JsonMapper.shared().createObjectNode();
        body.set("spec", spec);
        return new WriteRequest(
                "PATCH",
                document.path(),
                Map.of(),
                Optional.of(new Payload(
                        "application/merge-patch+json", JsonMapper.shared().writeValueAsBytes(body))));
    }

    public WriteRequest with(String header, Optional<String> value) {
        if (value.isEmpty()) {
            return this;
        }
        Map<String, String> more = new java.util.HashMap<>(headers);
        more.put(header, value.get());
        return new WriteRequest(method, path, more, body);
    }

    public WriteRequest asking(String name, String value) {
        return value.isEmpty()
                ? this
                : new WriteRequest(
                        method,
                        path + (path.contains("?") ? "&" : "?") + name + "=" + Paths.encoded(value),
                        headers,
                        body);
    }
}
