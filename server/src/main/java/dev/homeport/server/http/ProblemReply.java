package dev.homeport.server.http;

import dev.homeport.api.ErrorCode;
import dev.homeport.json.CanonicalJson;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.Problem;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Problems as RFC 9457 has them: what, where, what to do. */
public final class ProblemReply {
    public static final String TYPE = "application/problem+json";

    private ProblemReply() {}

    public static Reply of(Problem problem, String requestId) {
        ObjectNode body = body(problem.code(), problem.detail(), problem.next(), requestId);
        switch (problem) {
            case Problem.Invalid invalid -> {
                ArrayNode errors = body.putArray("errors");
                invalid.violations()
                        .forEach(violation -> errors.addObject()
                                .put("pointer", violation.pointer())
                                .put("detail", violation.detail())
                                .put("fix", violation.fix()));
            }
            case Problem.Refused refused -> {
                if (!refused.involved().isEmpty()) {
                    ArrayNode involved = body.putArray("involved");
                    refused.involved().forEach(involved::add);
                }
            }
        }
        return reply(problem.code(), body);
    }

    public static Reply of(ErrorCode code, String detail, String next, String requestId) {
        return reply(code, body(code, detail, next, requestId));
    }

    public static Reply reply(ErrorCode code, ObjectNode body) {
        return new Reply(code.httpStatus(), TYPE, CanonicalJson.bytes(body), Map.of());
    }

    public static ObjectNode body(ErrorCode code, String detail, String next, String requestId) {
        ObjectNode body = StrictJson.object();
        body.put("type", "/problems/" + code.code());
        body.put("title", code.code().replace('_', ' '));
        body.put("status", code.httpStatus());
        body.put("code", code.code());
        body.put("detail", detail);
        body.put("next", next);
        if (!requestId.isEmpty()) {
            body.put("request_id", requestId);
        }
        return body;
    }
}
