package dev.homeport.server.poll;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestServer;
import dev.homeport.server.config.Address;
import dev.homeport.testing.OutsideIn;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Callers who do not speak HTTP, or speak it too slowly. */
@OutsideIn
class HostileConnectionsTest {
    @TempDir
    static Path folder;

    private static TestServer server;

    @BeforeAll
    static void start() {
        server = TestServer.in(folder);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void theServerIsWell() {
        server.poll("").get("/health").expect(200);
        server.poll("").get("/ready").expect(200);
        server.admin().get("/clusters").expect(200);
    }

    private static Socket connect(Optional<Address> address) throws IOException {
        Socket socket = new Socket(address.orElseThrow().host(), address.get().port());
        socket.setSoTimeout(10_000);
        return socket;
    }

    /** What comes back until the other side closes, or falls silent. */
    private static String rest(Socket socket) throws IOException {
        StringBuilder text = new StringBuilder();
        byte[] part = new byte[8192];
        try {
            InputStream in = socket.getInputStream();
            for (int n = in.read(part); n >= 0; n = in.read(part)) {
                text.append(new String(part, 0, n, StandardCharsets.ISO_8859_1));
                socket.setSoTimeout(1000);
            }
        } catch (SocketException | SocketTimeoutException e) {
            return text.toString();
        }
        return text.toString();
    }

    static List<String> garbage() {
        String head = "GET /health HTTP/1.1\r\nHost: x\r\n";
        return List.of(
                "\r\n\r\nwhat?\r\n\r\n",
                "GET\r\n\r\n",
                "GET /health\r\n\r\n",
                "GET /health HTTP/9.9\r\n\r\n",
                "GET /" + "a".repeat(20_000) + " HTTP/1.1\r\nHost: x\r\n\r\n",
                head + "X: " + "b".repeat(40_000) + "\r\n\r\n",
                head + "X: y\r\n".repeat(5_000) + "\r\n",
                head + "Content-Length: abc\r\n\r\n",
                head + "Content-Length: -5\r\n\r\n",
                head + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
                head + "Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n",
                head + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
                head + "bad header line\r\n\r\n",
                head + "X: \0\r\n\r\n",
                head + "\r\n" + "\u0000\u0001garbage after a good request\r\n\r\n",
                "POST /clusters HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n",
                "POST /clusters HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\n\r\n{",
                "GET /api/v2/flux/clusters/%zz/namespaces?%zz HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET /clusters?limit=%zz HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + "\u00ff".repeat(50)
                        + "\r\n\r\n",
                "GET http://elsewhere/health HTTP/1.1\r\nHost: x\r\n\r\n",
                "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
                "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003",
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    }

    @ParameterizedTest
    @MethodSource("garbage")
    void garbageIsRefusedOrCutOffAndNeverAFailure(String sent) throws IOException {
        for (Optional<Address> address :
                List.of(server.running().poll(), server.running().admin())) {
            try (Socket socket = connect(address)) {
                socket.setSoTimeout(700);
                try {
                    socket.getOutputStream().write(sent.getBytes(StandardCharsets.ISO_8859_1));
                } catch (SocketException e) {
                    continue; // cut off while sending
                }
                String answer = rest(socket);
                assertThat(answer.lines().filter(line -> line.startsWith("HTTP/1.1 5")))
                        .as(answer)
                        .isEmpty();
            }
        }
    }

    @Test
    void whoeverDribblesIsCut() throws Exception {
        List<String> beginnings = List.of(
                "GET /health HTTP/1.1\r\nHost: x\r\n",
                "GET /health HTTP/1.1\r\nHost: x\r\n\r\nGET /health HTTP/1.1\r\nHost: x\r\n");
        List<Thread> threads = new ArrayList<>();
        Queue<Duration> cut = new ConcurrentLinkedQueue<>();
        for (String beginning : beginnings) {
            for (Optional<Address> address :
                    List.of(server.running().poll(), server.running().admin())) {
                threads.add(Thread.ofVirtual().start(() -> cut.add(dribble(address, beginning))));
            }
        }
        for (Thread thread : threads) {
            thread.join(Duration.ofMinutes(2));
        }
        assertThat(cut).hasSize(4).allSatisfy(after -> assertThat(after).isGreaterThan(Duration.ofSeconds(10)));
    }

    /** How long it could go on. */
    private static Duration dribble(Optional<Address> address, String beginning) {
        long begun = System.nanoTime();
        try (Socket socket = connect(address)) {
            socket.getOutputStream().write(beginning.getBytes(StandardCharsets.ISO_8859_1));
            InputStream in = socket.getInputStream();
            socket.setSoTimeout(500);
            while (true) {
                socket.getOutputStream().write('X');
                if (isClosed(in)) {
                    break;
                }
            }
        } catch (IOException e) {
            // cut
        }
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    private static boolean isClosed(InputStream in) throws IOException {
        try {
            return in.read(new byte[1024]) < 0;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }
}
