package dev.homeport.server.http;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.Optional;

/** Writes a reply: with a length, never cached, and without a body where the request was HEAD. */
public final class Replying {
    /** For a year, browsers use no plain HTTP with this host. */
    static final String HSTS = "max-age=31536000";

    private static final int NOT_MODIFIED = 304;

    private Replying() {}

    /** Returns the status that was sent: 503 when there is no memory for more answers. */
    public static int send(HttpServerRequest request, Reply reply) {
        HttpServerResponse response = request.response();
        if (response.closed() || response.ended()) {
            return reply.status();
        }
        boolean isHead = request.method().equals(HttpMethod.HEAD);
        Optional<Reply> instead = PendingAnswers.send(
                request,
                isHead ? 0 : reply.body().length,
                isHead || request.method().equals(HttpMethod.GET),
                () -> write(request, reply));
        instead.ifPresent(refusal -> write(request, refusal));
        return instead.orElse(reply).status();
    }

    private static Future<Void> write(HttpServerRequest request, Reply reply) {
        HttpServerResponse response = request.response();
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
        Future<Void> sent =
                request.method().equals(HttpMethod.HEAD) ? response.end() : response.end(Buffer.buffer(reply.body()));
        if (unread) {
            Connections.endSoon(request.connection());
        }
        return sent;
    }

    /** The rest of it is not read. */
    private static boolean hasUnreadBody(HttpServerRequest request) {
        if (request.isEnded()) {
            return false;
        }
        String length = request.getHeader("Content-Length");
        return request.getHeader("Transfer-Encoding") != null || length != null && !length.equals("0");
    }
}
