package dev.homeport.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestClient;
import dev.homeport.server.TestServer;
import dev.homeport.server.logging.Logging;
import dev.homeport.server.signin.TestProvider;
import dev.homeport.server.tracing.TestCollector;
import dev.homeport.testing.OutsideIn;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Secrets planted wherever one can be sent, and looked for wherever something comes out. */
@OutsideIn
class CanaryTest {
    private static final String COMPAT = "canary-compat-4711-token";
    private static final String CLIENT_SECRET = "canary-client-4712-secret";

    @TempDir
    Path outside;

    @TempDir
    Path folder;

    @AfterEach
    void quiet() {
        Logging.configure(Logging.Form.TEXT, List.of(), System.err);
    }

    @Test
    void noSecretComesOutAgain() throws IOException {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        Logging.configure(Logging.Form.JSON, List.of(COMPAT), new PrintStream(log, true, StandardCharsets.UTF_8));
        List<String> canaries = new ArrayList<>(List.of(COMPAT));
        List<String> outputs = new ArrayList<>();
        Path data;
        Path clientSecret = Files.writeString(outside.resolve("client-secret"), CLIENT_SECRET);
        canaries.add(CLIENT_SECRET);
        try (TestCollector collector = new TestCollector();
                TestProvider provider = new TestProvider();
                TestServer server = TestServer.in(
                        folder,
                        Map.of(
                                "--mode",
                                "crud",
                                "--auth-token",
                                COMPAT,
                                "--traces-endpoint",
                                collector.address(),
                                "--oidc-issuer",
                                provider.issuer(),
                                "--oidc-client-id",
                                "homeport",
                                "--oidc-client-secret-file",
                                clientSecret.toString(),
                                "--oidc-audience",
                                TestProvider.AUDIENCE,
                                "--admin-url",
                                "https://homeport.example.com"))) {
            data = server.data();
            TestClient admin = server.admin();
            canaries.add(secret(server.adminToken()));
            admin.post(
                            "/api/v2/clusters",
                            "{\"id\":\"c1\",\"spec\":{\"cluster_name\":\"c1\",\"cluster_dns\":\"c1.example.com\","
                                    + "\"environment\":\"dev\",\"owner\":\"x1\"}}")
                    .expect(201);
            for (String spec : List.of(
                    "{\"kind\":\"cluster\",\"subject\":\"c1\"}",
                    "{\"kind\":\"join\",\"subject\":\"c1\"}",
                    "{\"kind\":\"person\",\"subject\":\"p1\"}",
                    "{\"kind\":\"service\",\"subject\":\"s1\",\"access\":\"reader\"}")) {
                String token = admin.post("/api/v2/tokens", "{\"spec\":" + spec + "}")
                        .expect(201)
                        .at("/token")
                        .asString("");
                canaries.add(secret(token));
                use(server, token, outputs);
            }
            String joined = server.admin(joinToken(admin))
                    .post("/api/v2/join", "")
                    .expect(201)
                    .at("/token")
                    .asString("");
            canaries.add(secret(joined));
            misuse(admin, server.adminToken(), outputs);
            signIn(server, provider, canaries, outputs);
            for (String path : List.of(
                    "/metrics",
                    "/api/v2/export",
                    "/api/v2/export?format=yaml",
                    "/api/v2/export?tokens=true",
                    "/api/v2/changes?format=jsonl&page_size=1000",
                    "/api/v2/changes?refused=true&page_size=1000",
                    "/api/v2/tokens?counts=true&facets=kind,subject",
                    "/api/v2/clusters/c1",
                    "/openapi.json")) {
                outputs.add(admin.get(path).expect(200).text());
            }
            server.stop(); // the last traces are sent
            assertThat(collector.traces()).contains("getMe").contains("loginCallback");
            outputs.add(collector.traces());
            server.startAgain();
        }
        outputs.add(log.toString(StandardCharsets.UTF_8));
        Path backup = folder.resolve("backup");
        assertThat(AdminRun.of("backup", backup.toString(), "--data", data.toString())
                        .code())
                .isZero();
        files(folder).forEach(file -> outputs.add(read(file)));
        for (String canary : canaries) {
            for (String output : outputs) {
                assertThat(output.contains(canary))
                        .as(canary + " in " + output.substring(0, Math.min(200, output.length())))
                        .isFalse();
            }
        }
    }

