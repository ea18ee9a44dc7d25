package dev.homeport.api;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a server refused, rebuilt from its problem+json. */
public final class ApiProblem extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final transient JsonNode body;

    ApiProblem(ErrorCode code, String detail, JsonNode body) {
        super(detail);
        this.code = code;
        this.body = body;
    }

    /** The same, with other words for where its violations are. */
    public ApiProblem renamed(UnaryOperator<String> place) {
        JsonNode copy = body.deepCopy();
        copy.path("errors").forEach(error -> {
            if (error instanceof ObjectNode one) {
                one.put("pointer", place.apply(one.path("pointer").stringValue("")));
            }
        });
        String message = String.valueOf(getMessage());
        int end = message.startsWith("/") ? message.indexOf(": ") : -1;
        ApiProblem problem = new ApiProblem(
                code, end < 0 ? message : place.apply(message.substring(0, end)) + message.substring(end), copy);
        problem.initCause(this);
        return problem;
    }

    public ErrorCode code() {
        return code;
    }

    /** What the server says to do next; empty when it says nothing. */
    public String next() {
        return body.path("next").stringValue("");
    }

    /** The whole problem as it came. */
    public JsonNode body() {
        return body;
    }

    /** The documents that prevent the request; may be empty. */
    public List<String> involved() {
        List<String> names = new ArrayList<>();
        body.path("involved").forEach(name -> names.add(name.stringValue("")));
        return names;
    }

    /** Each violation in a line: pointer, what is wrong, what would be right. */
    public List<String> violations() {
        List<String> lines = new ArrayList<>();
        body.path("errors")
                .forEach(error -> lines.add(error.path("pointer").stringValue("") + ": "
                        + error.path("detail").stringValue("") + " ("
                        + error.path("fix").stringValue("") + ")"));
        return lines;
    }
}
