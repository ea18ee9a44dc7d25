package dev.homeport.server.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.homeport.server.config.Address;
import dev.homeport.server.ops.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server on a machine that Netty has no libraries for, neither OpenSSL nor epoll: the JDK does the same. */
class WithoutNativeLibrariesTest {
    private static final String OURS = "spiffe://fleet.example.com/cluster/";

    @TempDir
    private Path folder;

    private static Address address(String url) {
        URI uri = URI.create(url);
        return new Address(uri.getHost(), uri.getPort());
    }

    @Test
    void theJdkServesTokensAndCertificates() throws Exception {
        Authority servers = new Authority("servers");
        Authority clients = new Authority("clients");
        Path certificate = folder.resolve("tls.crt");
        Path key = folder.resolve("tls.key");
        servers.server("first").write(certificate, key);
        Map<String, String> flags = new HashMap<>(TlsFleet.clients(folder, clients));
        flags.put("--tls-client-uri", OURS + "{id}");
        flags.put("--data", folder.resolve("data").toString());
        List<String> arguments = new ArrayList<>();
        TlsFleet.flags(certificate, key, flags).forEach((name, value) -> arguments.addAll(List.of(name, value)));
        Map<String, String> environment =
                Map.of("JAVA_TOOL_OPTIONS", "-Dio.netty.handler.ssl.noOpenSsl=true -Dio.netty.transport.noNative=true");
        try (ServerProcess server = ServerProcess.serve(environment, arguments.toArray(String[]::new))) {
            String shown = "admin token (shown this once): ";
            String token = server.lines().stream()
                    .filter(line -> line.startsWith(shown))
                    .findFirst()
                    .orElseThrow()
                    .substring(shown.length());
            Address poll = address(server.poll());
            Address admin = address(server.admin());
            TlsClient client = TlsClient.trusting(servers);
            assertThat(client.get(admin, "/metrics", token).expect(200).body()).contains("engine=\"jdk\"");
            client.send(
                            "POST",
                            admin,
                            "/clusters",
                            token,
                            "{\"id\": \"mine\", \"cluster_name\": \"mine\", \"cluster_dns\":"
                                    + " \"mine.example.com\", \"environment\": \"dev\"}")
                    .expect(200);
            for (String protocol : List.of("TLSv1.2", "TLSv1.3")) {
                TlsClient mine = TlsClient.showing(servers, clients.client("x", Authority.uri(OURS + "mine")))
                        .with(parameters -> parameters.setProtocols(new String[] {protocol}));
                TlsClient.Answer first =
                        mine.get(poll, TlsFleet.path("mine"), "").expect(200);
                assertThat(first.session().getProtocol()).isEqualTo(protocol);
                Thread.sleep(1_100);
                assertThat(mine.get(poll, TlsFleet.path("mine"), "")
                                .expect(200)
                                .session()
                                .getCreationTime())
                        .isGreaterThan(first.session().getCreationTime());
                mine.get(poll, TlsFleet.path("other"), "").expect(404);
                client.with(parameters -> parameters.setProtocols(new String[] {protocol}))
                        .get(poll, TlsFleet.path("mine"), token)
                        .expect(200);
            }
            TlsClient stranger =
                    TlsClient.showing(servers, new Authority("strangers").client("x", Authority.uri(OURS + "mine")));
            assertThatThrownBy(() -> stranger.get(poll, TlsFleet.path("mine"), ""))
                    .isInstanceOf(IOException.class);
        }
    }
}
