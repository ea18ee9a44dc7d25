package dev.homeport.server.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.homeport.server.TestServer;
import dev.homeport.server.config.BadSettings;
import dev.homeport.server.config.ServerSettings;
import dev.homeport.server.config.SettingSources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong with certificates and addresses is said before anything is opened. */
class TlsStartTest {
    @TempDir
    Path folder;

    private final Authority authority = new Authority("servers");
    private Path certificate;
    private Path key;

    @BeforeEach
    void write() throws IOException {
        certificate = folder.resolve("tls.crt");
        key = folder.resolve("tls.key");
        authority.server("good").write(certificate, key);
    }

    private void refused(String message) {
        assertThatThrownBy(() -> TestServer.in(folder, TlsFleet.flags(certificate, key, Map.of())))
                .isInstanceOf(BadSettings.class)
                .hasMessageContaining(message);
        assertThat(folder.resolve("data")).doesNotExist();
    }

    @Test
    void missingFiles() throws IOException {
        Files.delete(key);
        refused("tls_key " + key + " does not exist");
        Files.delete(certificate);
        refused("tls_certificate " + certificate + " does not exist");
    }

    @Test
    void notPem() throws IOException {
        Files.writeString(certificate, "hello");
        refused("holds no certificate in PEM form");
        Files.writeString(certificate, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
        refused("holds a certificate that cannot be read");
        Files.writeString(certificate, "");
        refused("holds no certificate in PEM form");
    }

    @Test
    void aKeyThatIsNone() throws IOException {
        Files.writeString(key, authority.pem());
        refused("holds no private key in PEM form");
        Files.writeString(key, "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");
        refused("holds a key that cannot be read");
        Files.writeString(key, "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n");
        refused("is encrypted");
    }

    @Test
    void theKeyOfAnotherCertificate() throws IOException {
        Files.writeString(key, authority.server("other").keyPem());
        refused("is not the key of the certificate");
        Authority.Issued rsa = authority.server(
                "rsa", Authority.pair("RSA", 2048), Instant.now().minusSeconds(60), Duration.ofDays(1));
        Files.writeString(key, rsa.keyPem());
        refused("is not the key of the certificate");
    }

    @Test
    void keysThatClientsRefuse() throws IOException {
        authority
                .server("short", Authority.pair("RSA", 1024), Instant.now().minusSeconds(60), Duration.ofDays(1))
                .write(certificate, key);
        refused("RSA key of 1024 bits");
        authority
                .server("edwards", Authority.pair("Ed25519", 0), Instant.now().minusSeconds(60), Duration.ofDays(1))
                .write(certificate, key);
        refused("use ECDSA P-256 or RSA");
    }

    @Test
    void rsaWorks() throws IOException {
        authority
                .server("rsa", Authority.pair("RSA", 2048), Instant.now().minusSeconds(60), Duration.ofDays(1))
                .write(certificate, key);
        try (TestServer server = TestServer.in(folder, TlsFleet.flags(certificate, key, Map.of()))) {
            TlsClient.trusting(authority)
                    .get(server.running().poll().orElseThrow(), "/health", "")
                    .expect(200);
        }
    }

    @Test
    void anAuthorityThatIsNone() throws IOException {
        Path clients = Files.writeString(folder.resolve("clients.crt"), "nothing");
        assertThatThrownBy(() -> TestServer.in(
                        folder, TlsFleet.flags(certificate, key, Map.of("--tls-client-ca", clients.toString()))))
                .isInstanceOf(BadSettings.class)
                .hasMessageContaining("tls_client_ca " + clients + " holds no certificate");
    }

    private static ServerSettings settings(Map<String, String> flags) {
        return ServerSettings.of(SettingSources.read(flags, Map.of(), Optional.empty()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"0.0.0.0:0", "10.1.2.3:80", "[::]:80", "127.example.com:80", "homeport.example.com:80", ":80"})
    void plainHttpIsForLoopback(String address) {
        for (String flag : new String[] {"--poll-listen", "--admin-listen"}) {
            assertThatThrownBy(() -> settings(Map.of(flag, address)))
                    .isInstanceOf(BadSettings.class)
                    .hasMessageContaining("is not loopback and has no TLS")
                    .hasMessageContaining("tls_certificate");
            settings(Map.of(flag, address, "--plain-http", "true"));
            settings(Map.of(flag, address, "--tls-certificate", certificate.toString(), "--tls-key", key.toString()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:0", "127.1.2.3:80", "[::1]:80", "localhost:80"})
    void loopbackNeedsNone(String address) {
        settings(Map.of("--poll-listen", address, "--admin-listen", address));
    }

    @Test
    void halfASettingIsNone() {
        assertThatThrownBy(() -> settings(Map.of("--tls-key", key.toString())))
                .hasMessageContaining("tls_certificate and tls_key go together");
        assertThatThrownBy(() -> settings(Map.of("--tls-client-ca", key.toString())))
                .hasMessageContaining("tls_client_ca needs tls_certificate");
    }

    @ParameterizedTest
    @CsvSource({
        "spiffe://example.com/cluster/",
        "spiffe://example.com/{id}/{id}",
        "spiffe://example.com/c-{id}",
        "{id}",
        "spiffe://example.com/{id}x",
        "/cluster/{id}"
    })
    void aUriWithoutAPlaceForTheId(String template) {
        assertThatThrownBy(() -> settings(Map.of("--tls-client-uri", template)))
                .isInstanceOf(BadSettings.class)
                .hasMessageContaining("tls_client_uri");
    }
}
