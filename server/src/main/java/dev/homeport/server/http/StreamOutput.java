package dev.homeport.server.http;

import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** The open end of a streamed response. For one thread, which waits until the reader has taken what it sends. */
public final class StreamOutput {
    /** A reader that takes nothing for this long is cut. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final HttpServerRequest request;
    private final Context context;
    private final BooleanSupplier stopping;
    private boolean begun;

    public StreamOutput(HttpServerRequest request, Context context, BooleanSupplier stopping) {
        this.request = request;
        this.context = context;
        this.stopping = stopping;
    }

    public boolean begun() {
        return begun;
    }

    public boolean isOpen() {
        return !request.response().closed() && !stopping.getAsBoolean();
    }

    /** False when the reader has gone or is too slow; then nothing more is to be sent. */
    public boolean send(String text) throws InterruptedException {
        if (!isOpen()) {
            return false;
        }
        boolean first = !begun;
        begun = true;
        CompletableFuture<Boolean> taken = new CompletableFuture<>();
        context.runOnContext(nothing -> {
            if (request.response().closed()) {
                taken.complete(false);
                return;
            }
            if (first) {
                if (request.isSSL()) {
                    request.response().putHeader("Strict-Transport-Security", Replying.HSTS);
                }
                head(request.response());
            }
            Buffer bytes = Buffer.buffer(text);
            boolean refused = PendingAnswers.send(
                            request,
                            bytes.length(),
                            true,
                            () -> request.response()
                                    .write(bytes)
                                    .onComplete(result -> taken.complete(result.succeeded())))
                    .isPresent();
            if (refused) {
                taken.complete(false);
            }
        });
        try {
            return taken.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            close();
            return false;
        }
    }

    private static void head(HttpServerResponse response) {
        response.setChunked(true)
                .putHeader("Content-Type", "text/event-stream")
                .putHeader("Cache-Control", "no-store")
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("X-Accel-Buffering", "no");
    }

    /** Cuts the connection: what a slow reader has not taken is of no use to it. */
    public void close() {
        Connections.cut(request.connection());
    }
}
