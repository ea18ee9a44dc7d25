package dev.homeport.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which answers are accepted as the server's: anything else must not be read as an empty list or as success. */
class AnswersTest {
    private static final String JSON = "application/json";

    @Test
    void anAnswerIsReadWithItsHeaders() {
        try (RawServer server = new RawServer((request, connection, out) -> out.write(
                "HTTP/1.1 200 OK\r\nETag: \"1-7\"\r\nContent-Length: 9\r\nConnection: close\r\n\r\n{\"a\": [1]"
                        .getBytes(StandardCharsets.US_ASCII)))) {
            assertThatThrownBy(() -> server.client().get("/x")).as("cut JSON").isInstanceOf(ServerUnreachable.class);
        }
        try (RawServer server = new RawServer((request, connection, out) ->
                out.write("HTTP/1.1 200 OK\r\nETag: \"1-7\"\r\nContent-Length: 8\r\nConnection: close\r\n\r\n{\"a\": 1}"
                        .getBytes(StandardCharsets.US_ASCII)))) {
            for (HomeportClient.Answer answer : new HomeportClient.Answer[] {
                server.client().get("/x"), server.client().send("POST", "/x", Map.of(), Optional.empty())
            }) {
                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.body().path("a").asInt()).isEqualTo(1);
                assertThat(answer.header("etag")).contains("\"1-7\"");
                assertThat(answer.header("ETag")).contains("\"1-7\"");
                assertThat(answer.header("absent")).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "null", "[]", "7", "{\"items\": [", "<html>Sign in</html>"})
    void whatIsNoObjectIsNoAnswer(String body) {
        try (RawServer server = RawServer.saying("200 OK", JSON, body)) {
            assertThatThrownBy(() -> server.client().get("/api/v2/clusters")).isInstanceOf(ServerUnreachable.class);
            assertThatThrownBy(() -> server.client().send("POST", "/x", Map.of(), Optional.empty()))
                    .isInstanceOf(ServerUnreachable.class);
        }
    }

    @Test
    void onlyAnAnswerThatSaysSoMayBeEmpty() {
        try (RawServer server = RawServer.saying("204 No Content", JSON, "")) {
            assertThat(server.client()
                            .send("DELETE", "/x", Map.of(), Optional.empty())
                            .body()
                            .isEmpty())
                    .isTrue();
        }
    }

    /** Content-Length says more than came. */
    @Test
    void aBodyThatIsCutIsNotTaken() {
        try (RawServer server = new RawServer((request, connection, out) -> out.write(
                "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nContent-Length: 40\r\n\r\n{\"type\":\"cluster\"}\n"
                        .getBytes(StandardCharsets.US_ASCII)))) {
            assertThatThrownBy(() -> server.client().copy("/api/v2/export", new ByteArrayOutputStream()))
                    .isInstanceOf(ServerUnreachable.class);
            assertThatThrownBy(() -> server.client().get("/api/v2/export")).isInstanceOf(ServerUnreachable.class);
        }
    }

