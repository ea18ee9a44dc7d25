package dev.homeport.server.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestServer;
import dev.homeport.server.config.Address;
import dev.homeport.server.tls.Authority;
import dev.homeport.testing.OutsideIn;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The admin plane reads requests as strictly as the poll plane, and bodies only from callers it knows. */
@OutsideIn
class StrictAdminTest {
    private static final String HEAD = " HTTP/1.1\r\nHost: x\r\n";

    @TempDir
    static Path folder;

    private static TestServer server;

    @BeforeAll
    static void start() {
        server = TestServer.in(folder, Map.of("--request-memory-mib", "20"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Address admin() {
        return server.running().admin().orElseThrow();
    }

    private static String token() {
        return "Authorization: Bearer " + server.adminToken() + "\r\n";
    }

    private static String answer(String sent) throws IOException {
        try (Client client = Client.connect(admin())) {
            return client.send(sent).rest();
        }
    }

    static List<String> ambiguous() {
        return List.of(
                "POST /clusters" + HEAD + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "POST /clusters" + HEAD + "Transfer-Encoding: chunked, xchunked\r\n\r\n0\r\n\r\n",
                "POST /clusters" + HEAD + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
                "POST /clusters" + HEAD + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "POST /clusters" + HEAD + "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
                "POST /clusters" + HEAD + "Content-Length: +2\r\n\r\n{}",
                "POST /clusters" + HEAD + "Content-Length: 2, 2\r\n\r\n{}",
                "POST /clusters HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "GET /health" + HEAD + "Host: y\r\n\r\n",
                "GET /health" + HEAD + "Authorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n",
                "GET /health HTTP/1.1\r\n\r\n",
                "GET /health" + HEAD + "X-Some: a\r\n folded\r\n\r\n",
                "GET /health" + HEAD + "X-Some : a\r\n\r\n",
                "GET /health" + HEAD + "X Some: a\r\n\r\n",
                "GET /health HTTP/1.1\nHost: x\n\n",
                "GET /health" + HEAD + "X-Some: a\rb\r\n\r\n",
                "GET /health\r\n\r\n",
                "GET  /health" + HEAD + "\r\n",
                "GET /health HTTP/1.1 \r\nHost: x\r\n\r\n",
                "GET\t/health" + HEAD + "\r\n",
                "GET /hea\u0001lth" + HEAD + "\r\n",
                "GET /health HTTP/2.0\r\nHost: x\r\n\r\n",
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    }

    @ParameterizedTest
    @MethodSource("ambiguous")
    void whatCouldBeReadInTwoWaysIsRefused(String sent) throws IOException {
        String answer = answer(sent);
        assertThat(answer).startsWith("HTTP/1.1 400").contains("malformed").containsIgnoringCase("connection: close");
        assertThat(answer.split("HTTP/1.1 ", -1)).hasSize(2);
    }

    @Test
    void aRefusalHasItsTurnAfterEarlierAnswersAndNothingFollowsIt() throws IOException {
        String answer = answer("GET /health" + HEAD + "\r\n" + "GET /health" + HEAD + "Host: y\r\n\r\n" + "GET /ready"
                + HEAD + "\r\n");
        // Whether the refusal still gets out is for the server to decide; what follows it is never answered.
        assertThat(answer).startsWith("HTTP/1.1 200 OK").doesNotContain("ready");
        assertThat(answer.lines().filter(line -> line.startsWith("HTTP/1.1")).skip(1))
                .allMatch(line -> line.equals("HTTP/1.1 400 Bad Request"));
    }

    @Test
    void headsThatAreTooLongAreRefused() throws IOException {
        assertThat(answer("GET /" + "a".repeat(9_000) + HEAD + "\r\n")).startsWith("HTTP/1.1 414");
        assertThat(answer("GET /health" + HEAD + "X: " + "b".repeat(17_000) + "\r\n\r\n"))
                .startsWith("HTTP/1.1 431");
        assertThat(answer("GET /health" + HEAD + "X: y\r\n".repeat(200) + "\r\n"))
                .startsWith("HTTP/1.1 4");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5;ext=1\r\nhello\r\n0\r\n\r\n",
                "5\nhello\n0\n\n",
                "5\r\nhelloo\r\n0\r\n\r\n",
                "0\r\nX-Trailer: a\r\n\r\n",
                "-5\r\nhello\r\n0\r\n\r\n",
                "\r\nhello\r\n0\r\n\r\n",
                "1FFFFFFFF\r\nhello"
            })
    void chunksThatCouldBeReadInTwoWaysEndTheConnection(String chunks) throws IOException {
        String answer = answer("POST /clusters" + HEAD + token() + "Transfer-Encoding: chunked\r\n\r\n" + chunks);
        assertThat(answer).doesNotContain("HTTP/1.1 2").doesNotContain("HTTP/1.1 5");
    }

    @Test
    void chunksAreReadOneByteAtATimeAndAnotherRequestFollows() throws IOException {
        String body = "{\"id\": \"chunked\", \"cluster_name\": \"chunked\", \"cluster_dns\": \"chunked.example.com\","
                + " \"environment\": \"dev\"}";
        StringBuilder sent = new StringBuilder("POST /clusters" + HEAD + token()
                + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
        body.chars().forEach(c -> sent.append("1\r\n").append((char) c).append("\r\n"));
        sent.append("0\r\n\r\n");
        try (Client client = Client.connect(admin())) {
            for (int i = 0; i < sent.length(); i++) {
                client.send(sent.substring(i, i + 1));
            }
            assertThat(client.answer()).startsWith("HTTP/1.1 200");
            assertThat(client.send("GET /health" + HEAD + "Connection: close\r\n\r\n")
                            .rest())
                    .contains("HTTP/1.1 200");
        }
    }

    /** What is not read fills the system's buffers, and then sending blocks. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /clusters",
                "POST /api/v2/import",
                "GET /clusters",
                "POST /nothing",
                "POST /health",
                "GET /openapi.json"
            })
    void bodiesOfStrangersAreNotRead(String line) throws Exception {
        long before = server.connections().bytes().used();
        try (Client client = Client.connect(admin())) {
            client.send(line + HEAD + "Content-Length: 8000000\r\n\r\n{");
            String answer = client.answer();
            assertThat(answer).startsWith("HTTP/1.1 4").containsIgnoringCase("connection: close");
            assertThat(server.connections().bytes().used()).isEqualTo(before);
            client.rest();
        }
    }

    @Test
    void bodiesOfReadersAreNotKept() throws Exception {
        try (Client client = Client.connect(admin())) {
            client.send("GET /clusters" + HEAD + token() + "Content-Length: 1000000\r\n\r\n" + "x".repeat(500_000));
            Thread.sleep(50);
            assertThat(server.connections().bytes().used()).isZero();
            client.send("x".repeat(500_000));
            assertThat(client.answer()).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void bodiesTakeNoMoreMemoryThanTheyMay() throws Exception {
        List<Client> clients = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Client client = Client.connect(admin());
            clients.add(client);
            client.send("POST /api/v2/changes" + HEAD + token() + "Content-Length: 8000000\r\n\r\n");
            try {
                client.send("x".repeat(7_000_000));
            } catch (IOException e) {
                // refused while it was sending
            }
        }
        Resources.await(() -> server.connections().bytes().refused() > 0, () -> "nothing was refused");
        assertThat(server.connections().bytes().used()).isLessThanOrEqualTo(20L * 1024 * 1024);
        for (Client client : clients) {
            client.reset();
        }
        Resources.await(
                () -> server.connections().bytes().used() == 0,
                () -> server.connections().bytes().used() + " bytes are taken");
    }

    @Test
    void oneImportAtATime() throws Exception {
        String head = "POST /api/v2/import" + HEAD + token()
                + "Content-Type: application/json\r\nContent-Length: 9000000\r\n\r\n";
        try (Client first = Client.connect(admin()).send(head + "{");
                Client second = Client.connect(admin())) {
            Resources.await(() -> server.connections().bytes().used() > 0, () -> "not begun");
            assertThat(second.send(head).answer()).startsWith("HTTP/1.1 429").contains("another import");
            first.reset();
        }
        Resources.await(() -> server.connections().bytes().used() == 0, () -> "not over");
        try (Client third = Client.connect(admin()).send(head + "{")) {
            Resources.await(() -> server.connections().bytes().used() > 0, () -> "the third import was refused");
        }
    }

    @Test
    void largeImportsAreForPlatformAdmins() throws Exception {
        String reader = server.admin()
                .post(
                        "/api/v2/tokens",
                        "{\"spec\": {\"kind\": \"service\", \"subject\": \"ci\", \"access\": \"reader\"}}")
                .expect(201)
                .text()
                .replaceAll("(?s).*\"(hps_[A-Za-z0-9_]+)\".*", "$1");
        try (Client client = Client.connect(admin())) {
            assertThat(client.send("POST /api/v2/import" + HEAD + "Authorization: Bearer " + reader
                                    + "\r\nContent-Length: 9000000\r\n\r\n")
                            .answer())
                    .startsWith("HTTP/1.1 413");
        }
    }

    @Test
    void browsersAreToldToStayWithTls(@TempDir Path other) throws Exception {
        Path certificate = other.resolve("tls.crt");
        Path key = other.resolve("tls.key");
        new Authority("servers").server("first").write(certificate, key);
        Map<String, String> tls = Map.of("--tls-certificate", certificate.toString(), "--tls-key", key.toString());
        try (TestServer secure = TestServer.in(other, tls);
                Client client =
                        Client.connect(secure.running().admin().orElseThrow()).handshake()) {
            assertThat(client.send("GET /clusters" + HEAD + "\r\n").answer())
                    .startsWith("HTTP/1.1 401")
                    .contains("Strict-Transport-Security: max-age=31536000");
        }
        try (Client client = Client.connect(admin())) {
            assertThat(client.send("GET /clusters" + HEAD + "\r\n").answer()).doesNotContain("Strict-Transport");
        }
    }

    @Test
    void aBodyIsAskedForWhenItsSenderIsKnown() throws Exception {
        String head = " HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n";
        try (Client client = Client.connect(admin())) {
            assertThat(client.send("POST /clusters" + head + token() + "\r\n").answer())
                    .startsWith("HTTP/1.1 100");
        }
        try (Client client = Client.connect(admin())) {
            assertThat(client.send("POST /clusters" + head + "\r\n").answer()).startsWith("HTTP/1.1 401");
        }
    }
}
