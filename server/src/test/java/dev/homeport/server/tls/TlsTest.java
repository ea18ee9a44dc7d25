package dev.homeport.server.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.homeport.server.config.Address;
import dev.homeport.server.logging.Logging;
import dev.homeport.sim.Identity;
import dev.homeport.sim.Settings;
import dev.homeport.sim.Simulation;
import dev.homeport.testing.OutsideIn;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Handshakes with both planes. */
@OutsideIn
class TlsTest {
    @TempDir
    static Path folder;

    private static final ByteArrayOutputStream LOG = new ByteArrayOutputStream();
    private static TlsFleet fleet;

    @BeforeAll
    static void start() throws IOException {
        Logging.configure(Logging.Form.TEXT, List.of(), LOG);
        fleet = new TlsFleet(folder, Map.of());
        fleet.cluster("mine");
    }

    @AfterAll
    static void stop() {
        fleet.close();
        Logging.configure(Logging.Form.TEXT, List.of(), System.err);
    }

    private static List<Address> planes() {
        return List.of(fleet.poll(), fleet.admin());
    }

    @ParameterizedTest
    @CsvSource({
        "TLSv1.3, TLS_AES_128_GCM_SHA256, secp256r1",
        "TLSv1.3, TLS_AES_256_GCM_SHA384, secp384r1",
        "TLSv1.3, TLS_CHACHA20_POLY1305_SHA256, x25519",
        "TLSv1.2, TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, secp256r1",
        "TLSv1.2, TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, secp256r1"
    })
    void whatAClientMayInsistOn(String protocol, String suite, String group) throws IOException {
        TlsClient client = fleet.client.with(parameters -> {
            parameters.setProtocols(new String[] {protocol});
            parameters.setCipherSuites(new String[] {suite});
            parameters.setNamedGroups(new String[] {group});
        });
        for (Address plane : planes()) {
            TlsClient.Answer answer = client.get(plane, TlsFleet.path("mine"), fleet.server.adminToken());
            answer.expect(200);
            assertThat(answer.session().getProtocol()).isEqualTo(protocol);
            assertThat(answer.session().getCipherSuite()).isEqualTo(suite);
        }
    }

    /** One that does not trust the server gets nothing from it. */
    @Test
    void aSimulatedClusterTrustsWhomItIsToldTo() throws Exception {
        URI polls = URI.create("https://127.0.0.1:" + fleet.poll().port());
        Path trusted = Files.writeString(folder.resolve("trusted.crt"), fleet.authority.pem());
        List<Identity> cluster = List.of(new Identity("mine", "mine.example.com", fleet.token("mine"), ""));
        Settings distrusting = Settings.of(polls, new Settings.Pace.Every(Duration.ofMillis(100)));
        try (Simulation simulation = Simulation.start(distrusting, cluster, 1)) {
            await(() -> simulation.figures().polls() > 0
                    && simulation.figures().statuses().values().stream()
                                    .mapToLong(n -> n)
                                    .sum()
                            > 0);
            assertThat(simulation.figures().statuses()).containsOnlyKeys(-1);
            assertThat(simulation.figures().answered()).isZero();
        }
        try (Simulation simulation = Simulation.start(distrusting.trusting(Optional.of(trusted)), cluster, 1)) {
            await(() -> simulation.settled() == 1);
            // Witnesses are held until the server has read what clusters reported before.
            assertThat(simulation.figures().statuses()).containsKey(200).doesNotContainKey(-1);
        }
    }

    private static void await(BooleanSupplier done) throws InterruptedException {
        long until = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        while (!done.getAsBoolean()) {
            assertThat(System.nanoTime()).as("patience").isLessThan(until);
            Thread.sleep(20);
        }
    }

    /** As Go's FIPS mode has it, in which Flux Operator runs. */
    @Test
    void aFipsClientConnects() throws IOException {
        TlsClient client = fleet.client.with(parameters -> {
            parameters.setNamedGroups(new String[] {"secp256r1", "secp384r1"});
            parameters.setCipherSuites(new String[] {
                "TLS_AES_256_GCM_SHA384",
                "TLS_AES_128_GCM_SHA256",
                "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
                "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"
            });
        });
        for (Address plane : planes()) {
            TlsClient.Answer answer = client.get(plane, "/ready", "").expect(200);
            assertThat(answer.session().getProtocol()).isEqualTo("TLSv1.3");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256",
                "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
                "TLS_RSA_WITH_AES_128_GCM_SHA256"
            })
    void weakSuitesAreNotSpoken(String suite) {
        TlsClient client = fleet.client.with(parameters -> {
            parameters.setProtocols(new String[] {"TLSv1.2"});
            parameters.setCipherSuites(new String[] {suite});
        });
        for (Address plane : planes()) {
            assertThatThrownBy(() -> client.get(plane, "/health", "")).isInstanceOf(IOException.class);
        }
    }

