package dev.homeport.server.poll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.homeport.observe.ObservedPoll;
import dev.homeport.observe.PollLog;
import dev.homeport.observe.PollLog.From;
import dev.homeport.server.TestServer;
import dev.homeport.server.config.Address;
import dev.homeport.server.config.BadSettings;
import dev.homeport.server.config.ServerSettings;
import dev.homeport.server.config.SettingSources;
import dev.homeport.server.storage.Storage;
import dev.homeport.store.Opening;
import dev.homeport.testing.OutsideIn;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where a request comes from, behind a proxy and behind a client that pretends to be one. */
@OutsideIn
class ProxiesTest {
    private static final String PROXY = "127.0.0.9";
    private static final String STRANGER = "127.0.0.66";
    private static final byte[] NONE = {};

    @TempDir
    Path folder;

    /** Sends a request from an address of this machine; the first bytes may be a proxy's. */
    private static String send(Address to, String from, byte[] first, String head) throws IOException {
        try (Socket socket = new Socket()) {
            socket.bind(new InetSocketAddress(from, 0));
            socket.connect(new InetSocketAddress(to.host(), to.port()), 5_000);
            socket.setSoTimeout(5_000);
            socket.getOutputStream().write(first);
            socket.getOutputStream()
                    .write((head + "Host: x\r\nConnection: close\r\n\r\n").getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (java.net.SocketException e) {
            return "";
        }
    }

    private static String poll(TestServer server, String token) {
        return "GET /api/v2/flux/clusters/mine.example.com/namespaces HTTP/1.1\r\nAuthorization: Bearer "
                + (token.isEmpty() ? server.adminToken() : token) + "\r\n";
    }

    private TestServer start(Map<String, String> flags) {
        TestServer server = TestServer.in(folder, flags);
        return server;
    }

    private static void cluster(TestServer server) {
        server.admin()
                .post(
                        "/clusters",
                        "{\"id\": \"mine\", \"cluster_name\": \"mine\", \"cluster_dns\": \"mine.example.com\","
                                + " \"environment\": \"dev\"}")
                .expect(200);
    }

    /** The address that is kept of the cluster's last poll. */
    private String recorded(TestServer server) {
        server.stop();
        Storage storage = Storage.of(ServerSettings.of(
                SettingSources.read(Map.of("--data", server.data().toString()), Map.of(), Optional.empty())));
        try (PollLog observed = storage.observed(Opening.Mode.FOLLOWER)) {
            return observed.since(Instant.EPOCH, From.EVERYBODY).stream()
                    .map(ObservedPoll::address)
                    .findFirst()
                    .orElse("");
        } finally {
            server.startAgain();
        }
    }

    @Test
    void forwardedForIsBelievedOfProxiesAlone() throws IOException {
        try (TestServer server = start(Map.of("--trusted-proxies", PROXY + ", 10.0.0.0/8"))) {
            cluster(server);
            String spoofed = "X-Forwarded-For: 198.51.100.1, 203.0.113.5, 10.7.7.7\r\n";
            assertThat(send(address(server), PROXY, NONE, poll(server, "") + spoofed))
                    .startsWith("HTTP/1.1 200");
            assertThat(recorded(server)).isEqualTo("203.0.113.5");
            assertThat(send(address(server), STRANGER, NONE, poll(server, "") + spoofed))
                    .startsWith("HTTP/1.1 200");
            assertThat(recorded(server)).isEqualTo(STRANGER);
            assertThat(send(address(server), PROXY, NONE, poll(server, "") + "X-Forwarded-For: rubbish\r\n"))
                    .startsWith("HTTP/1.1 200");
            assertThat(recorded(server)).isEqualTo(PROXY);
        }
    }

    private static Address address(TestServer server) {
        return server.running().poll().orElseThrow();
    }

    @Test
    void nobodyIsBelievedUnlessItIsSet() throws IOException {
        try (TestServer server = start(Map.of())) {
            cluster(server);
            assertThat(send(address(server), PROXY, NONE, poll(server, "") + "X-Forwarded-For: 203.0.113.5\r\n"))
                    .startsWith("HTTP/1.1 200");
            assertThat(recorded(server)).isEqualTo(PROXY);
            // A PROXY header is not HTTP.
            assertThat(send(address(server), PROXY, version1("203.0.113.5"), poll(server, "")))
                    .doesNotContain(" 200 ");
        }
    }

    /** A client that could choose its address could guess forever, and could lock others out. */
    @Test
    void guessesCountAgainstWhoeverMakesThem() throws IOException {
        try (TestServer server = start(Map.of("--trusted-proxies", PROXY))) {
            cluster(server);
            int refused = 0;
            for (int i = 0; i < 70; i++) {
                String answer = send(
                        address(server),
                        STRANGER,
                        NONE,
                        poll(server, "guess") + "X-Forwarded-For: 203.0.113." + i + "\r\n");
                refused += answer.startsWith("HTTP/1.1 429") ? 1 : 0;
            }
            assertThat(refused).isGreaterThan(10);
            // Behind the proxy, another client is not the one who guessed.
            refused = 0;
            for (int i = 0; i < 70; i++) {
                String answer = send(
                        address(server), PROXY, NONE, poll(server, "guess") + "X-Forwarded-For: 203.0.113.200\r\n");
                refused += answer.startsWith("HTTP/1.1 429") ? 1 : 0;
            }
            assertThat(refused).isGreaterThan(10);
            assertThat(send(address(server), PROXY, NONE, poll(server, "guess") + "X-Forwarded-For: 203.0.113.201\r\n"))
                    .startsWith("HTTP/1.1 401");
        }
    }

    @Test
    void theAuditShowsWhereARefusedAttemptCameFrom() throws IOException {
        try (TestServer server = start(Map.of("--trusted-proxies", PROXY))) {
            Address admin = server.running().admin().orElseThrow();
            String attempt = "DELETE /api/v2/environments/dev HTTP/1.1\r\nIf-Match: \"9-9\"\r\nAuthorization: Bearer "
                    + server.adminToken() + "\r\nX-Forwarded-For: 203.0.113.77\r\n";
            assertThat(send(admin, PROXY, NONE, attempt)).startsWith("HTTP/1.1 4");
            assertThat(send(admin, STRANGER, NONE, attempt)).startsWith("HTTP/1.1 4");
            String refusals = server.admin().get("/api/v2/changes?refused=true").text();
            assertThat(refusals).contains("\"address\":\"203.0.113.77\"").contains("\"address\":\"" + STRANGER + "\"");
        }
    }

    private static byte[] version1(String client) {
        return ("PROXY TCP4 " + client + " 192.0.2.1 40000 443\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] version2(String client) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(new byte[] {0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a});
        out.write(new byte[] {0x21, 0x11, 0x00, 0x0c});
        out.write(InetAddress.getByName(client).getAddress());
        out.write(InetAddress.getByName("192.0.2.1").getAddress());
        out.write(new byte[] {0x10, 0x00, 0x01, (byte) 0xbb});
        return out.toByteArray();
    }

    @Test
    void theProxyProtocolIsBelievedOfProxiesAlone() throws IOException {
        try (TestServer server = start(Map.of("--trusted-proxies", PROXY, "--proxy-protocol", "poll"))) {
            cluster(server); // the admin plane has no such header
            assertThat(send(address(server), PROXY, version1("203.0.113.5"), poll(server, "")))
                    .startsWith("HTTP/1.1 200");
            assertThat(recorded(server)).isEqualTo("203.0.113.5");
            assertThat(send(address(server), PROXY, version2("203.0.113.6"), poll(server, "")))
                    .startsWith("HTTP/1.1 200");
            assertThat(recorded(server)).isEqualTo("203.0.113.6");
            // What a client wrote into its own header before it came to the proxy is not the proxy's word.
            assertThat(send(
                            address(server),
                            PROXY,
                            version2("203.0.113.7"),
                            poll(server, "") + "X-Forwarded-For: 198.51.100.1\r\n"))
                    .startsWith("HTTP/1.1 200");
            assertThat(recorded(server)).isEqualTo("203.0.113.7");
            assertThat(send(address(server), STRANGER, version2("203.0.113.8"), poll(server, "")))
                    .startsWith("HTTP/1.1 200");
            assertThat(recorded(server)).isEqualTo(STRANGER);
            assertThat(send(address(server), STRANGER, NONE, poll(server, ""))).doesNotContain(" 200 ");
        }
    }

    @Test
    void settingsThatMakeNoSense() {
        assertThatThrownBy(() -> start(Map.of("--listen-addr", "nonsense")))
                .isInstanceOf(BadSettings.class)
                .hasMessageContaining("listen_addr");
        assertThatThrownBy(() -> start(Map.of("--trusted-proxies", "example.com")))
                .isInstanceOf(BadSettings.class)
                .hasMessageContaining("trusted_proxies")
                .hasMessageContaining("neither an address nor a network");
        assertThatThrownBy(() -> start(Map.of("--proxy-protocol", "poll")))
                .hasMessageContaining("proxy_protocol needs trusted_proxies");
        assertThatThrownBy(() -> start(Map.of("--trusted-proxies", PROXY, "--proxy-protocol", "yes")))
                .hasMessageContaining("is neither none, poll, admin nor both");
    }
}
