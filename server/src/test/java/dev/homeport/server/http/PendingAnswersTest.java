package dev.homeport.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams whose readers take nothing. */
@Timeout(60)
class PendingAnswersTest {
    /** More than the buffers of the system take. */
    private static final String LONG = "x".repeat(30_000_000);

    private final Vertx vertx = Vertx.vertx();
    private final ConnectionLimits limits =
            new ConnectionLimits(100, 1_000_000, TrustedProxies.parse(""), InstantSource.system());
    private final ConnectionLimits.Plane plane = limits.plane("admin", 100);
    private final BlockingQueue<Boolean> sent = new LinkedBlockingQueue<>();
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        server = vertx.createHttpServer(new HttpServerOptions().setHost("127.0.0.1"))
                .connectionHandler(connection -> Connections.channel(connection)
                        .ifPresent(channel -> Objects.requireNonNull(plane.admit("127.0.0.1", () -> false))
                                .attach(channel)))
                .requestHandler(request -> {
                    Context context = Objects.requireNonNull(Vertx.currentContext());
                    StreamOutput out = new StreamOutput(request, context, () -> false);
                    String text = "/long".equals(request.path()) ? LONG : "short";
                    Thread.ofVirtual().start(() -> send(out, text));
                });
        server.listen(0).toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private void send(StreamOutput out, String text) {
        try {
            sent.add(out.send(text));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @AfterEach
    void stop() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private Socket ask(String path) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.actualPort());
        socket.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private void await(long used) throws InterruptedException {
        while (limits.answers().used() != used) {
            Thread.sleep(10);
        }
    }

    @Test
    void aStreamCountsUntilItIsTakenAndOneTooManyEnds() throws Exception {
        long largest = limits.answers().largest();
        try (Socket slow = ask("/long")) {
            await(largest);
            try (Socket second = ask("/long")) {
                assertThat(sent.take())
                        .as("there is no memory for a second one")
                        .isFalse();
                assertThat(limits.answers().refused()).isPositive();
                try (Socket small = ask("/short")) {
                    assertThat(sent.take()).as("a short event is taken at once").isTrue();
                    assertThat(second.isConnected() && small.isConnected()).isTrue();
                }
            }
            assertThat(slow.isConnected()).isTrue();
        }
        await(0);
    }

    @Test
    void whatCannotBeRefusedIsCountedAndStopsTheNextWrite() {
        ByteBudget.Lease write = plane.answersOfPeople();
        long largest = limits.answers().largest();
        assertThat(write.resize(largest)).isTrue();
        assertThat(plane.isOverdrawn()).isFalse();
        ByteBudget.Lease second = plane.answersOfPeople();
        assertThat(second.resize(10)).isFalse();
        second.force(10);
        assertThat(plane.isOverdrawn()).isTrue();
        assertThat(limits.answers().used()).isEqualTo(largest + 10);
        try (ByteBudget.Lease poll = plane.answers()) {
            assertThat(poll.resize(1000)).as("polls have the other half").isTrue();
        }
        second.close();
        assertThat(plane.isOverdrawn()).isFalse();
        write.close();
        assertThat(limits.answers().used()).isZero();
    }
}
