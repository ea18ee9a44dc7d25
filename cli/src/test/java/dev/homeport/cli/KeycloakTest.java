package dev.homeport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.homeport.cli.login.Contexts;
import dev.homeport.testing.OutsideIn;
import dev.homeport.testing.Requirement;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** People and pipelines of a real identity provider: by browser, by command line, and by the token of a job. */
@OutsideIn
class KeycloakTest {
    private static final String HOME = "https://homeport.example.com";
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    Path folder;

    private Keycloak keycloak;
    private Cli cli;

    @BeforeEach
    void start() throws IOException {
        keycloak = Keycloak.running();
        Path secret = Files.writeString(folder.resolve("secret"), "a-client-secret-for-tests\n");
        Path issuers = Files.writeString(folder.resolve("issuers.yaml"), """
                issuers:
                - name: ci
                  issuer: ISSUER
                  audience: homeport-ci
                  claims: {ref: main}
                  subject: "{project_path}"
                """.replace("ISSUER", keycloak.issuer("ci")));
        Map<String, String> flags = new HashMap<>();
        flags.put("--oidc-issuer", keycloak.issuer("homeport"));
        flags.put("--oidc-client-id", "homeport");
        flags.put("--oidc-client-secret-file", secret.toString());
        flags.put("--oidc-cli-client-id", "homeport-cli");
        flags.put("--oidc-audience", "homeport-api");
        flags.put("--oidc-name-claim", "preferred_username");
        flags.put("--admin-url", HOME);
        flags.put("--trusted-issuers", issuers.toString());
        cli = new Cli(folder, flags);
        String admin = cli.server.firstToken().orElseThrow();
        for (String side : List.of("payments", "others")) {
            send(
                    "POST",
                    "/api/v2/workspaces",
                    admin,
                    "{\"id\":\"" + side + "\",\"spec\":{\"service_account\":\"sa\"}}",
                    201);
            for (String environment : List.of("dev", "prod")) {
                send(
                        "POST",
                        "/api/v2/clusters",
                        admin,
                        """
                        {"id":"SIDE-ENV","spec":{"cluster_name":"SIDE-ENV","cluster_dns":"SIDE-ENV.example.com",
                         "environment":"ENV","owner":"a","workspace":"SIDE"}}""".replace("SIDE", side).replace("ENV", environment),
                        201);
            }
        }
        send("POST", "/api/v2/access-grants", admin, """
                {"id":"payments-admins","spec":{"subject":"group:payments","role":"workspace-admin",
                 "scope":{"workspace":"payments"}}}""", 201);
        send("POST", "/api/v2/access-grants", admin, """
                {"id":"payments-ci","spec":{"subject":"service:ci:acme/payments","role":"service",
                 "scope":{"workspace":"payments"},"environments":["dev"]}}""", 201);
    }

    @AfterEach
    void stop() {
        cli.close();
    }

