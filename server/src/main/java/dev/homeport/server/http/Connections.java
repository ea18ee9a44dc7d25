package dev.homeport.server.http;

import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.concurrent.RejectedExecutionException;

/** Ends connections whose other side does not take what it was sent. */
final class Connections {
    private Connections() {}

    /** Now, whatever is still to be sent: Vert.x' own close waits until all of that was taken. */
    @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for it
    static void cut(HttpConnection connection) {
        try {
            if (connection instanceof ConnectionBase base) {
                base.channelHandlerContext().close();
            } else {
                connection.close();
            }
        } catch (RejectedExecutionException e) {
            // Its event loop has ended, and every connection with it.
        }
    }
}
