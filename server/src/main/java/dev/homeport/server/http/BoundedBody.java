package dev.homeport.server.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Consumer;

/** Reads a body up to a limit, whatever its Content-Length claims. */
public final class BoundedBody {
    private BoundedBody() {}

    public static void read(HttpServerRequest request, int limit, Consumer<Buffer> whole, Runnable tooLarge) {
        Buffer body = Buffer.buffer();
        boolean[] over = {false};
        request.handler(part -> {
            if (!over[0] && body.length() + part.length() <= limit) {
                body.appendBuffer(part);
            } else if (!over[0]) {
                over[0] = true;
                tooLarge.run();
            }
        });
        request.endHandler(nothing -> {
            if (!over[0]) {
                whole.accept(body);
            }
        });
    }
}
