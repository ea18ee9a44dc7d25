package dev.homeport.server.tls;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.homeport.server.TestServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Audit lines go to an address whose certificate is of the authority that the settings name, and to no other. */
class AuditOverTlsTest {
    @TempDir
    Path folder;

    private final Authority authority = new Authority("audit");
    private final Queue<String> received = new ConcurrentLinkedQueue<>();
    private HttpsServer endpoint;

    @BeforeEach
    void listen() throws Exception {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(authority.server("localhost").store(), Authority.PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        endpoint = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        endpoint.setHttpsConfigurator(new HttpsConfigurator(context));
        endpoint.createContext("/", exchange -> {
            new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .forEach(received::add);
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        endpoint.start();
    }

    @AfterEach
    void stop() {
        endpoint.stop(0);
    }

    private TestServer server(Authority trusted) throws Exception {
        return TestServer.in(
                folder,
                Map.of(
                        "--audit-url",
                        "https://localhost:" + endpoint.getAddress().getPort() + "/in",
                        "--audit-ca",
                        Files.writeString(folder.resolve("ca.pem"), trusted.pem())
                                .toString()));
    }

    private static void await(BooleanSupplier done) throws InterruptedException {
        for (int i = 0; i < 1_200 && !done.getAsBoolean(); i++) {
            Thread.sleep(50);
        }
        assertThat(done.getAsBoolean()).isTrue();
    }

    private static String finding(TestServer server) {
        return server.admin()
                .get("/api/v2/findings?kind=audit_not_forwarded")
                .expect(200)
                .text();
    }

    @Test
    void linesAreSentToAnAddressOfTheAuthority() throws Exception {
        try (TestServer server = server(authority)) {
            await(() -> received.stream().anyMatch(line -> line.contains("\"kind\":\"commit\"")));
            assertThat(finding(server)).contains("\"total\":0");
        }
    }

    @Test
    void nothingIsSentToAnAddressOfAnother() throws Exception {
        try (TestServer server = server(new Authority("another"))) {
            await(() -> finding(server).contains("audit lines cannot be forwarded to the url"));
            assertThat(received).isEmpty();
        }
    }
}
