package dev.homeport.server.poll;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestServer;
import dev.homeport.server.config.Address;
import dev.homeport.testing.OutsideIn;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The poll plane's own HTTP, by the byte. */
@OutsideIn
class PollWireTest {
    private static final String HEAD = "GET /health HTTP/1.1\r\nHost: x\r\n";
    private static final String EVENTS = "POST /api/v2/flux/clusters/w0.example.com/events HTTP/1.1\r\nHost: x\r\n";
    private static final String SMUGGLED = "GET /ready HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3}) ");
    private static final Pattern LENGTH = Pattern.compile("Content-Length: (\\d+)");
    private static final int CLUSTERS = 8;

    @TempDir
    static Path folder;

    private static TestServer server;

    @BeforeAll
    static void start() {
        server = TestServer.in(folder);
        for (int i = 0; i < CLUSTERS; i++) {
            server.admin()
                    .post(
                            "/clusters",
                            "{\"id\": \"w%1$d\", \"cluster_name\": \"w%1$d\", \"cluster_dns\": \"w%1$d.example.com\", \"environment\": \"dev\"}"
                                    .formatted(i))
                    .expect(200);
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Socket connect() throws IOException {
        Address address = server.running().poll().orElseThrow();
        Socket socket = new Socket(address.host(), address.port());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(10_000);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    /** All that comes until the other side closes. */
    private static String exchange(String sent) throws IOException {
        try (Socket socket = connect()) {
            send(socket, sent);
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    private static List<Integer> statuses(String answers) {
        return STATUS.matcher(answers)
                .results()
                .map(found -> Integer.parseInt(found.group(1)))
                .toList();
    }

    /** One answer with its body, from a connection that stays. */
    private static String answer(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int b = in.read();
            if (b < 0) {
                return head.toString(StandardCharsets.ISO_8859_1);
            }
            head.write(b);
        }
        String text = head.toString(StandardCharsets.ISO_8859_1);
        var length = LENGTH.matcher(text);
        return length.find()
                ? text + new String(in.readNBytes(Integer.parseInt(length.group(1))), StandardCharsets.ISO_8859_1)
                : text;
    }

    private static Arguments row(String what, String sent, Integer... statuses) {
        return Arguments.of(what, sent, List.of(statuses));
    }

    /** What is sent on one connection, and the statuses that come back before it is closed. */
    static List<Arguments> table() {
        String close = "Connection: close\r\n\r\n";
        String more = SMUGGLED;
        return List.of(
                row("a request", HEAD + close, 200),
                row("HTTP/1.0 ends by itself", "GET /health HTTP/1.0\r\n\r\n", 200),
                row(
                        "HTTP/1.0 may ask to stay",
                        "GET /health HTTP/1.0\r\nConnection: keep-alive\r\n\r\n" + more,
                        200,
                        200),
                row("two at once", HEAD + "\r\n" + HEAD + close, 200, 200),
                row("an empty line before", "\r\n" + HEAD + close, 200),
                row("HEAD", "HEAD /health HTTP/1.1\r\nHost: x\r\n" + close, 200),
                row("the form of proxies", "GET http://y/health?x=1 HTTP/1.1\r\nHost: x\r\n" + close, 200),
                row("no path", "OPTIONS * HTTP/1.1\r\nHost: x\r\n" + close, 400),
                row("OPTIONS", "OPTIONS /health HTTP/1.1\r\nHost: x\r\n" + close, 405),
                row("CONNECT", "CONNECT x:443 HTTP/1.1\r\nHost: x\r\n" + close, 400),
                row("another scheme", "GET ftp://y/health HTTP/1.1\r\nHost: x\r\n" + close, 400),
                row("a fragment", "GET /health#x HTTP/1.1\r\nHost: x\r\n" + close, 400),
                row("no Host", "GET /health HTTP/1.1\r\n" + close, 400),
                row("two Hosts", HEAD + "Host: y\r\n" + close, 400),
                row("two tokens", HEAD + "Authorization: Bearer a\r\nauthorization: Bearer b\r\n" + close, 400),
                row("a length of nothing", HEAD + "Content-Length: 0\r\n" + close, 200),
                // What follows could be a body or a request: it is neither here.
                row("a body that is not read", HEAD + "Content-Length: 5\r\n\r\nhello" + more, 200),
                row("a request as a body", HEAD + "Content-Length: " + more.length() + "\r\n\r\n" + more + more, 200),
                row("chunks that are not read", HEAD + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + more, 200),
                row(
                        "both lengths",
                        HEAD + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + more,
                        400),
                row("two lengths", HEAD + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello" + more, 400),
                row("the same length twice", HEAD + "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello" + more, 400),
                row("a list of lengths", HEAD + "Content-Length: 5, 5\r\n\r\nhello" + more, 400),
                row("a signed length", HEAD + "Content-Length: +5\r\n\r\nhello" + more, 400),
                row("an endless length", HEAD + "Content-Length: 9999999999999999999\r\n\r\n" + more, 400),
                row("no length at all", HEAD + "Content-Length: \r\n\r\n" + more, 400),
                row("a space in a name", HEAD + "Content-Length : 5\r\n\r\nhello" + more, 400),
                row("another coding", HEAD + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n" + more, 400),
                row("a disguised coding", HEAD + "Transfer-Encoding: \u000bchunked\r\n\r\n0\r\n\r\n" + more, 400),
                row(
                        "two codings",
                        HEAD + "Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n0\r\n\r\n" + more,
                        400),
                row(
                        "chunks in HTTP/1.0",
                        "POST /health HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + more,
                        400),
                row("a folded line", HEAD + "X: a\r\n b\r\n\r\n" + more, 400),
                row("a line feed alone", "GET /health HTTP/1.1\nHost: x\n\n" + more, 400),
                row("a line feed among others", HEAD + "X: a\nContent-Length: 5\r\n\r\n" + more, 400),
                row("a carriage return alone", HEAD + "X: a\rY: b\r\n\r\n" + more, 400),
                row("a NUL", HEAD + "X: a\0b\r\n\r\n" + more, 400),
                row("a NUL in the path", "GET /heal\0th HTTP/1.1\r\nHost: x\r\n\r\n" + more, 400),
                row("letters that are not plain", "GET /he\u00e4lth HTTP/1.1\r\nHost: x\r\n\r\n" + more, 400),
                row("two spaces", "GET  /health HTTP/1.1\r\nHost: x\r\n\r\n" + more, 400),
                row("no version", "GET /health\r\n\r\n" + more, 400),
                row("another version", "GET /health HTTP/1.2\r\nHost: x\r\n\r\n" + more, 400),
                row("a later version", "GET /health HTTP/2.0\r\nHost: x\r\n\r\n" + more, 400),
                row("a long path", "GET /" + "a".repeat(9_000) + " HTTP/1.1\r\nHost: x\r\n\r\n" + more, 414),
                row("a long header", HEAD + "X: " + "b".repeat(17_000) + "\r\n\r\n" + more, 431),
                row("many headers", HEAD + "X: y\r\n".repeat(200) + "\r\n" + more, 431),
                row("a write", "POST /health HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello" + more, 405),
                row("a write without a body", "DELETE /clusters HTTP/1.1\r\nHost: x\r\n\r\n" + more, 405, 200),
                row("an event and more", EVENTS + "Content-Length: 2\r\n\r\n{}" + more, 401, 200),
                row("an event of nothing", EVENTS + "\r\n" + more, 401, 200),
                row(
                        "an event in chunks",
                        EVENTS + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n" + more,
                        401),
                row("broken chunks", EVENTS + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n" + more, 400),
                row(
                        "a chunk too large",
                        EVENTS + "Transfer-Encoding: chunked\r\n\r\n50000\r\n" + "x".repeat(0x50000),
                        413),
                row("an event too large", EVENTS + "Content-Length: 300000\r\n\r\n" + "x".repeat(300_000), 413),
                row("an event by PUT", EVENTS.replace("POST", "PUT") + "Content-Length: 2\r\n\r\n{}" + more, 405),
                row("leave to send, refused", EVENTS + "Content-Length: 300000\r\nExpect: 100-continue\r\n\r\n", 413),
                row(
                        "a query that cannot be read",
                        "GET /api/v2/flux/clusters?label_selector=%zz HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
                                + server.adminToken() + "\r\n" + close,
                        400));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("table")
    void whatComesBack(String what, String sent, List<Integer> statuses) throws IOException {
        String answers = exchange(sent);
        assertThat(statuses(answers)).as(answers).isEqualTo(statuses);
        if (what.equals("HEAD")) {
            assertThat(answers).contains("Content-Length: 15\r\n").endsWith("\r\n\r\n");
        }
    }

    @Test
    void aConnectionCarriesManyRequestsWhicheverWayTheyAreCut() throws Exception {
        try (Socket socket = connect()) {
            InputStream in = socket.getInputStream();
            send(socket, HEAD + "\r\n");
            assertThat(answer(in)).startsWith("HTTP/1.1 200 OK\r\n").doesNotContain("Connection: close");
            for (char c : (HEAD + "\r\n").toCharArray()) {
                send(socket, String.valueOf(c));
            }
            assertThat(answer(in)).startsWith("HTTP/1.1 200 OK\r\n");
            for (char c : (EVENTS + "Content-Length: 12\r\n\r\nabcdefghijkl").toCharArray()) {
                send(socket, String.valueOf(c));
            }
            assertThat(answer(in)).startsWith("HTTP/1.1 401 ");
            send(socket, "\r\n" + HEAD + "\r\n" + HEAD + "\r\n" + HEAD.substring(0, 20));
            assertThat(answer(in)).endsWith("{\"status\":\"ok\"}");
            assertThat(answer(in)).endsWith("{\"status\":\"ok\"}");
            send(socket, HEAD.substring(20) + "Connection: close\r\n\r\n");
            assertThat(answer(in)).contains("Connection: close\r\n");
            assertThat(in.read()).isEqualTo(-1);
        }
    }

    @Test
    void whoeverAsksForLeaveToSendGetsIt() throws Exception {
        try (Socket socket = connect()) {
            InputStream in = socket.getInputStream();
            send(socket, EVENTS + "Content-Length: 2\r\nExpect: 100-continue\r\n\r\n");
            assertThat(answer(in)).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
            send(socket, "{}");
            assertThat(answer(in)).startsWith("HTTP/1.1 401 ");
        }
    }

    /** Like {@code nc -N}: the client has sent everything, and listens. */
    @Test
    void whoeverStopsSendingIsStillAnswered() throws Exception {
        for (String sent : List.of(
                HEAD + "\r\n",
                HEAD + "\r\n" + HEAD + "\r\n",
                EVENTS + "Content-Length: 2\r\n\r\n{}",
                EVENTS + "\r\n")) {
            try (Socket socket = connect()) {
                send(socket, sent);
                socket.shutdownOutput();
                String answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
                assertThat(statuses(answers)).as(sent).hasSize(sent.split("HTTP/1.1", -1).length - 1);
            }
        }
        try (Socket socket = connect()) {
            send(socket, HEAD);
            socket.shutdownOutput();
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void manyPipelinedRequestsAreAnsweredInOrderHoweverSlowlyTheyAreTaken() throws Exception {
        int count = 3_000;
        try (Socket socket = connect()) {
            Thread sender = Thread.ofVirtual().start(() -> {
                try {
                    for (int i = 0; i < count; i++) {
                        send(socket, request(i % CLUSTERS, ""));
                    }
                    socket.shutdownOutput();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            Thread.sleep(300);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            List<Integer> wrong = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                if (!answer(in).contains("\"w" + i % CLUSTERS + ".example.com\"")) {
                    wrong.add(i);
                }
            }
            assertThat(wrong).isEmpty();
            assertThat(in.read()).isEqualTo(-1);
            sender.join();
        }
    }

    @Test
    void everybodyGetsHisOwnAnswer() throws Exception {
        List<Thread> threads = new ArrayList<>();
        List<String> wrong = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < 16; i++) {
            int cluster = i % CLUSTERS;
            String more = i < 8 ? "Connection: close\r\n" : "";
            threads.add(Thread.ofPlatform().start(() -> {
                for (int n = 0; n < 100; n++) {
                    try (Socket socket = connect()) {
                        send(socket, request(cluster, more));
                        String got = answer(socket.getInputStream());
                        if (!got.contains("\"w" + cluster + ".example.com\"")) {
                            wrong.add(got);
                        }
                    } catch (IOException e) {
                        wrong.add(e.toString());
                    }
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(wrong).isEmpty();
    }

    /** A namespace set names its cluster even where there are no namespaces. */
    private static String request(int cluster, String more) {
        return "GET /api/v2/flux/clusters/w" + cluster + ".example.com/sets/namespaces HTTP/1.1\r\nHost: x\r\n"
                + "Authorization: Bearer " + server.adminToken() + "\r\n" + more + "\r\n";
    }
}
