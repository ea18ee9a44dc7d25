package dev.homeport.server.openapi;

import dev.homeport.server.http.Route;
import java.util.EnumSet;
import java.util.Set;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Headers that an operation looks at. */
enum Headers {
    IF_MATCH_REQUIRED("If-Match", "The ETag of the version that the caller saw, or * for any; without it: 428"),
    IF_MATCH("If-Match", "The ETag of the version that the caller saw"),
    IF_NONE_MATCH("If-None-Match", "The ETag of what the reader has already; in a PUT *, to make the document"),
    CONFIRM("Homeport-Confirm", "The confirmation that came with a plan"),
    REASON("Homeport-Reason", "Why, for the audit"),
    IDEMPOTENCY_KEY("Idempotency-Key", "Makes a retry safe: the same key and request is committed once"),
    LAST_EVENT_ID("Last-Event-ID", "The last event that the reader has");

    private final String header;
    private final String description;

    Headers(String header, String description) {
        this.header = header;
        this.description = description;
    }

    static Set<Headers> of(Route route) {
        Set<Headers> headers = EnumSet.noneOf(Headers.class);
        if (route.needs() == Route.Needs.WRITE) {
            headers.addAll(EnumSet.of(CONFIRM, REASON));
            boolean showsToken = route.id().endsWith("Token") || route.id().startsWith("bootstrapCluster");
            if (!showsToken) {
                headers.add(IDEMPOTENCY_KEY);
            }
        }
        switch (route.id()) {
            case "replaceDocument" -> headers.addAll(EnumSet.of(IF_MATCH_REQUIRED, IF_NONE_MATCH));
            case "deleteDocument" -> headers.add(IF_MATCH_REQUIRED);
            case "patchDocument", "revokeToken" -> headers.add(IF_MATCH);
            case "getDocument" -> headers.add(IF_NONE_MATCH);
            case "stream" -> headers.add(LAST_EVENT_ID);
            default -> {}
        }
        return headers;
    }

    void describe(ArrayNode parameters) {
        ObjectNode parameter =
                parameters.addObject().put("name", header).put("in", "header").put("description", description);
        parameter.putObject("schema").put("type", "string");
    }
}
