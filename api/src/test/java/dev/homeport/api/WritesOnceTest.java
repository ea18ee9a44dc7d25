package dev.homeport.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A write whose answer is lost may have been done: it is reported, and never sent again by the client itself. */
class WritesOnceTest {
    private static final Optional<HomeportClient.Payload> BODY =
            Optional.of(new HomeportClient.Payload("application/json", "{\"a\": 1}".getBytes(StandardCharsets.UTF_8)));

    /** How a connection can end after the server has read the request. */
    enum End {
        CLOSED,
        RESET,
        AFTER_HALF_A_HEAD,
        AFTER_HALF_A_BODY
    }

    private static RawServer ending(End end) {
        return new RawServer((request, connection, out) -> {
            switch (end) {
                case CLOSED -> {}
                case RESET -> connection.setSoLinger(true, 0);
                case AFTER_HALF_A_HEAD -> out.write("HTTP/1.1 200 OK\r\nContent-".getBytes(StandardCharsets.US_ASCII));
                case AFTER_HALF_A_BODY ->
                    out.write("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{\"revision\":"
                            .getBytes(StandardCharsets.US_ASCII));
            }
        });
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void whateverEndsTheConnection(End end) {
        try (RawServer server = ending(end)) {
            HomeportClient client = server.client();
            for (String method : new String[] {"POST", "PUT", "PATCH", "DELETE"}) {
                assertThatThrownBy(() -> client.send(method, "/api/v2/changes", Map.of(), BODY))
                        .as(method)
                        .isInstanceOf(ServerUnreachable.class);
                assertThat(server.requests())
                        .as("%s was sent once", method)
                        .filteredOn(request -> request.startsWith(method + " "))
                        .hasSize(1);
            }
        }
    }

    /** A client that followed it would send the write, and the token, to another server. */
    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void aRedirectIsNotFollowed(int status) {
        try (RawServer other = RawServer.saying("200 OK", "application/json", "{}");
                RawServer server = new RawServer((request, connection, out) -> out.write(("HTTP/1.1 " + status
                                + " Elsewhere\r\nLocation: " + other.address()
                                + "/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII)))) {
            assertThatThrownBy(() -> server.client().send("POST", "/api/v2/changes", Map.of(), BODY))
                    .isInstanceOf(ServerUnreachable.class)
                    .hasMessageContaining(" sends you to " + other.address());
            assertThatThrownBy(() -> server.client().get("/api/v2/clusters")).isInstanceOf(ServerUnreachable.class);
            assertThat(other.requests()).isEmpty();
        }
    }
}
