package dev.homeport.server.poll;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestClient;
import dev.homeport.server.TestServer;
import dev.homeport.server.config.Address;
import dev.homeport.testing.OutsideIn;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Callers who ask and do not take what they asked for. */
@OutsideIn
class SlowReadersTest {
    private static final String PATH = "/api/v2/flux/clusters/big.example.com/namespaces";

    @TempDir
    static Path folder;

    private static TestServer server;
    private static int length;

    @BeforeAll
    static void start() {
        server = TestServer.in(folder, Map.of("--poll-rate", "0"));
        String text = "x".repeat(4_000);
        List<String> annotations = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
            annotations.add("\"example.com/text" + i + "\": \"" + text + "\"");
        }
        List<String> references = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            server.admin()
                    .post(
                            "/namespaces",
                            "{\"id\": \"n" + i + "\", \"annotations\": {" + String.join(",", annotations) + "}}")
                    .expect(200);
            references.add("{\"id\": \"n" + i + "\"}");
        }
        server.admin()
                .post(
                        "/clusters",
                        "{\"id\": \"big\", \"cluster_name\": \"big\", \"cluster_dns\": \"big.example.com\","
                                + " \"environment\": \"dev\", \"namespaces\": [" + String.join(",", references)
                                + "]}")
                .expect(200);
        length = server.poll(server.adminToken()).get(PATH).expect(200).bytes().length;
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Socket ask(int requests) throws IOException {
        Address address = server.running().poll().orElseThrow();
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress(address.host(), address.port()), 5_000);
        socket.setSoTimeout(20_000);
        String request =
                "GET " + PATH + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + server.adminToken() + "\r\n\r\n";
        socket.getOutputStream().write(request.repeat(requests).getBytes(StandardCharsets.UTF_8));
        return socket;
    }

    private static double answered() {
        return server.admin()
                .get("/metrics")
                .text()
                .lines()
                .filter(line -> line.startsWith("homeport_polls_total") && line.contains("outcome=\"ok\""))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    /** Answers that are not read would pile up in memory. */
    @Test
    void whoeverAsksOnAndOnGetsNoMoreThanHeTakes() throws Exception {
        double before = answered();
        try (Socket socket = ask(200)) {
            Thread.sleep(1500);
            assertThat(answered() - before).isBetween(1.0, 60.0);
            assertThat(socket.getInputStream().readNBytes(200 * length)).hasSize(200 * length);
        }
        assertThat(answered() - before).isEqualTo(200);
    }

    @Test
    void answersSayHowNewTheyAre() {
        TestClient.Answer answer = server.poll(server.adminToken()).get(PATH).expect(200);
        String revision = server.admin()
                .get("/api/v2/changes?page_size=1")
                .expect(200)
                .json()
                .toString();
        assertThat(revision).contains("\"revision\":" + answer.header("Homeport-Revision"));
        assertThat(Long.parseLong(answer.header("Homeport-Age-Ms"))).isBetween(0L, 3000L);
        TestClient.Answer list =
                server.poll(server.adminToken()).get("/api/v2/flux/clusters").expect(200);
        assertThat(list.header("Homeport-Revision")).isEqualTo(answer.header("Homeport-Revision"));
        assertThat(Long.parseLong(list.header("Homeport-Age-Ms"))).isBetween(0L, 3000L);
        String described = server.admin().get("/openapi.json").expect(200).text();
        assertThat(described).contains("Homeport-Age-Ms").contains("Homeport-Revision");
    }
}
