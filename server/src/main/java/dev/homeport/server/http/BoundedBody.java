package dev.homeport.server.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.Arrays;
import java.util.function.Consumer;

/** Reads a body up to a limit, whatever its Content-Length claims, and as long as there is memory for it. */
public final class BoundedBody {
    private static final int FIRST = 4096;

    private final HttpServerRequest request;
    private final int limit;
    private final ByteBudget.Lease lease;
    private byte[] bytes = {};
    private int length;
    private boolean refused;

    private BoundedBody(HttpServerRequest request, int limit, ByteBudget.Lease lease) {
        this.request = request;
        this.limit = limit;
        this.lease = lease;
    }

    /**
     * Callbacks of a body: one of the first three is called.
     *
     * @param over is called before a body is refused, and when the connection ends before the body
     */
    public record Outcome(Consumer<Buffer> whole, Runnable tooLarge, Runnable noMemory, Runnable over) {}

    /** A lease for the body of a request, to be closed when the request is answered. */
    public static ByteBudget.Lease lease(HttpServerRequest request, ConnectionLimits limits) {
        return Connections.channel(request.connection())
                .flatMap(ConnectionSlot::of)
                .map(ConnectionSlot::lease)
                .orElseGet(() -> limits.bytes().lease(null));
    }

    public static void read(HttpServerRequest request, int limit, ByteBudget.Lease lease, Outcome outcome) {
        BoundedBody body = new BoundedBody(request, limit, lease);
        body.take(outcome);
        request.endHandler(nothing -> {
            if (!body.refused) {
                outcome.whole().accept(Buffer.buffer(Arrays.copyOf(body.bytes, body.length)));
            }
        });
    }

    /** Counts the bytes of an unread body, and keeps nothing of it. */
    public static void skip(HttpServerRequest request, int limit, Outcome outcome) {
        long[] length = {0};
        request.exceptionHandler(broken -> outcome.over().run());
        request.handler(part -> {
            long before = length[0];
            length[0] += part.length();
            if (before <= limit && length[0] > limit) {
                outcome.over().run();
                outcome.tooLarge().run();
            }
        });
        request.endHandler(nothing -> {
            if (length[0] <= limit) {
                outcome.whole().accept(Buffer.buffer());
            }
        });
    }

    private void take(Outcome outcome) {
        request.exceptionHandler(broken -> outcome.over().run());
        request.handler(part -> {
            if (refused) {
                return;
            }
            if ((long) length + part.length() > limit) {
                refuse(outcome, outcome.tooLarge());
            } else if (!append(part)) {
                refuse(outcome, outcome.noMemory());
            }
        });
    }

    private void refuse(Outcome outcome, Runnable why) {
        refused = true;
        bytes = new byte[0];
        outcome.over().run();
        why.run();
    }

    /** False when there is no memory for it. */
    private boolean append(Buffer part) {
        int needed = length + part.length();
        if (needed > bytes.length) {
            int larger = (int) Math.min(limit, Math.max(Math.max(needed, FIRST), 2L * bytes.length));
            if (!lease.resize(larger)) {
                return false;
            }
            bytes = Arrays.copyOf(bytes, larger);
        }
        part.getBytes(bytes, length);
        length = needed;
        return true;
    }
}
