package dev.homeport.server.http;

import dev.homeport.api.ErrorCode;
import io.vertx.core.http.HttpServerRequest;

/** Answers requests that cannot be read, or could be read in two ways. Nothing else is read on their connections. */
public final class MalformedRequest {
    private static final int BAD_REQUEST = 400;
    private static final int TOO_MANY = 429;

    private MalformedRequest() {}

    public static void refuse(HttpServerRequest request) {
        int status = Connections.refusal(request.connection());
        Reply told = status == TOO_MANY
                ? ProblemReply.of(
                        ErrorCode.TOO_MANY_REQUESTS,
                        "too many requests wait for their answers on this connection",
                        "read an answer before sending more",
                        "")
                : ProblemReply.of(
                        status == BAD_REQUEST ? ErrorCode.MALFORMED : ErrorCode.TOO_LARGE,
                        "malformed or unsupported HTTP request",
                        "send one Host header, at most one Authorization header and one length of the body",
                        "");
        Replying.send(
                request,
                new Reply(status, told.contentType(), told.body(), told.headers()).with("Connection", "close"));
        Connections.endSoon(request.connection());
    }

    /** Whether it has a second Authorization or Host header, should the strict reading of heads ever miss one. */
    public static boolean isAmbiguous(HttpServerRequest request) {
        return request.headers().getAll("Authorization").size() > 1
                || request.headers().getAll("Host").size() > 1;
    }
}
