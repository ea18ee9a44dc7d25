package dev.homeport.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An answer has an end, however slowly it comes. The time limits here are far beyond what a test may take. */
@Timeout(60)
class DeadlineTest {
    private static final Optional<Duration> SHORT = Optional.of(Duration.ofMillis(400));

    /** Says a byte now and then, so that no timeout of a socket ever ends it. */
    private static RawServer dripping() {
        return new RawServer((request, connection, out) -> {
            out.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
            for (int i = 0; i < 100_000; i++) {
                out.write(' ');
                out.flush();
                Thread.sleep(50);
            }
        });
    }

    @Test
    void aReadThatDripsIsGivenUp() {
        try (RawServer server = dripping()) {
            assertThatThrownBy(() -> server.client(SHORT).get("/api/v2/clusters"))
                    .isInstanceOfSatisfying(
                            ServerUnreachable.class, e -> assertThat(e.next()).startsWith("try it again"))
                    .hasMessageContaining("within 400ms");
        }
    }

    @Test
    void aWriteThatIsGivenUpMayHaveBeenDone() {
        try (RawServer server = dripping()) {
            assertThatThrownBy(
                            () -> server.client(SHORT).send("DELETE", "/api/v2/clusters/a", Map.of(), Optional.empty()))
                    .isInstanceOfSatisfying(
                            ServerUnreachable.class,
                            e -> assertThat(e.next()).startsWith("see in homeport audit whether it was done"));
            assertThat(server.requests()).hasSize(1);
        }
    }

    @Test
    void aServerThatNeverAnswersIsGivenUp() {
        CountDownLatch over = new CountDownLatch(1);
        try (RawServer server = new RawServer((request, connection, out) -> over.await())) {
            assertThatThrownBy(() -> server.client(SHORT).get("/health")).isInstanceOf(ServerUnreachable.class);
            assertThatThrownBy(() -> server.client(SHORT).stream("/api/v2/stream", Optional.empty()))
                    .isInstanceOf(ServerUnreachable.class);
        } finally {
            over.countDown();
        }
    }

    /** The limit is for the beginning of a stream, not for the stream. */
    @Test
    void aStreamLastsLongerThanItsBeginningMay() {
        try (RawServer server = new RawServer((request, connection, out) -> {
            out.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            out.flush();
            Thread.sleep(800);
            out.write("event: commit\nid: 7\ndata: {\"revision\":7}\n\n".getBytes(StandardCharsets.US_ASCII));
        })) {
            try (EventStream stream = server.client(SHORT).stream("/api/v2/stream", Optional.of("6"))) {
                EventStream.Event event = stream.next().orElseThrow();
                assertThat(event.id()).isEqualTo("7");
                assertThat(event.data().path("revision").asInt()).isEqualTo(7);
                assertThat(stream.next()).isEmpty();
            }
            assertThat(server.requests().getFirst()).containsIgnoringCase("Last-Event-ID: 6\r\n");
        }
    }
}
