package dev.homeport.server.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.homeport.server.TestServer;
import dev.homeport.server.config.Address;
import dev.homeport.server.http.ConnectionTimeouts;
import dev.homeport.server.tls.Authority;
import dev.homeport.testing.OutsideIn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** In whichever state a connection is left, and however: nothing of it stays behind. */
@OutsideIn
class ConnectionStatesTest {
    /** How many at once of each kind: some leaks show only when a reset overtakes the request. */
    private static final int EACH = 4;

    private static final ConnectionTimeouts SHORT = new ConnectionTimeouts(
            Duration.ofMillis(500),
            Duration.ofMillis(500),
            Duration.ofSeconds(20),
            Duration.ofMillis(100),
            Duration.ofMillis(50),
            64 * 1024 * 1024);

    private static final String EVENTS = "/api/v2/flux/clusters/none.example.com/events";
    private static final String HEAD = " HTTP/1.1\r\nHost: x\r\n";
    private static final byte[] GARBAGE = {0, 1, 2, 3, '\r', '\n', '\r', '\n', 0};
    private static final String HEALTH = "GET /health" + HEAD + "\r\n";

    @TempDir
    static Path folder;

    private static final Map<Setup, TestServer> SERVERS = new HashMap<>();

    /** How connections begin. */
    enum Setup {
        PLAIN,
        TLS,
        PROXY
    }

    @BeforeAll
    static void start() throws IOException {
        for (Setup setup : Setup.values()) {
            SERVERS.put(setup, start(setup, Files.createDirectory(folder.resolve(setup.name())), SHORT));
        }
    }

    static TestServer start(Setup setup, Path data, ConnectionTimeouts timeouts) throws IOException {
        Map<String, String> flags = switch (setup) {
            case PLAIN -> Map.of();
            case TLS -> {
                Path certificate = data.resolve("tls.crt");
                Path key = data.resolve("tls.key");
                new Authority("servers").server("first").write(certificate, key);
                yield Map.of("--tls-certificate", certificate.toString(), "--tls-key", key.toString());
            }
            case PROXY -> Map.of("--trusted-proxies", "127.0.0.1", "--proxy-protocol", "both");
        };
        return TestServer.in(data, flags, timeouts);
    }

    static Address address(TestServer server, String plane) {
        return (plane.equals("poll")
                        ? server.running().poll()
                        : server.running().admin())
                .orElseThrow();
    }

    @AfterAll
    static void stop() {
        SERVERS.values().forEach(TestServer::close);
    }

    /** Brings a new connection into a state. */
    @FunctionalInterface
    interface State {
        void enter(Client client) throws IOException;
    }

    /** Leaves it there. */
    @FunctionalInterface
    interface Leaving {
        void leave(Client client) throws IOException, InterruptedException;
    }

    static Map<String, State> states(Setup setup) {
        Map<String, State> states = new HashMap<>();
        states.put("accepted", client -> {});
        if (setup == Setup.TLS) {
            byte[] hello = helloBytes();
            states.put("before the handshake", client -> client.sendRaw(new byte[] {22}));
            states.put(
                    "within the handshake", client -> client.sendRaw(java.util.Arrays.copyOf(hello, hello.length / 2)));
            states.put("after the first message", client -> client.sendRaw(hello));
        }
        if (setup == Setup.PROXY) {
            states.put("within the PROXY header", client -> client.send("PROXY TCP4 192.0.2.1 "));
        }
        states.put("line", begun(setup, "GET /hea"));
        states.put("head", begun(setup, "GET /health" + HEAD + "X-Some: "));
        states.put("long head", begun(setup, "GET /health" + HEAD + "X-Some: " + "x".repeat(5_000)));
        states.put("unread body", begun(setup, "POST /health" + HEAD + "Content-Length: 5\r\n\r\n"));
        states.put("refused", begun(setup, "GET / HTTP/1.1\n\n"));
        states.put("counted body", begun(setup, "POST " + EVENTS + HEAD + "Content-Length: 200000\r\n\r\nsome"));
        states.put(
                "half a body",
                begun(setup, "POST " + EVENTS + HEAD + "Content-Length: 200000\r\n\r\n" + "x".repeat(100_000)));
        states.put(
                "chunked body", begun(setup, "POST " + EVENTS + HEAD + "Transfer-Encoding: chunked\r\n\r\n5\r\nhel"));
        states.put("too large", begun(setup, "POST " + EVENTS + HEAD + "Content-Length: 300000\r\n\r\nsome"));
        states.put("dispatched", begun(setup, "POST " + EVENTS + HEAD + "Content-Length: 5\r\n\r\nhello"));
        states.put("answers not read", begun(setup, HEALTH.repeat(20_000)));
        states.put("keep-alive", client -> {
            begun(setup, HEALTH).enter(client);
            assertThat(client.answer()).startsWith("HTTP/1.1 200");
        });
        return states;
    }

