package dev.homeport.server.tls;

import dev.homeport.server.TestServer;
import dev.homeport.server.config.Address;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** A server with TLS on both planes, and clusters that are made over it. */
final class TlsFleet implements AutoCloseable {
    final Authority authority = new Authority("servers");
    final TlsClient client = TlsClient.trusting(authority);
    final Path certificate;
    final Path key;
    final TestServer server;

    TlsFleet(Path folder, Map<String, String> more) throws IOException {
        certificate = folder.resolve("tls.crt");
        key = folder.resolve("tls.key");
        authority.server("first").write(certificate, key);
        server = TestServer.in(folder, flags(certificate, key, more));
    }

    static Map<String, String> flags(Path certificate, Path key, Map<String, String> more) {
        Map<String, String> flags =
                new HashMap<>(Map.of("--tls-certificate", certificate.toString(), "--tls-key", key.toString()));
        flags.putAll(more);
        return flags;
    }

    /** Flags for clients' certificates of an authority. */
    static Map<String, String> clients(Path folder, Authority clients) throws IOException {
        Path file = Files.writeString(folder.resolve("clients.crt"), clients.pem());
        return Map.of("--tls-client-ca", file.toString());
    }

    Address poll() {
        return server.running().poll().orElseThrow();
    }

    Address admin() {
        return server.running().admin().orElseThrow();
    }

    void cluster(String id) throws IOException {
        client.send(
                        "POST",
                        admin(),
                        "/clusters",
                        server.adminToken(),
                        "{\"id\": \"" + id + "\", \"cluster_name\": \"" + id + "\", \"cluster_dns\": \"" + id
                                + ".example.com\", \"environment\": \"dev\"}")
                .expect(200);
    }

    String token(String cluster) throws IOException {
        return client.send(
                        "POST",
                        admin(),
                        "/api/v2/tokens",
                        server.adminToken(),
                        "{\"spec\": {\"kind\": \"cluster\", \"subject\": \"" + cluster + "\"}}")
                .expect(201)
                .body()
                .replaceAll("(?s).*\"(hpc_[A-Za-z0-9_]+)\".*", "$1");
    }

    String metric(String name) throws IOException {
        return client.get(admin(), "/metrics", server.adminToken())
                .expect(200)
                .body()
                .lines()
                .filter(line -> line.startsWith(name))
                .findFirst()
                .orElse("");
    }

    static String path(String cluster) {
        return "/api/v2/flux/clusters/" + cluster + ".example.com/namespaces";
    }

    @Override
    public void close() {
        server.close();
    }
}
