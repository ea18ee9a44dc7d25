package dev.homeport.server.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.homeport.testing.OutsideIn;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLSocket;
import org.bouncycastle.asn1.x509.GeneralName;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cluster that shows a certificate instead of a token, and clients that show a wrong one. */
@OutsideIn
class ClusterCertificateTest {
    private static final String OURS = "spiffe://fleet.example.com/cluster/";

    @TempDir
    static Path folder;

    private static final Authority CLIENTS = new Authority("clients");
    private static TlsFleet fleet;
    private static String token;

    @BeforeAll
    static void start() throws IOException {
        Map<String, String> flags = new HashMap<>(TlsFleet.clients(folder, CLIENTS));
        flags.put("--tls-client-uri", OURS + "{id}");
        fleet = new TlsFleet(folder, flags);
        for (String id : List.of("mine", "mine-2", "theirs")) {
            fleet.cluster(id);
        }
        token = fleet.token("mine");
    }

    @AfterAll
    static void stop() {
        fleet.close();
    }

    private static TlsClient showing(Authority.Issued issued) {
        return TlsClient.showing(fleet.authority, issued);
    }

    private static TlsClient cluster(String id) {
        return showing(CLIENTS.client("somebody", Authority.uri(OURS + id)));
    }

    private static TlsClient.Answer poll(TlsClient client, String cluster, String token) throws IOException {
        return client.get(fleet.poll(), TlsFleet.path(cluster), token);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void theCertificateIsEnough(String protocol) throws IOException {
        TlsClient client = cluster("mine").with(parameters -> parameters.setProtocols(new String[] {protocol}));
        TlsClient.Answer byCertificate = poll(client, "mine", "").expect(200);
        assertThat(byCertificate.body())
                .isEqualTo(poll(fleet.client, "mine", token).expect(200).body());
    }

    @Test
    void anotherClustersPathLooksLikeAnUnknownOne() throws IOException {
        TlsClient mine = cluster("mine");
        String unknown = poll(mine, "nobody", "").expect(404).body();
        for (String other : List.of("theirs", "mine-2")) {
            assertThat(poll(mine, other, "").expect(404).body()).isEqualTo(unknown);
        }
        assertThat(poll(fleet.client, "theirs", token).expect(404).body()).isEqualTo(unknown);
        // A certificate for a cluster that does not exist, on a path that does and one that does not.
        assertThat(poll(cluster("nobody"), "mine", "").expect(404).body()).isEqualTo(unknown);
        assertThat(poll(cluster("nobody"), "nobody", "").expect(404).body()).isEqualTo(unknown);
    }

    @Test
    void itOpensNothingElse() throws IOException {
        TlsClient mine = cluster("mine");
        mine.get(fleet.poll(), "/api/v2/flux/clusters", "").expect(403);
        mine.get(fleet.admin(), "/api/v2/clusters", "").expect(401);
        mine.get(fleet.admin(), TlsFleet.path("mine"), "").expect(401);
    }

    @Test
    void clustersWithoutOneComeWithTheirToken() throws IOException {
        poll(fleet.client, "mine", token).expect(200);
        poll(fleet.client, "mine", "").expect(401);
    }

    @Test
    void aTokenBesideItMustBeTheSameClusters() throws IOException {
        TlsClient mine = cluster("mine");
        poll(mine, "mine", token).expect(200);
        for (String path : List.of("mine", "theirs")) {
            assertThat(poll(cluster("theirs"), path, token).expect(401).body())
                    .contains("the token is not one of the cluster that the client certificate names");
        }
        poll(mine, "mine", "hpc_nonsense").expect(401);
        // Not even the one who may read everything: a stolen certificate must not lend a name to it.
        poll(mine, "mine", fleet.server.adminToken()).expect(401);
        poll(mine, "theirs", fleet.server.adminToken()).expect(401);
    }

    static List<Authority.Issued> nameless() {
        GeneralName right = Authority.uri(OURS + "mine");
        return List.of(
                CLIENTS.client("mine"),
                CLIENTS.client("mine.example.com", new GeneralName(GeneralName.dNSName, "mine.example.com")),
                CLIENTS.client("mine", new GeneralName(GeneralName.dNSName, "mine")),
                CLIENTS.client("x", new GeneralName(GeneralName.rfc822Name, "mine@fleet.example.com")),
                CLIENTS.client("x", right, Authority.uri(OURS + "theirs")),
                CLIENTS.client("x", Authority.uri(OURS + "theirs"), right),
                CLIENTS.client("x", right, right));
    }

    @ParameterizedTest
    @org.junit.jupiter.params.provider.MethodSource("nameless")
    void noUriOrSeveralIsNoName(Authority.Issued issued) throws IOException {
        TlsClient.Answer answer = poll(showing(issued), "mine", "").expect(401);
        assertThat(answer.body()).contains("among its alternative names").contains(OURS + "{id}");
        // A token does not make up for it: a certificate that is shown must be valid.
        poll(showing(issued), "mine", token).expect(401);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spiffe://fleet.example.com/cluster/mine/",
                "spiffe://fleet.example.com/cluster/mine/x",
                "spiffe://fleet.example.com/cluster//mine",
                "spiffe://fleet.example.com/cluster/MINE",
                "spiffe://fleet.example.com/cluster/mine%2d2",
                "spiffe://fleet.example.com/cluster/%6dine",
                "spiffe://fleet.example.com/cluster/mine?x",
                "spiffe://fleet.example.com/cluster/mine#x",
                "spiffe://fleet.example.com/cluster/../cluster/mine",
                "spiffe://fleet.example.com/cluster/",
                "spiffe://fleet.example.com/cluster/mine ",
                "spiffe://fleet.example.com/Cluster/mine",
                "SPIFFE://fleet.example.com/cluster/mine",
                "spiffe://FLEET.example.com/cluster/mine",
                "spiffe://fleet.example.com.evil.org/cluster/mine",
                "spiffe://evil.org/spiffe://fleet.example.com/cluster/mine",
                "spiffe://other.example.com/cluster/mine",
                "spiffe://fleet.example.com/clusters/mine",
                "https://fleet.example.com/cluster/mine",
                "mine",
                "mine.example.com"
            })
    void aUriIsComparedWhole(String uri) throws IOException {
        TlsClient.Answer answer = poll(showing(CLIENTS.client("x", Authority.uri(uri))), "mine", "")
                .expect(401);
        assertThat(answer.body())
                .containsAnyOf(
                        "is not of the form " + OURS + "{id}", "the names in the client certificate cannot be read");
    }

