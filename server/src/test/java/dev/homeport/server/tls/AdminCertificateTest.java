package dev.homeport.server.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.homeport.server.TestServer;
import dev.homeport.server.config.BadSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Client certificates on the admin plane, with real ones. */
class AdminCertificateTest {
    @TempDir
    Path folder;

    private final Authority people = new Authority("people");
    private final Authority clusters = new Authority("clusters");
    private final Authority strangers = new Authority("strangers");

    private Map<String, String> flags(String auth) throws IOException {
        Path file = Files.writeString(folder.resolve("people.crt"), people.pem());
        Map<String, String> flags = new HashMap<>(TlsFleet.clients(folder, clusters));
        flags.putAll(Map.of("--admin-client-ca", file.toString(), "--admin-client-auth", auth));
        return flags;
    }

    private static void assertRefused(TlsFleet fleet, TlsClient client) {
        assertThatThrownBy(() -> client.get(fleet.admin(), "/api/v2/me", fleet.server.adminToken()))
                .isInstanceOf(IOException.class);
    }

    @Test
    void withoutACertificateOfTheAuthorityThereIsNoConnection() throws Exception {
        try (TlsFleet fleet = new TlsFleet(folder, flags("required"))) {
            assertRefused(fleet, fleet.client);
            assertRefused(fleet, TlsClient.showing(fleet.authority, strangers.client("eve")));
            assertRefused(fleet, TlsClient.showing(fleet.authority, clusters.client("c1")));
            TlsClient ann = TlsClient.showing(fleet.authority, people.client("ann"));
            ann.get(fleet.admin(), "/api/v2/me", fleet.server.adminToken()).expect(200);
            ann.get(fleet.admin(), "/api/v2/me", "").expect(401);
            ann.get(fleet.admin(), "/api/v2/flux/clusters", fleet.server.adminToken())
                    .expect(200);
            // The poll plane asks for nothing.
            fleet.client
                    .get(fleet.poll(), "/api/v2/flux/clusters", fleet.server.adminToken())
                    .expect(200);

            Authority next = new Authority("next");
            Files.writeString(folder.resolve("people.crt"), next.pem());
            TlsClient bob = TlsClient.showing(fleet.authority, next.client("bob"));
            Instant end = Instant.now().plusSeconds(60);
            while (!isServed(fleet, bob)) {
                assertThat(Instant.now()).isBefore(end);
                Thread.sleep(100);
            }
            assertRefused(fleet, ann);
        }
    }

    private static boolean isServed(TlsFleet fleet, TlsClient client) {
        try {
            return client.get(fleet.admin(), "/api/v2/me", fleet.server.adminToken())
                            .status()
                    == 200;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void anOptionalCertificateMustStillBeGenuine() throws Exception {
        try (TlsFleet fleet = new TlsFleet(folder, flags("optional"))) {
            fleet.client
                    .get(fleet.admin(), "/api/v2/me", fleet.server.adminToken())
                    .expect(200);
            TlsClient.showing(fleet.authority, people.client("ann"))
                    .get(fleet.admin(), "/api/v2/me", fleet.server.adminToken())
                    .expect(200);
            assertRefused(fleet, TlsClient.showing(fleet.authority, strangers.client("eve")));
        }
    }

    @Test
    void anAuthorityWithoutTlsIsAMistake() throws Exception {
        Map<String, String> flags = flags("required");
        flags.remove("--tls-client-ca");
        assertThatThrownBy(() -> TestServer.in(folder, flags))
                .isInstanceOf(BadSettings.class)
                .hasMessageContaining("admin_client_ca needs tls_certificate");
        flags.put("--admin-client-auth", "maybe");
        assertThatThrownBy(() -> TestServer.in(folder, flags)).hasMessageContaining("required");
    }
}
