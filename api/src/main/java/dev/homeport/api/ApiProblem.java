package dev.homeport.api;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

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
