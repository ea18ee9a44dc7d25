package dev.homeport.server.stream;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** As many streams as are allowed, and one more. */
@OutsideIn
class StreamLimitTest {
    private static final int MOST = 60;
    private static final int MOST_OF_ONE = 20;

    @TempDir
    Path folder;

    private static Socket open(TestServer server, String token) throws IOException {
        Address address = server.running().admin().orElseThrow();
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress(address.host(), address.port()), 5_000);
        socket.setSoTimeout(10_000);
        socket.getOutputStream()
                .write(("GET /api/v2/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + token + "\r\n\r\n")
                        .getBytes(StandardCharsets.UTF_8));
        return socket;
    }

    private static String status(Socket socket) throws IOException {
        return new String(socket.getInputStream().readNBytes(12), StandardCharsets.UTF_8);
    }

    private static String reader(TestServer server, String name) {
        return server.admin()
                .post(
                        "/api/v2/tokens",
                        "{\"spec\": {\"kind\": \"service\", \"subject\": \"" + name + "\", \"access\": \"reader\"}}")
                .expect(201)
                .text()
                .replaceAll("(?s).*\"(hps_[A-Za-z0-9_]+)\".*", "$1");
    }

    @Test
    void oneCallerHasALimitOfItsOwn() throws Exception {
        List<Socket> open = new ArrayList<>();
        try (TestServer server = TestServer.in(folder)) {
            String first = reader(server, "first");
            try {
                for (int i = 0; i < MOST_OF_ONE; i++) {
                    open.add(open(server, first));
                    assertThat(status(open.getLast())).isEqualTo("HTTP/1.1 200");
                }
                try (Socket more = open(server, first)) {
                    StringBuilder answer = new StringBuilder();
                    while (answer.indexOf("}") < 0) {
                        answer.append((char) more.getInputStream().readNBytes(1)[0]);
                    }
                    assertThat(answer.toString())
                            .startsWith("HTTP/1.1 429")
                            .contains("service:first has 20 open streams");
                }
                open.add(open(server, reader(server, "second")));
                assertThat(status(open.getLast())).isEqualTo("HTTP/1.1 200");
            } finally {
                for (Socket socket : open) {
                    socket.close();
                }
            }
        }
    }

    @Test
    void oneMoreIsRefusedUntilOneEnds() throws Exception {
        List<Socket> open = new ArrayList<>();
        try (TestServer server = TestServer.in(folder, Map.of("--max-streams", Integer.toString(MOST)))) {
            try {
                String token = "";
                for (int i = 0; i < MOST; i++) {
                    token = i % MOST_OF_ONE == 0 ? reader(server, "reader" + i / MOST_OF_ONE) : token;
                    open.add(open(server, token));
                }
                for (Socket socket : open) {
                    assertThat(status(socket)).isEqualTo("HTTP/1.1 200");
                }
                try (Socket more = open(server, server.adminToken())) {
                    assertThat(status(more)).isEqualTo("HTTP/1.1 429");
                }
                // The others go on, and so does everything else.
                server.admin().post("/namespaces", "{\"id\": \"told\"}").expect(200);
                server.poll("").get("/ready").expect(200);
                assertThat(server.admin().get("/metrics").text()).contains("homeport_stream_clients 60.0");
                open.removeLast().close();
                String answer = "";
                for (int tries = 0; tries < 50 && !answer.equals("HTTP/1.1 200"); tries++) {
                    Thread.sleep(100);
                    Socket again = open(server, server.adminToken());
                    open.add(again);
                    answer = status(again);
                }
                assertThat(answer).isEqualTo("HTTP/1.1 200");
            } finally {
                for (Socket socket : open) {
                    socket.close();
                }
            }
        }
    }
}
