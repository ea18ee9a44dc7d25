package dev.homeport.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.homeport.api.EventStream;
import dev.homeport.api.HomeportClient;
import dev.homeport.api.ServerAddress;
import dev.homeport.api.ServerUnreachable;
import dev.homeport.cli.terminal.ProcessEnvironment;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers of another server, of a proxy, or truncated ones: never read as an empty list, and never as success. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StrangeServersTest {
    @TempDir
    Path folder;

    /** Sends the same until the client has gone. */
    private interface Voice {
        /** @param asked how many requests came before */
        void answer(int asked, OutputStream out) throws IOException, InterruptedException;

        /** Something, and then more of it for ever. */
        static Voice dripping(String begin, String drop, int millis) {
            return (asked, out) -> {
                out.write(begin.getBytes(StandardCharsets.UTF_8));
                byte[] more = drop.getBytes(StandardCharsets.UTF_8);
                while (true) {
                    out.write(more);
                    Thread.sleep(millis);
                }
            };
        }
    }

    /** Sends the same to every client. */
    private static final class Parrot implements AutoCloseable {
        private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final AtomicInteger asked = new AtomicInteger();
        private final Voice voice;

        Parrot(String answer) throws IOException {
            this(asked -> answer);
        }

        /** @param answers by how many requests came before */
        Parrot(IntFunction<String> answers) throws IOException {
            this((asked, out) -> out.write(answers.apply(asked).getBytes(StandardCharsets.UTF_8)));
        }

        Parrot(Voice voice) throws IOException {
            this.voice = voice;
            Thread.ofVirtual().start(this::answer);
        }

        private void answer() {
            while (!socket.isClosed()) {
                try {
                    Socket one = socket.accept();
                    Thread.ofVirtual().start(() -> answer(one));
                } catch (IOException e) {
                    // closed
                }
            }
        }

        private void answer(Socket one) {
            try (one) {
                InputStream in = one.getInputStream();
                int ended = 0;
                while (ended < 4) {
                    int next = in.read();
                    ended = next < 0 ? 4 : next == '\r' || next == '\n' ? ended + 1 : 0;
                }
                in.readNBytes(in.available());
                voice.answer(asked.getAndIncrement(), one.getOutputStream());
            } catch (IOException | InterruptedException e) {
                // the client has gone
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private Cli.Ran run(String server, String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exit = Main.run(
                new ProcessEnvironment(
                        Map.of("HOMEPORT_SERVER", server, "HOMEPORT_TOKEN", "hp_x"),
                        folder,
                        folder,
                        new ByteArrayInputStream(new byte[0]),
                        new PrintStream(out, false, StandardCharsets.UTF_8),
                        new PrintStream(err, false, StandardCharsets.UTF_8),
                        ProcessEnvironment.Terminals.NONE,
                        InstantSource.system()),
                words);
        return new Cli.Ran(exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            quoteCharacter = '`',
            value = {
                "200 OK ! text/html ! <html>sign in</html> ! not as Homeport does",
                "200 OK ! application/json ! {\"items\":[{\"id\":\"a\" ! not as Homeport does",
                "200 OK ! application/json ! `` ! not as Homeport does",
                "200 OK ! application/json ! [1,2] ! not as Homeport does",
                "502 Bad Gateway ! text/html ! <html>bad</html> ! answered 502",
                "404 Not Found ! text/html ! <html>nothing</html> ! answered 404",
                "302 Found|Location: https://login.example.com/ ! text/html ! x ! sends you to https://login.example.com/",
            })
    void whatIsNotOursIsAServerThatCannotBeReached(String status, String type, String body, String said)
            throws Exception {
        String answer = "HTTP/1.1 " + status.replace("|", "\r\n") + "\r\nContent-Type: " + type + "\r\nContent-Length: "
                + body.length() + "\r\nConnection: close\r\n\r\n" + body;
        try (Parrot parrot = new Parrot(answer)) {
            String server = "http://127.0.0.1:" + parrot.socket.getLocalPort();
            for (String[] words : new String[][] {
                {"get", "clusters"},
                {"label", "cluster", "a", "b=c"},
                {"get", "cluster", "a", "-o", "name"},
                {"findings"}
            }) {
                Cli.Ran ran = run(server, words).fails(8);
                assertThat(ran.out()).isEmpty();
                assertThat(ran.err()).contains(said, "next:");
            }
        }
    }

    /** Each answer of these lists would be followed by another for ever. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                // The same token again and again, tokens in a circle, and the same page under another token.
                "{\"items\":[{\"id\":\"a%1$d\",\"revision\":%1$d}],\"next_page_token\":\"t\"}",
                "{\"items\":[],\"next_page_token\":\"t%2$d\"}",
                "{\"items\":[{\"id\":\"a\",\"revision\":1}],\"next_page_token\":\"t%1$d\"}",
            })
    void aListThatNeverEndsIsNotReadForEver(String page) throws Exception {
        try (Parrot parrot = new Parrot(number -> ok(page.formatted(number, number % 3)))) {
            String server = "http://127.0.0.1:" + parrot.socket.getLocalPort();
            for (String[] words : new String[][] {
                {"get", "clusters"},
                {"findings", "-o", "json"},
                {"history", "cluster/a"},
                {"audit", "--actor", "nobody*"},
                {"tree", "workspace/a"},
            }) {
                int before = parrot.asked.get();
                Cli.Ran ran = run(server, words).fails(8);
                assertThat(ran.out()).isEmpty();
                assertThat(ran.err()).contains("the same page of a list again and again", "next:");
                assertThat(parrot.asked.get() - before).isLessThan(6);
            }
        }
    }

    @Test
    void aChangeOrAnExportThatNeverEndsIsNotReadForEver() throws Exception {
        String change = "{\"revision\":7,\"changes\":[{\"change\":\"created\",\"type\":\"cluster\",\"id\":\"a\"}],"
                + "\"next_page_token\":\"t\"}";
        try (Parrot parrot = new Parrot(ok(change).replaceFirst("\r\n", "\r\nHomeport-Next-Page-Token: t\r\n"))) {
            String server = "http://127.0.0.1:" + parrot.socket.getLocalPort();
            assertThat(run(server, "audit", "ch-7").fails(8).err()).contains("again and again");
            assertThat(run(server, "audit", "--full").fails(8).err()).contains("again and again");
            assertThat(parrot.asked.get()).isEqualTo(4);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{ ",
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{ ",
                "HTTP/1.1 503 Not now\r\n\r\n{ ",
                "HTTP/1.1 200 OK\r\nX-Never: ",
            })
    void whatOnlyDripsHasADeadline(String begin) throws Exception {
        try (Parrot parrot = new Parrot(Voice.dripping(begin, " ", 20))) {
            String server = "http://127.0.0.1:" + parrot.socket.getLocalPort();
            for (String[] words : new String[][] {
                {"get", "clusters", "--request-timeout", "100ms"},
                {"--request-timeout=100ms", "label", "cluster", "a", "b=c"},
                {"audit", "--full", "--request-timeout", "100ms"},
                {"login", server, "--request-timeout", "100ms"},
            }) {
                Cli.Ran ran = run(server, words).fails(8);
                assertThat(ran.err())
                        .contains("has not ended its answer within 100ms", "next:", "--request-timeout")
                        .contains(
                                List.of(words).contains("label")
                                        ? "see in homeport audit whether it was done"
                                        : "try it again");
            }
        }
        assertThat(run("http://127.0.0.1:9", "get", "clusters", "--request-timeout", "0s")
                        .fails(2)
                        .err())
                .contains("write it like 90s");
    }

    @Test
    void aStreamHasOnlyToBeginInTime() throws Exception {
        String begin = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n";
        try (Parrot parrot = new Parrot(Voice.dripping(begin + "X-Never: ", "a", 20))) {
            assertThat(run("http://127.0.0.1:" + parrot.socket.getLocalPort(), "events", "--request-timeout", "100ms")
                            .fails(8)
                            .err())
                    .contains("has not ended its answer within");
        }
        Voice alive = (asked, out) -> {
            out.write((begin + "\r\n").getBytes(StandardCharsets.UTF_8));
            for (int i = 0; i < 30; i++) {
                out.write(": alive\n\n".getBytes(StandardCharsets.UTF_8));
                Thread.sleep(50);
            }
            out.write("event: commit\r\nid: 1-7\r\ndata: {\"revision\":7}\r\n\r\n".getBytes(StandardCharsets.UTF_8));
        };
        try (Parrot parrot = new Parrot(alive)) {
            Cli.Ran ran = run(
                            "http://127.0.0.1:" + parrot.socket.getLocalPort(),
                            "events",
                            "--count",
                            "1",
                            "--request-timeout",
                            "1s")
                    .ok();
            assertThat(ran.out()).contains("ch-7");
            assertThat(ran.err()).isEmpty();
        }
    }

    @Test
    void whatNeverEndsDoesNotFillTheMemory() throws Exception {
        String much = "x".repeat(1 << 20);
        try (Parrot parrot = new Parrot(Voice.dripping("HTTP/1.1 200 OK\r\n\r\n", much, 0))) {
            URI server = URI.create("http://127.0.0.1:" + parrot.socket.getLocalPort());
            assertThat(run(server.toString(), "get", "clusters").fails(8).err())
                    .contains("does not come to an end", "next:");
            HomeportClient client =
                    new HomeportClient(new ServerAddress(server, Optional.empty(), Optional.empty(), line -> {}));
            try (EventStream events = client.stream("/api/v2/stream", Optional.empty())) {
                assertThatThrownBy(events::next)
                        .isInstanceOf(ServerUnreachable.class)
                        .hasMessageContaining("does not come to an end");
            }
        }
    }

    private static String ok(String body) {
        return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + body.length()
                + "\r\nConnection: close\r\n\r\n" + body;
    }

    @Test
    void thePageOfAProxyIsNoExport() throws Exception {
        String page = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: 5\r\n\r\nhello";
        try (Parrot parrot = new Parrot(page)) {
            Cli.Ran ran = run("http://127.0.0.1:" + parrot.socket.getLocalPort(), "audit", "--full")
                    .fails(8);
            assertThat(ran.out()).isEmpty();
        }
    }

    @Test
    void addressesThatCannotBeAreExplained() {
        assertThat(run("http://127.0.0.1:99999", "get", "clusters").fails(2).err())
                .contains("is not the address of a server");
        assertThat(run("http://nobody.invalid", "get", "clusters").fails(8).err())
                .contains("there is no host nobody.invalid", "next:");
        assertThat(run("http://nobody.invalid", "label", "cluster", "a", "b=c")
                        .fails(8)
                        .err())
                .contains("there is no host nobody.invalid", "next:");
    }
}