    @Test
    void otherNamesBesideTheUriDoNotMatter() throws IOException {
        TlsClient client = showing(CLIENTS.client(
                "theirs", Authority.uri(OURS + "mine"), new GeneralName(GeneralName.dNSName, "theirs.example.com")));
        poll(client, "mine", "").expect(200);
        poll(client, "theirs", "").expect(404);
    }

    /** Refused in the handshake, by TLS' own words. */
    @Test
    void whatTheAuthorityDidNotIssueOrNoLongerStandsFor() {
        GeneralName right = Authority.uri(OURS + "mine");
        Instant now = Instant.now();
        Map<String, Authority.Issued> wrong = Map.of(
                "another authority", new Authority("strangers").client("x", right),
                "another authority of the same name", new Authority("clients").client("x", right),
                "the servers' authority", fleet.authority.client("x", right),
                "expired", CLIENTS.client("x", now.minus(Duration.ofHours(1)), Duration.ofMinutes(30), right),
                "not yet valid", CLIENTS.client("x", now.plus(Duration.ofHours(1)), Duration.ofHours(1), right));
        wrong.forEach((why, issued) -> {
            for (String protocol : List.of("TLSv1.2", "TLSv1.3")) {
                TlsClient client = showing(issued).with(parameters -> parameters.setProtocols(new String[] {protocol}));
                assertThatThrownBy(() -> poll(client, "mine", token))
                        .as(why + " with " + protocol)
                        .isInstanceOf(IOException.class);
            }
        });
        assertThat(alert(showing(wrong.get("expired")))).contains("certificate_expired");
        assertThat(alert(showing(wrong.get("another authority")))).contains("unknown_ca");
    }

    /** What the server says before it hangs up; a client that is still writing then may miss it. */
    private static String alert(TlsClient client) {
        String message = "";
        for (int tries = 0; tries < 50 && !message.contains("alert"); tries++) {
            try {
                poll(client, "mine", "");
            } catch (IOException e) {
                message = String.valueOf(e.getMessage());
            }
        }
        return message;
    }

    @Test
    void aConnectionDoesNotOutliveItsCertificate() throws Exception {
        Instant now = Instant.now();
        Authority.Issued brief = CLIENTS.client(
                "x", now.minus(Duration.ofHours(1)), Duration.ofHours(1).plusSeconds(3), Authority.uri(OURS + "mine"));
        try (SSLSocket socket = showing(brief).open(fleet.poll())) {
            TlsClient.send(socket, "GET", TlsFleet.path("mine"), "", "", "").expect(200);
            Thread.sleep(3500);
            assertThat(TlsClient.send(socket, "GET", TlsFleet.path("mine"), "", "", "")
                            .expect(401)
                            .body())
                    .contains("has expired");
        }
    }

    @Test
    void whoeverTriesCertificatesIsStopped() throws IOException {
        TlsClient nameless = showing(CLIENTS.client("x"));
        try (SSLSocket socket = nameless.open(fleet.poll())) {
            int refused = 0;
            for (int i = 0; i < 70; i++) {
                int status = TlsClient.send(socket, "GET", TlsFleet.path("mine"), "", "", "")
                        .status();
                assertThat(status).isIn(401, 429);
                refused += status == 429 ? 1 : 0;
            }
            assertThat(refused).isPositive();
        }
        poll(cluster("mine"), "mine", "").expect(200);
    }
}