    private HttpResponse<String> ask(String method, String path, Map<String, String> headers, String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(cli.address() + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        headers.forEach(request::header);
        if (!body.isEmpty()) {
            request.header(
                    "Content-Type", method.equals("PATCH") ? "application/merge-patch+json" : "application/json");
        }
        try {
            return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private JsonNode send(String method, String path, String token, String body, int status) {
        HttpResponse<String> answer = ask(method, path, Map.of("Authorization", "Bearer " + token), body);
        assertThat(answer.statusCode()).as(path + " " + answer.body()).isEqualTo(status);
        return answer.body().isEmpty()
                ? JsonMapper.shared().createObjectNode()
                : JsonMapper.shared().readTree(answer.body());
    }

    private String token(String realm, Map<String, String> form) throws Exception {
        HttpResponse<String> answer = HTTP.send(
                HttpRequest.newBuilder(URI.create(keycloak.issuer(realm) + "/protocol/openid-connect/token"))
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(HttpRequest.BodyPublishers.ofString(WebBrowser.form(form)))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return JsonMapper.shared().readTree(answer.body()).path("access_token").asString("");
    }

    private String person(String name, String client) throws Exception {
        return token(
                "homeport",
                Map.of(
                        "grant_type",
                        "password",
                        "client_id",
                        client,
                        "username",
                        name,
                        "password",
                        name + "-password",
                        "scope",
                        "openid"));
    }

    /** What a CI system would give to a job. */
    private String job() throws IOException {
        try {
            return token(
                    "ci",
                    Map.of(
                            "grant_type", "client_credentials",
                            "client_id", "payments-pipeline",
                            "client_secret", "a-job-secret-for-tests"));
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    private static final String PATCH = "{\"spec\":{\"description\":\"x\"}}";

    @Test
    @Requirement("E11")
    void aGroupOfTheProviderHoldsItsRoleInItsWorkspaceAndNowhereElse() throws Exception {
        String alice = person("alice", "homeport-cli");
        JsonNode me = send("GET", "/api/v2/me", alice, "", 200);
        assertThat(me.path("actor").asString("")).isEqualTo("person:alice");
        assertThat(me.path("groups").toString()).isEqualTo("[\"payments\"]");
        assertThat(me.path("roles").toString()).contains("workspace-admin").contains("payments-admins");
        JsonNode seen = send("GET", "/api/v2/clusters", alice, "", 200);
        assertThat(seen.path("items"))
                .extracting(item -> item.path("id").asString(""))
                .containsExactlyInAnyOrder("payments-dev", "payments-prod");
        send("PATCH", "/api/v2/clusters/payments-prod", alice, PATCH, 200);
        send("PATCH", "/api/v2/clusters/others-dev", alice, PATCH, 404);
        // A person without such a group has no rights, and neither has a token with another audience.
        send("GET", "/api/v2/clusters", person("bob", "homeport-cli"), "", 403);
        send("GET", "/api/v2/me", person("alice", "elsewhere"), "", 401);
        // The grant is what counts: without it the same token holds nothing more.
        HttpResponse<String> gone = ask(
                "DELETE",
                "/api/v2/access-grants/payments-admins",
                Map.of("Authorization", "Bearer " + cli.server.firstToken().orElseThrow(), "If-Match", "*"),
                "");
        assertThat(gone.statusCode()).as(gone.body()).isEqualTo(200);
        send("GET", "/api/v2/clusters", alice, "", 403);
    }

    @Test
    void aJobOfAPipelineSetsDevAloneAndNoSecretIsStoredHere() throws Exception {
        String job = job();
        assertThat(send("GET", "/api/v2/me", job, "", 200).path("actor").asString(""))
                .isEqualTo("service:ci:acme/payments");
        send("PATCH", "/api/v2/clusters/payments-dev", job, PATCH, 200);
        send("PATCH", "/api/v2/clusters/payments-prod", job, PATCH, 404);
        send("PATCH", "/api/v2/clusters/others-dev", job, PATCH, 404);
        send("POST", "/api/v2/namespaces", job, "{\"id\":\"x\",\"spec\":{}}", 403);
        // The same with the command line, which a job would use.
        cli.variables.put("HOMEPORT_TOKEN", job);
        cli.variables.put("HOMEPORT_SERVER", cli.address());
        cli.run("label", "cluster/payments-dev", "built=yes").ok();
        cli.run("label", "cluster/payments-prod", "built=yes").fails(1);
    }

    /** The loopback endpoint does what GitHub's does for a job; the token in its answer is a real one of a real issuer. */
    @Test
    void aJobSignsInWithItsOwnTokenAndNothingOfItIsKept() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        HttpServer github = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        github.createContext("/token", exchange -> {
            asked.incrementAndGet();
            boolean known =
                    "Bearer of-the-runner".equals(exchange.getRequestHeaders().getFirst("Authorization"))
                            && "api-version=2.0&audience=homeport-ci"
                                    .equals(exchange.getRequestURI().getRawQuery());
            byte[] body =
                    (known ? "{\"count\": 1, \"value\": \"" + job() + "\"}" : "{}").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(known ? 200 : 403, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        github.start();
        try {
            String url = "http://127.0.0.1:" + github.getAddress().getPort() + "/token?api-version=2.0";
            cli.variables.put("GITHUB_ACTIONS", "true");
            String[] login = {"login", cli.address(), "--ci-oidc", "--audience", "homeport-ci"};
            assertThat(cli.run(login).fails(2).err()).contains("id-token: write");
            cli.variables.put("ACTIONS_ID_TOKEN_REQUEST_URL", url);
            cli.variables.put("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "of-the-runner");
            assertThat(cli.run(login).ok().err()).contains("as service:ci:acme/payments");
            Path config = folder.resolve("config/homeport/config.yaml");
            assertThat(Files.readString(config))
                    .contains("ci_token: \"github\"")
                    .doesNotContain("eyJ")
                    .doesNotContain("of-the-runner");
            cli.run("label", "cluster/payments-dev", "built=yes").ok();
            assertThat(asked.get()).as("once for each command").isEqualTo(2);
            cli.run("label", "cluster/payments-prod", "built=yes").fails(1);
            // A command that goes on for longer than a token lasts asks for the next one.
            int before = asked.get();
            cli.clock = InstantSource.offset(InstantSource.system(), Duration.ofDays(1));
            cli.run("doctor");
            assertThat(asked.get()).isGreaterThan(before + 2);
            cli.clock = InstantSource.system();
            // Whatever is wrong with it, the job's owner learns what to do.
            cli.variables.put("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "of-another");
            assertThat(cli.run("whoami").fails(4).err()).contains("GitHub gave no token", "permissions");
            cli.variables.put("ACTIONS_ID_TOKEN_REQUEST_URL", "http://token.example.com/");
            assertThat(cli.run("whoami").fails(2).err()).contains("not https");
            cli.variables.remove("ACTIONS_ID_TOKEN_REQUEST_URL");
            assertThat(cli.run("whoami").fails(4).err()).contains("id-token: write");
            cli.run("logout").ok();
            assertThat(Files.readString(config)).doesNotContain("ci_");
        } finally {
            github.stop(0);
        }
    }

    @Test
    void aJobsTokenMayBeInAVariableOrAFile() throws Exception {
        cli.variables.put("GITLAB_CI", "true");
        assertThat(cli.run("login", cli.address(), "--ci-oidc").fails(2).err())
                .contains("id_tokens: {HOMEPORT_ID_TOKEN: {aud: " + cli.address() + "}}");
        cli.variables.put("HOMEPORT_ID_TOKEN", job());
        cli.run("login", cli.address(), "--ci-oidc").ok();
        cli.run("label", "cluster/payments-dev", "built=yes").ok();
        assertThat(cli.run("context", "list").ok().out()).contains("signed in by its CI job");
        cli.variables.put("HOMEPORT_ID_TOKEN", "nonsense");
        cli.run("whoami").fails(4);
        cli.variables.remove("HOMEPORT_ID_TOKEN");
        assertThat(cli.run("whoami").fails(4).err()).contains("HOMEPORT_ID_TOKEN is not set");
        Path file = Files.writeString(folder.resolve("token.jwt"), job() + "\n");
        cli.run("login", cli.address(), "--ci-oidc", "--token-file", "token.jwt")
                .ok();
        assertThat(cli.run("whoami").ok().out()).contains("service:ci:acme/payments");
        Files.delete(file);
        assertThat(cli.run("whoami").fails(4).err()).contains("token.jwt cannot be read");
        // The token is for the server that the context was made with, and for no other.
        Files.writeString(file, job());
        cli.run("context", "set", "127.0.0.1", "server=http://127.0.0.1:1").ok();
        assertThat(Files.readString(folder.resolve("config/homeport/config.yaml")))
                .doesNotContain("token.jwt");
        assertThat(cli.run("login", cli.address(), "--audience", "x").fails(2).err())
                .contains("--ci-oidc");
    }

    @Test
    void aPersonSignsInWithABrowser() throws Exception {
        HttpResponse<String> begun = ask("GET", "/login?to=/ui/", Map.of(), "");
        assertThat(begun.statusCode()).isEqualTo(302);
        String login = cookie(begun, "__Host-homeport-login");
        WebBrowser browser = new WebBrowser(keycloak.issuer("homeport").replaceAll("/realms.*", ""));
        WebBrowser.Page page =
                browser.open(begun.headers().firstValue("Location").orElseThrow());
        WebBrowser.Page wrong = browser.submit(page, Map.of("username", "alice", "password", "guessed"));
        assertThat(wrong.isForm()).isTrue();
        WebBrowser.Page back = browser.submit(wrong, Map.of("username", "alice", "password", "alice-password"));
        assertThat(back.at().toString()).startsWith(HOME + "/login/callback?");
        String query = back.at().getRawQuery();
        assertThat(ask("GET", "/login/callback?" + query, Map.of(), "").statusCode())
                .as("another browser")
                .isEqualTo(400);
        HttpResponse<String> in = ask("GET", "/login/callback?" + query, Map.of("Cookie", login), "");
        assertThat(in.statusCode()).as(in.body()).isEqualTo(302);
        assertThat(in.headers().firstValue("Location")).contains("/ui/");
        String session = cookie(in, "__Host-homeport");
        HttpResponse<String> me = ask("GET", "/api/v2/me", Map.of("Cookie", session), "");
        assertThat(me.body()).contains("person:alice").contains("workspace-admin");
        assertThat(ask("PATCH", "/api/v2/clusters/payments-dev", Map.of("Cookie", session), PATCH)
                        .statusCode())
                .as("without the header that other sites cannot send")
                .isEqualTo(403);
        assertThat(ask("PATCH", "/api/v2/clusters/payments-dev", Map.of("Cookie", session, "Homeport-Csrf", "1"), PATCH)
                        .statusCode())
                .isEqualTo(200);
        assertThat(ask("GET", "/login/callback?" + query, Map.of("Cookie", login), "")
                        .statusCode())
                .as("a code that was used")
                .isEqualTo(401);
        HttpResponse<String> out = ask("POST", "/logout", Map.of("Cookie", session, "Homeport-Csrf", "1"), "");
        assertThat(out.statusCode()).isEqualTo(200);
        assertThat(out.headers().firstValue("Set-Cookie").orElse("")).contains("Max-Age=0");
    }

    private static String cookie(HttpResponse<String> answer, String name) {
        String set = answer.headers().allValues("set-cookie").stream()
                .filter(one -> one.startsWith(name + "="))
                .findFirst()
                .orElseThrow();
        assertThat(set)
                .contains("; Path=/;")
                .contains("; Secure; HttpOnly; SameSite=Lax")
                .doesNotContain("Domain");
        return set.substring(0, set.indexOf(';'));
    }

    @Test
    void aPersonSignsInWithTheCommandLineAndStaysSignedIn() throws Exception {
        CompletableFuture<Cli.Ran> login =
                CompletableFuture.supplyAsync(() -> cli.run("login", cli.address(), "--device"));
        approve("alice");
        Cli.Ran ran = login.get().ok();
        assertThat(ran.err()).contains("as person:alice");
        Path config = folder.resolve("config/homeport/config.yaml");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(config)))
                .isEqualTo("rw-------");
        assertThat(cli.run("get", "clusters", "-o", "name").ok().out())
                .contains("payments-dev")
                .doesNotContain("others");
        // The token has come to its end: the next command gets another, and says nothing about it.
        String before = Files.readString(config);
        Files.writeString(config, before.replaceAll("token_until: .*", "token_until: 2020-01-01T00:00:00Z"));
        assertThat(cli.run("whoami").ok().err()).isEmpty();
        String after = Files.readString(config);
        assertThat(after).doesNotContain("2020-01-01");
        assertThat(value(after, "token")).isNotEqualTo(value(before, "token"));
        Contexts.Context signedIn = new Contexts(config).get("127.0.0.1");
        cli.run("logout").ok();
        assertThat(Files.readString(config)).doesNotContain("token").doesNotContain("eyJ");
        cli.run("whoami").fails(4);
        renewedInTheKeyring(signedIn);
    }

    private void renewedInTheKeyring(Contexts.Context signedIn) throws Exception {
        try (RealKeyring keyring = new RealKeyring(folder.resolve("keyring"))) {
            cli.variables.putAll(keyring.variables());
            assertThat(cli.put(signedIn.with("token_until", "2020-01-01T00:00:00Z")))
                    .isEqualTo("in the keyring");
            assertThat(cli.run("whoami").ok().err()).isEmpty();
            assertThat(keyring.content())
                    .contains("eyJ", "refresh_token")
                    .doesNotContain("2020-01-01")
                    .doesNotContain(signedIn.token().orElseThrow());
            cli.run("logout").ok();
            assertThat(keyring.content()).isEmpty();
        }
    }

    private static String value(String yaml, String key) {
        Matcher line = Pattern.compile("(?m)^\\s*" + key + ": (.*)$").matcher(yaml);
        assertThat(line.find()).as(key).isTrue();
        return line.group(1);
    }

    /** What a person does in the browser after the command line has shown the address. */
    private void approve(String name) throws Exception {
        WebBrowser browser = new WebBrowser(keycloak.issuer("homeport").replaceAll("/realms.*", ""));
        WebBrowser.Page page = browser.open(told());
        page = browser.submit(page, Map.of("username", name, "password", name + "-password"));
        page = browser.submit(page, Map.of("accept", "Yes"));
        assertThat(page.text()).contains("Device Login Successful");
    }

    private String told() throws InterruptedException {
        for (int i = 0; i < 1200; i++) {
            Optional<String> address = cli.saying()
                    .lines()
                    .filter(line -> line.startsWith("open http"))
                    .map(line -> line.split(" ", 3)[1])
                    .findFirst();
            if (address.isPresent()) {
                return address.get();
            }
            Thread.sleep(100);
        }
        throw new AssertionError("the command line says nothing: " + cli.saying());
    }
}
