package dev.homeport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.cli.terminal.Surroundings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What answers may be another server, a proxy or half of one: never "there are none", and never "it is done". */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StrangeServersTest {
    @TempDir
    Path folder;

    /** Says the same to everybody. */
    private static final class Parrot implements AutoCloseable {
        private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final AtomicInteger asked = new AtomicInteger();
        private final IntFunction<String> answers;

        Parrot(String answer) throws IOException {
            this(number -> answer);
        }

        /** @param answers by how many requests came before */
        Parrot(IntFunction<String> answers) throws IOException {
            this.answers = answers;
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
                one.getOutputStream()
                        .write(answers.apply(asked.getAndIncrement()).getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                // whoever asked has gone
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
                new Surroundings(
                        Map.of("HOMEPORT_SERVER", server, "HOMEPORT_TOKEN", "hp_x"),
                        folder,
                        folder,
                        new ByteArrayInputStream(new byte[0]),
                        new PrintStream(out, false, StandardCharsets.UTF_8),
                        new PrintStream(err, false, StandardCharsets.UTF_8),
                        Surroundings.Terminals.NONE,
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
