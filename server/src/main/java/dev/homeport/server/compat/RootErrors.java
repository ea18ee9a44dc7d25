package dev.homeport.server.compat;

import dev.homeport.json.CanonicalJson;
import dev.homeport.json.StrictJson;
import dev.homeport.server.http.ProblemReply;
import dev.homeport.server.http.Reply;
import tools.jackson.databind.node.ObjectNode;

/** Errors on the root paths: our own, with the two members and the statuses that clients from there look at. */
public final class RootErrors {
    private RootErrors() {}

    /** The reply in that form, if the path is one of the root paths and the reply is a problem. */
    public static Reply adapted(String path, Reply reply) {
        if (!reply.contentType().equals(ProblemReply.TYPE)
                || RootCollection.ofPath(path).isEmpty()) {
            return reply;
        }
        ObjectNode body = StrictJson.read(reply.body());
        int status = reply.status() == 422 ? 400 : reply.status();
        body.put("status", status);
        body.put("error", word(status, body.path("code").asString("")));
        body.put("message", body.path("detail").asString(""));
        return new Reply(status, reply.contentType(), CanonicalJson.bytes(body), reply.headers());
    }

    private static String word(int status, String code) {
        return switch (status) {
            case 400, 413, 415 -> "validation_error";
            case 401, 403 -> "unauthorized";
            case 404, 410 -> "not_found";
            case 409, 412 -> "conflict";
            case 500, 503 -> "store_error";
            default -> code;
        };
    }
}