    /** What an identity provider gives: tokens, a code, and the session that becomes of it. */
    private static void signIn(TestServer server, TestProvider provider, List<String> canaries, List<String> outputs) {
        String bearer = provider.token("alice", "team");
        canaries.add(bearer.substring(bearer.lastIndexOf('.') + 1));
        use(server, bearer, outputs);
        outputs.add(server.admin(bearer + "x").get("/api/v2/me").text());
        // Short enough to be shown whole where it does not belong.
        String small = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ.Y2FuYXJ5LTQ3MTQ";
        canaries.add("Y2FuYXJ5LTQ3MTQ");
        outputs.add(server.admin().get("/api/v2/clusters/" + small).text().replace("/api/v2/clusters/" + small, ""));
        TestClient browser = server.admin("");
        TestClient.Answer begun = browser.get("/login").expect(302);
        String login = begun.header("Set-Cookie").split(";", 2)[0];
        String state = begun.header("Location").replaceAll(".*[?&]state=([^&]*).*", "$1");
        canaries.add(login.substring(login.indexOf('=') + 1));
        canaries.add(state);
        String code = "canary-code-4713";
        canaries.add(code);
        provider.idToken(begun.header("Location").replaceAll(".*[?&]nonce=([^&]*).*", "$1"), "homeport");
        TestClient.Answer in = browser.send(
                        "GET", "/login/callback?code=" + code + "&state=" + state, "", Map.of("Cookie", login))
                .expect(302);
        String session = in.headers().allValues("set-cookie").getFirst().split(";", 2)[0];
        canaries.add(session.substring(session.indexOf('=') + 1));
        outputs.add(browser.send("GET", "/api/v2/me", "", Map.of("Cookie", session))
                .expect(200)
                .text());
        outputs.add(browser.send("GET", "/login/callback?code=" + code + "&state=x", "", Map.of("Cookie", login))
                .expect(400)
                .text());
        outputs.add(browser.send("POST", "/api/v2/namespaces", "{}", Map.of("Cookie", session))
                .expect(403)
                .text());
    }

    private static String joinToken(TestClient admin) {
        return admin.post("/api/v2/tokens", "{\"spec\":{\"kind\":\"join\",\"subject\":\"c1\"}}")
                .expect(201)
                .at("/token")
                .asString("");
    }

    private static void use(TestServer server, String token, List<String> outputs) {
        for (TestClient client : List.of(server.admin(token), server.poll(token))) {
            outputs.add(client.get("/api/v2/me").text());
            outputs.add(client.get("/api/v2/flux/clusters/c1.example.com/namespaces")
                    .text());
            outputs.add(client.get("/api/v2/clusters/" + token).text().replace(token, ""));
        }
    }

    /** Tokens where they do not belong: in documents, paths, queries, headers and reasons. */
    private static void misuse(TestClient admin, String token, List<String> outputs) {
        outputs.add(admin.patch("/api/v2/clusters/c1", "{\"spec\":{\"description\":\"" + token + "\"}}")
                .text());
        outputs.add(admin.post("/api/v2/namespaces", "{\"id\":\"" + token + "\",\"spec\":{}}")
                .text());
        outputs.add(admin.get("/api/v2/clusters?page_token=" + token).text());
        outputs.add(admin.get("/api/v2/clusters?as_of=" + token).text());
        outputs.add(admin.send("GET", "/api/v2/clusters", "", Map.of("X-Request-Id", token))
                .text());
        outputs.add(admin.send("GET", "/api/v2/clusters", "", Map.of("Authorization", "Bearer " + token + "x"))
                .text());
    }

    /** What must stay with the holder: the part behind the public id. */
    private static String secret(String token) {
        return token.substring(token.lastIndexOf('_') + 1);
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .filter(file -> !file.getFileName().toString().equals("master.key"))
                    .toList();
        }
    }

    private static String read(Path file) {
        try {
            byte[] bytes = Files.readAllBytes(file);
            boolean packed = bytes.length > 2 && bytes[0] == 0x1f && bytes[1] == (byte) 0x8b;
            return new String(
                    packed ? new GZIPInputStream(new ByteArrayInputStream(bytes)).readAllBytes() : bytes,
                    StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