    @Test
    void thePageOfAProxyIsNotAnExport() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (RawServer server = RawServer.saying("200 OK", "text/html; charset=utf-8", "<html>Sign in</html>")) {
            assertThatThrownBy(() -> server.client().copy("/api/v2/export", out))
                    .isInstanceOf(ServerUnreachable.class);
        }
        assertThat(out.size()).isZero();
        try (RawServer server = RawServer.saying("200 OK", "application/x-ndjson", "{\"a\": 1}\n")) {
            assertThat(server.client().copy("/api/v2/export", out))
                    .containsEntry("content-type", "application/x-ndjson");
        }
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("{\"a\": 1}\n");
    }

    /** An identity provider says so until the code was confirmed in a browser. */
    @Test
    void aPendingSignInIsAnAnswer() {
        try (RawServer server = RawServer.saying("400 Bad Request", JSON, "{\"error\":\"authorization_pending\"}")) {
            assertThatThrownBy(() -> server.client().send("POST", "/token", Map.of(), Optional.empty()))
                    .isInstanceOfSatisfying(
                            ApiProblem.class,
                            problem -> assertThat(problem.body().path("error").asString())
                                    .isEqualTo("authorization_pending"));
        }
        String refusal = "{\"error\":\"invalid_client\",\"error_description\":\"Invalid client credentials\"}";
        for (String status : List.of("400 Bad Request", "401 Unauthorized")) {
            try (RawServer server = RawServer.saying(status, JSON, refusal)) {
                assertThatThrownBy(() -> server.client().send("POST", "/token", Map.of(), Optional.empty()))
                        .isInstanceOf(ApiProblem.class)
                        .hasMessageContaining(
                                "answered " + status.substring(0, 3) + ": invalid_client: Invalid client credentials");
            }
        }
        try (RawServer server = RawServer.saying("502 Bad Gateway", JSON, "{\"error\":\"upstream\"}")) {
            assertThatThrownBy(() -> server.client().send("POST", "/x", Map.of(), Optional.empty()))
                    .isInstanceOf(ServerUnreachable.class);
        }
    }

    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void aProblemKeepsItsCode(ErrorCode code) {
        String body = "{\"code\":\"" + code.code()
                + "\",\"detail\":\"why\",\"next\":\"do this\",\"involved\":[\"cluster/a\"],"
                + "\"errors\":[{\"pointer\":\"/a\",\"detail\":\"wrong\",\"fix\":\"right\"}]}";
        try (RawServer server = RawServer.saying(code.httpStatus() + " Problem", "application/problem+json", body)) {
            for (String method : new String[] {"GET", "POST"}) {
                assertThatThrownBy(() -> {
                            if (method.equals("GET")) {
                                server.client().get("/x");
                            } else {
                                server.client().send(method, "/x", Map.of(), Optional.empty());
                            }
                        })
                        .isInstanceOfSatisfying(ApiProblem.class, problem -> {
                            assertThat(problem.code()).isEqualTo(code);
                            assertThat(problem).hasMessage("why");
                            assertThat(problem.next()).isEqualTo("do this");
                            assertThat(problem.involved()).containsExactly("cluster/a");
                            assertThat(problem.violations()).containsExactly("/a: wrong (right)");
                            assertThat(problem.renamed(place -> "--set" + place).violations())
                                    .containsExactly("--set/a: wrong (right)");
                        });
            }
        }
    }

    @Test
    void codesAndStatusesFitTogether() {
        assertThat(ErrorCode.values()).extracting(ErrorCode::code).doesNotHaveDuplicates();
        for (ErrorCode code : ErrorCode.values()) {
            assertThat(ErrorCode.of(code.code())).isEqualTo(code);
            assertThat(code.httpStatus()).isBetween(400, 599);
            assertThat(code.exitCode()).isBetween(1, 9);
            assertThat(code.meaning()).endsWith(".");
        }
        assertThat(ErrorCode.of("from_a_newer_server")).isEqualTo(ErrorCode.INTERNAL);
        assertThat(Arrays.stream(new int[] {502, 503, 504}).mapToObj(ErrorCode::ofStatus))
                .containsOnly(ErrorCode.UNAVAILABLE);
    }

    /** 401 and 403 of a proxy are believed; its other pages say nothing about Homeport. */
    @Test
    void aRefusalWithoutACodeIsNotTheServers() {
        try (RawServer server = RawServer.saying("401 No", "text/plain", "no")) {
            assertThatThrownBy(() -> server.client().get("/x"))
                    .isInstanceOfSatisfying(
                            ApiProblem.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAUTHENTICATED));
        }
        for (String status : new String[] {"404 Not Found", "500 Oops", "502 Bad Gateway", "409 Conflict"}) {
            try (RawServer server = RawServer.saying(status, "text/html", "<html></html>")) {
                assertThatThrownBy(() -> server.client().get("/x"))
                        .as(status)
                        .isInstanceOf(ServerUnreachable.class)
                        .hasMessageContaining("and not as Homeport does");
            }
        }
    }

    @Test
    void whatSpeaksNoHttpIsNoServer() {
        try (RawServer server = new RawServer(
                (request, connection, out) -> out.write("SSH-2.0-OpenSSH_9\r\n".getBytes(StandardCharsets.US_ASCII)))) {
            assertThatThrownBy(() -> server.client().get("/x")).isInstanceOf(ServerUnreachable.class);
            assertThatThrownBy(() -> server.client().send("POST", "/x", Map.of(), Optional.empty()))
                    .isInstanceOf(ServerUnreachable.class);
        }
    }
}
