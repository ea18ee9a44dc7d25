package dev.homeport.server.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/** Writes a reply: with a length, never cached, and without a body where the request was HEAD. */
public final class Replying {
    private static final int NOT_MODIFIED = 304;

    private Replying() {}

    public static void send(HttpServerRequest request, Reply reply) {
        HttpServerResponse response = request.response();
        if (response.closed() || response.ended()) {
            return;
        }
        response.setStatusCode(reply.status());
        response.putHeader("Content-Type", reply.contentType());
        if (reply.status() != NOT_MODIFIED) { // its length would be taken for that of the page
            response.putHeader("Content-Length", Integer.toString(reply.body().length));
        }
        response.putHeader("Cache-Control", "no-store");
        response.putHeader("X-Content-Type-Options", "nosniff");
        reply.headers().forEach(response::putHeader);
        if (!reply.cookies().isEmpty()) {
            response.putHeader("Set-Cookie", reply.cookies());
        }
        if (request.method().equals(HttpMethod.HEAD)) {
            response.end();
        } else {
            response.end(Buffer.buffer(reply.body()));
        }
    }
}