    private static byte[] helloBytes() {
        try {
            return Client.hello();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static State begun(Setup setup, String sent) {
        return switch (setup) {
            case PLAIN -> client -> client.send(sent);
            case TLS -> client -> client.handshake().send(sent);
            case PROXY -> client -> client.send("PROXY TCP4 192.0.2.1 192.0.2.2 5000 443\r\n" + sent);
        };
    }

    static Map<String, Leaving> leavings() {
        Map<String, Leaving> leavings = new HashMap<>(ended());
        leavings.put("silence", Client::rest);
        leavings.put("garbage", client -> {
            client.sendRaw(GARBAGE);
            client.rest();
        });
        leavings.put("garbage inside", client -> {
            client.send(GARBAGE);
            client.rest();
        });
        leavings.put("TLS", client -> {
            client.sendRaw(helloBytes());
            client.rest();
        });
        leavings.put("slow bytes", client -> {
            while (true) {
                client.sendRaw(new byte[] {'x'});
                Thread.sleep(20);
            }
        });
        leavings.put("slow bytes inside", client -> {
            while (true) {
                client.send(new byte[] {'x'});
                Thread.sleep(20);
            }
        });
        return leavings;
    }

    /** What ends a stream too, during which a server reads nothing. */
    private static Map<String, Leaving> ended() {
        return Map.of("reset", Client::reset, "end", client -> {
            client.finish();
            client.rest();
        });
    }

    /** What only callers with a token reach. */
    static Map<String, State> withToken(Setup setup, TestServer server) {
        String head = HEAD + "Authorization: Bearer " + server.adminToken() + "\r\n";
        String json = head + "Content-Type: application/json\r\n";
        String change = "{\"operations\":[{\"op\":\"create\",\"type\":\"namespace\",\"id\":\"a\",\"spec\":{}}]}";
        return Map.of(
                "body of a change",
                begun(setup, "POST /api/v2/changes" + json + "Content-Length: 5000\r\n\r\n" + change),
                "change under way",
                begun(
                        setup,
                        "POST /api/v2/changes?dry_run=true" + json + "Content-Length: " + change.length() + "\r\n\r\n"
                                + change),
                "export not read",
                begun(setup, ("GET /api/v2/export" + head + "\r\n").repeat(50)));
    }

    private static State stream(Setup setup, TestServer server) {
        String request = "GET /api/v2/stream" + HEAD + "Authorization: Bearer " + server.adminToken()
                + "\r\nAccept: text/event-stream\r\n\r\n";
        return client -> {
            begun(setup, request).enter(client);
            assertThat(client.answer()).startsWith("HTTP/1.1 200");
        };
    }

    static Stream<Arguments> cells() {
        return Stream.of(Setup.values())
                .flatMap(setup -> Stream.of("poll", "admin")
                        .flatMap(plane ->
                                states(setup).keySet().stream().sorted().map(state -> arguments(setup, plane, state))));
    }

    @ParameterizedTest
    @MethodSource("cells")
    void nothingStaysBehind(Setup setup, String plane, String state) throws Exception {
        TestServer server = SERVERS.get(setup);
        leave(server, address(server, plane), states(setup).get(state), leavings());
    }

    @ParameterizedTest
    @EnumSource(Setup.class)
    void nothingStaysBehindOfCallersWithAToken(Setup setup) throws Exception {
        TestServer server = SERVERS.get(setup);
        for (State state : withToken(setup, server).values()) {
            leave(server, address(server, "admin"), state, leavings());
        }
        leave(server, address(server, "admin"), stream(setup, server), ended());
    }

    private static void leave(TestServer server, Address address, State state, Map<String, Leaving> leavings)
            throws Exception {
        Resources before = Resources.of(server);
        List<Thread> threads = new ArrayList<>();
        for (Leaving leaving : leavings.values()) {
            for (int i = 0; i < EACH; i++) {
                threads.add(Thread.ofVirtual().start(() -> visit(address, state, leaving)));
            }
        }
        for (Thread thread : threads) {
            assertThat(thread.join(Duration.ofSeconds(90))).isTrue();
        }
        before.areBack();
    }

    private static void visit(Address address, State state, Leaving leaving) {
        try (Client client = Client.connect(address, 4096)) {
            state.enter(client);
            leaving.leave(client);
        } catch (IOException e) {
            // The server has cut it, as it should.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
