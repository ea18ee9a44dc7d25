package dev.homeport.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Readers of an answer that is larger than what the system's buffers take. */
class ConnectionWatchTest {
    private static final int LENGTH = 30_000_000;

    private final Vertx vertx = Vertx.vertx();
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        Buffer answer = Buffer.buffer(new byte[LENGTH]);
        server = vertx.createHttpServer(new HttpServerOptions().setHost("127.0.0.1"));
        // One second to ask, and three for this answer.
        ConnectionWatch.over(
                vertx,
                server,
                request -> request.response().end(answer),
                new ConnectionWatch.Patience(Duration.ofSeconds(1), Duration.ofSeconds(5), LENGTH / 3));
        server.listen(0).toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    @AfterEach
    void stop() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private Socket ask() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.actualPort());
        socket.setSoTimeout(10_000);
        socket.getOutputStream()
                .write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static long rest(Socket socket) {
        long taken = 0;
        try {
            byte[] part = new byte[65_536];
            for (int n = socket.getInputStream().read(part);
                    n >= 0;
                    n = socket.getInputStream().read(part)) {
                taken += n;
            }
        } catch (IOException e) {
            return taken; // cut
        }
        return taken;
    }

    @Test
    void whoeverTakesItGetsItWhole() throws Exception {
        try (Socket socket = ask()) {
            assertThat(rest(socket)).isGreaterThan(LENGTH);
        }
    }

    @Test
    void whoeverIsABitSlowGetsItWholeToo() throws Exception {
        try (Socket socket = ask()) {
            Thread.sleep(2_000);
            assertThat(rest(socket)).isGreaterThan(LENGTH);
        }
    }

    @Test
    void whoeverDribblesIsCut() throws Exception {
        try (Socket socket = ask()) {
            long begun = System.nanoTime();
            while (System.nanoTime() - begun < Duration.ofSeconds(7).toNanos()) {
                assertThat(socket.getInputStream().readNBytes(100)).isNotEmpty();
                Thread.sleep(100);
            }
            // What is left is what was in the system's buffers when it was cut.
            assertThat(rest(socket)).isLessThan(LENGTH * 9L / 10);
        }
    }
}