    /** Its limits would need tests of their own, and nothing needs it: see ADR 18. */
    @ParameterizedTest
    @ValueSource(strings = {"h2,http/1.1", "h2"})
    void noPlaneSpeaksHttp2(String offered) throws IOException {
        TlsClient client = fleet.client.with(parameters -> parameters.setApplicationProtocols(offered.split(",", -1)));
        for (Address plane : planes()) {
            try (SSLSocket socket = client.open(plane)) {
                assertThat(socket.getApplicationProtocol()).isEmpty();
                // The preface of HTTP/2 with an empty SETTINGS frame.
                socket.getOutputStream()
                        .write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0"
                                .getBytes(StandardCharsets.ISO_8859_1));
                String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
                assertThat(answer).startsWith("HTTP/1.1 400").contains("malformed");
            }
        }
    }

    @Test
    void noConnectionIsUpgradedToHttp2() throws IOException {
        for (Address plane : planes()) {
            try (SSLSocket socket = fleet.client.open(plane)) {
                String request = String.join(
                        "\r\n",
                        "GET /health HTTP/1.1",
                        "Host: x",
                        "Connection: Upgrade, HTTP2-Settings, close",
                        "Upgrade: h2c",
                        "HTTP2-Settings: AAMAAABkAAQAAP__",
                        "\r\n");
                socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
                String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
                assertThat(answer).startsWith("HTTP/1.1 ").doesNotContain("101 ");
            }
        }
    }

    /** What a session that is taken up again was opened with is not looked at again. */
    @Test
    void noSessionIsTakenUpAgain() throws IOException {
        TlsClient old = fleet.client.with(parameters -> parameters.setProtocols(new String[] {"TLSv1.2"}));
        for (TlsClient client : List.of(fleet.client, old)) {
            long first = client.get(fleet.poll(), "/health", "").session().getCreationTime();
            try {
                Thread.sleep(5);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            assertThat(client.get(fleet.poll(), "/health", "").session().getCreationTime())
                    .isGreaterThan(first);
        }
    }

    @Test
    void theEngineIsLoggedAndMeasured() throws IOException {
        assertThat(LOG.toString(StandardCharsets.UTF_8)).contains("TLS by OPENSSL (BoringSSL)");
        assertThat(fleet.metric("homeport_tls_info"))
                .contains("engine=\"openssl\"")
                .contains("BoringSSL");
        assertThat(Double.parseDouble(
                        fleet.metric("homeport_tls_certificate_expiry_seconds").replaceAll(".* ", "")))
                .isGreaterThan(System.currentTimeMillis() / 1000.0);
    }

    @Test
    void whoeverForgetsTlsIsCutAndWhatHeSentIsNotLogged() throws IOException {
        String secret = "hpc_tcanary_" + "Z".repeat(49);
        for (Address plane : planes()) {
            try (Socket socket = new Socket(plane.host(), plane.port())) {
                socket.setSoTimeout(5_000);
                socket.getOutputStream()
                        .write(("GET " + TlsFleet.path("mine") + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
                                        + secret + "\r\n\r\n")
                                .getBytes(StandardCharsets.UTF_8));
                byte[] answer = socket.getInputStream().readAllBytes();
                assertThat(new String(answer, StandardCharsets.ISO_8859_1)).doesNotContain("HTTP/1.1 200");
            }
        }
        assertThat(fleet.metric("homeport_tls_handshake_failures_total")).doesNotEndWith(" 0.0");
        String log = LOG.toString(StandardCharsets.UTF_8);
        String hex = java.util.HexFormat.of().formatHex("ZZZZZZZZ".getBytes(StandardCharsets.UTF_8));
        assertThat(log).doesNotContain("ZZZZZZZZ").doesNotContain(hex);
    }

    @Test
    void aClientThatTrustsOthersHangsUp() {
        TlsClient stranger = TlsClient.trusting(new Authority("others"));
        assertThatThrownBy(() -> stranger.get(fleet.poll(), "/health", "")).isInstanceOf(SSLException.class);
    }
}
