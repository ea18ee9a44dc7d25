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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What answers may be another server, a proxy or half of one: never "there are none", and never "it is done". */
@Timeout(60)
class StrangeServersTest {
    @TempDir
    Path folder;

    /** Says the same to everybody. */
    private static final class Parrot implements AutoCloseable {
        private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final byte[] answer;

        Parrot(String answer) throws IOException {
            this.answer = answer.getBytes(StandardCharsets.UTF_8);
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
                one.getOutputStream().write(answer);
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
