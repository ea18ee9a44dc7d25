package dev.homeport.server.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestServer;
import dev.homeport.server.config.Address;
import dev.homeport.server.http.ByteBudget;
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

/** People who ask for much and take none of it. */
@OutsideIn
class SlowAdminReadersTest {
    private static final String HEAD = " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ";

    /** More than the buffers of the system take of one answer. */
    private static final int NAMESPACES = 250;

    @TempDir
    static Path folder;

    private static TestServer server;

    @BeforeAll
    static void start() {
        server = TestServer.in(folder, Map.of("--request-memory-mib", "1"));
        StringBuilder annotations = new StringBuilder();
        for (int i = 0; i < 15; i++) {
            annotations
                    .append(i == 0 ? "" : ",")
                    .append("\"example.com/text")
                    .append(i)
                    .append("\": \"")
                    .append("x".repeat(4_000))
                    .append('"');
        }
        // Few at a time: requests have as little memory here as answers.
        for (int batch = 0; batch < NAMESPACES; batch += 2) {
            List<String> operations = new ArrayList<>();
            for (int i = batch; i < batch + 2; i++) {
                operations.add("{\"op\": \"create\", \"type\": \"namespace\", \"id\": \"n" + i
                        + "\", \"spec\": {\"annotations\": {" + annotations + "}}}");
            }
            server.admin()
                    .post(
                            "/api/v2/changes",
                            "{\"reason\": \"much\", \"operations\": [" + String.join(",", operations) + "]}")
                    .expect(201);
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Address admin() {
        return server.running().admin().orElseThrow();
    }

    private static ByteBudget answers() {
        return server.connections().answers();
    }

    private static Client ask(String path) throws IOException {
        return Client.connect(admin(), 4096).send("GET " + path + HEAD + server.adminToken() + "\r\n\r\n");
    }

    private static void isGivenBack() throws InterruptedException {
        Resources.await(() -> answers().used() == 0, () -> answers().used() + " bytes are taken");
    }

    @Test
    void exportsToSlowReadersCountAgainstTheMemoryForAnswers() throws Exception {
        long refused = answers().refused();
        try (Client slow = ask("/api/v2/export")) {
            Resources.await(
                    () -> answers().used() == answers().largest(),
                    () -> answers().used() + " bytes");
            try (Client second = ask("/api/v2/export")) {
                assertThat(second.rest())
                        .startsWith("HTTP/1.1 503")
                        .contains("slow readers", "Retry-After", "try again");
            }
            assertThat(answers().refused()).isGreaterThan(refused);
            // Small answers, writes and polls go on.
            assertThat(server.admin().get("/metrics").expect(200).text())
                    .containsPattern("homeport_bytes_refused_total\\{kind=\"answers\"\\} [1-9]")
                    .containsPattern("homeport_bytes_in_flight\\{kind=\"answers\"\\} [1-9]");
            assertThat(server.admin()
                            .get("/api/v2/findings?kind=request_memory_exhausted")
                            .expect(200)
                            .text())
                    .contains("memory for answers");
            server.admin().post("/namespaces", "{\"id\": \"more\"}").expect(200);
            server.poll("").get("/health").expect(200);
            slow.reset();
        }
        isGivenBack();
        assertThat(server.admin().get("/api/v2/export").expect(200).bytes().length)
                .isGreaterThan(NAMESPACES * 60_000);
        isGivenBack();
    }

    @Test
    void listsCountTooAndTheirMemoryIsGivenBackOnceTheyAreRead() throws Exception {
        try (Client slow = ask("/api/v2/namespaces?page_size=1000")) {
            Resources.await(() -> answers().used() > 0, () -> "nothing is counted");
            assertThat(slow.rest()).startsWith("HTTP/1.1 200").endsWith("}");
        }
        isGivenBack();
    }
}
