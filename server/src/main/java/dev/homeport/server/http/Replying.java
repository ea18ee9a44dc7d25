package dev.homeport.server.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;

/** Writes a reply: with a length, never cached, and without a body where the request was HEAD. */
public final class Replying {
    /** For a year, browsers use no plain HTTP with this host. */
    static final String HSTS = "max-age=31536000";

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
        if (request.isSSL()) {
            response.putHeader("Strict-Transport-Security", HSTS);
        }
        reply.headers().forEach(response::putHeader);
        boolean unread = hasUnreadBody(request);
        if (unread) {
            response.putHeader("Connection", "close");
        }
        if (!reply.cookies().isEmpty()) {
            response.putHeader("Set-Cookie", reply.cookies());
        }
        if (request.method().equals(HttpMethod.HEAD)) {
            response.end();
        } else {
            response.end(Buffer.buffer(reply.body()));
        }
        if (unread) {
            Connections.endSoon(request.connection());
        }
    }

    /** The rest of it is not read. HTTP/2 has flow control for that, and other requests on the same connection. */
    private static boolean hasUnreadBody(HttpServerRequest request) {
        if (request.isEnded() || request.version() == HttpVersion.HTTP_2) {
            return false;
        }
        String length = request.getHeader("Content-Length");
        return request.getHeader("Transfer-Encoding") != null || length != null && !length.equals("0");
    }
}
