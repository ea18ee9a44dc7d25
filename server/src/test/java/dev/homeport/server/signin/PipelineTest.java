package dev.homeport.server.signin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.homeport.server.TestClient;
import dev.homeport.server.TestServer;
import dev.homeport.server.config.BadSettings;
import dev.homeport.testing.OutsideIn;
import dev.homeport.testing.Requirement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jose4j.jwt.JwtClaims;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job of a CI system comes with the token that the system gave it, and no secret is stored anywhere. */
@OutsideIn
class PipelineTest {
    private TestProvider provider;
    private TestServer server;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        provider = new TestProvider();
        Path file = folder.resolve("issuers.yaml");
        Files.writeString(file, """
                issuers:
                - name: ci
                  issuer: ISSUER
                  audience: https://homeport.example.com
                  claims: {ref_protected: "true", namespace: [acme, acme-labs]}
                  subject: "{project_path}:{ref}"
                - name: nightly
                  issuer: ISSUER
                  audience: https://homeport.example.com
                  claims: {pipeline_source: schedule}
                  subject: all
                """.replace("ISSUER", provider.issuer()));
        server = TestServer.in(folder, Map.of("--trusted-issuers", file.toString()));
        TestClient admin = server.admin();
        admin.post("/api/v2/workspaces", "{\"id\":\"payments\",\"spec\":{\"service_account\":\"payments\"}}")
                .expect(201);
        for (String environment : List.of("dev", "prod")) {
            admin.post("/api/v2/clusters", """
                            {"id":"pay-ENV","spec":{"cluster_name":"pay-ENV","cluster_dns":"pay-ENV.example.com",
                             "environment":"ENV","owner":"a","workspace":"payments"}}""".replace("ENV", environment)).expect(201);
        }
        admin.post("/api/v2/access-grants", """
                        {"id":"payments-ci","spec":{"subject":"service:ci:acme/payments:main","role":"service",
                         "scope":{"workspace":"payments"},"environments":["dev"]}}""").expect(201);
    }

    @AfterEach
    void stop() {
        server.close();
        provider.close();
    }

    private String token(Consumer<JwtClaims> change) {
        JwtClaims claims = provider.claims("project_path:acme/payments:ref_type:branch:ref:main");
        claims.setAudience("https://homeport.example.com");
        claims.setStringClaim("project_path", "acme/payments");
        claims.setStringClaim("namespace", "acme");
        claims.setStringClaim("ref", "main");
        claims.setStringClaim("ref_protected", "true");
        change.accept(claims);
        return provider.sign("RS256", "rsa", claims);
    }

    private TestClient.Answer patch(TestClient client, String cluster) {
        return client.patch("/api/v2/clusters/" + cluster, "{\"spec\":{\"description\":\"set by a job\"}}");
    }

    @Test
    void aJobSetsDevAndNothingElse() {
        TestClient job = server.admin(token(claims -> {}));
        assertThat(job.get("/api/v2/me").expect(200).at("/actor").stringValue())
                .isEqualTo("service:ci:acme/payments:main");
        patch(job, "pay-dev").expect(200);
        patch(job, "pay-prod").expect(404); // where it holds nothing there is nothing for it
        job.post("/api/v2/tokens", "{\"spec\":{\"kind\":\"service\",\"subject\":\"mine\"}}")
                .expect(403);
        String own = "{\"spec\":{\"kind\":\"service\",\"subject\":\"ci:acme/payments:main\"}}";
        assertThat(job.post("/api/v2/tokens", own).expect(403).text()).contains("from_sign_in");
        assertThat(server.admin().post("/api/v2/tokens", own).expect(409).text())
                .contains("trusted issuer");
        assertThat(server.admin()
                        .get("/api/v2/changes?page_size=1")
                        .at("/items/0/actor")
                        .stringValue())
                .isEqualTo("service:ci:acme/payments:main");
    }

    @Test
    @Requirement(value = "D5", part = "the scope of a pipeline's token")
    void aNewTagOfAJobIsPolledByDevAlone() {
        TestClient admin = server.admin();
        admin.post("/api/v2/platform-components", """
                        {"id":"shop","spec":{"kind":"helm","component_path":"shop","component_version":"1.0.0",
                         "oci_url":"oci://registry.example.com/shop","oci_tag":"v1"}}""").expect(201);
        admin.patch("/api/v2/workspaces/payments", "{\"spec\":{\"platform_components\":[{\"id\":\"shop\"}]}}")
                .expect(200);
        TestClient job = server.admin(token(claims -> {}));
        String tag = "{\"spec\":{\"by_environment\":{\"ENV\":{\"platform_components\":"
                + "[{\"id\":\"shop\",\"oci_tag\":\"v2\",\"assign\":false}]}}}}";
        job.patch("/api/v2/workspaces/payments", tag.replace("ENV", "dev")).expect(200);
        job.patch("/api/v2/workspaces/payments", tag.replace("ENV", "prod")).expect(403);
        job.patch("/api/v2/platform-components/shop", "{\"spec\":{\"oci_tag\":\"v2\"}}")
                .expect(403);
        assertThat(polledTag("pay-dev")).isEqualTo("v2");
        assertThat(polledTag("pay-prod")).isEqualTo("v1");
    }

    private String polledTag(String cluster) {
        return server.poll(server.adminToken())
                .get("/api/v2/flux/clusters/" + cluster + ".example.com/platform-components")
                .expect(200)
                .at("/inputs/0/source/oci_tag")
                .stringValue();
    }

    @Test
    void anotherJobIsAnotherOrNobody() {
        // Good tokens of jobs that nothing is granted to.
        for (Consumer<JwtClaims> other : List.<Consumer<JwtClaims>>of(
                claims -> claims.setStringClaim("ref", "feature"),
                claims -> claims.setStringClaim("project_path", "acme/payments2"))) {
            TestClient job = server.admin(token(other));
            job.get("/api/v2/me").expect(200);
            patch(job, "pay-dev").expect(403);
        }
        // Not authenticated: a claim that the rule needs is missing, or another job could have it as well.
        for (Consumer<JwtClaims> bad : List.<Consumer<JwtClaims>>of(
                claims -> claims.setStringClaim("ref_protected", "false"),
                claims -> claims.unsetClaim("ref_protected"),
                claims -> claims.setStringClaim("namespace", "mallory"),
                claims -> claims.setClaim("namespace", List.of("acme")),
                claims -> claims.unsetClaim("ref"),
                claims -> claims.setStringClaim("project_path", "acme/payments:main"),
                claims -> claims.setStringClaim("ref", "main\n"),
                claims -> claims.setStringClaim("ref", ""),
                claims -> claims.setAudience(TestProvider.AUDIENCE),
                claims -> claims.setIssuer("https://ci.example.com"))) {
            server.admin(token(bad)).get("/api/v2/me").expect(401);
        }
        // The second rule of the same issuer.
        assertThat(server.admin(token(claims -> {
                            claims.setStringClaim("ref_protected", "false");
                            claims.setStringClaim("pipeline_source", "schedule");
                        }))
                        .get("/api/v2/me")
                        .expect(200)
                        .at("/actor")
                        .stringValue())
                .isEqualTo("service:nightly:all");
    }

    @Test
    void aRuleThatTrustsTooMuchDoesNotStart(@TempDir Path folder) throws Exception {
        Map<String, String> bad = Map.of(
                "{name: ci, issuer: 'https://ci.example.com', audience: a, subject: all}", "one name to every job",
                "{name: ci, issuer: 'http://ci.example.com', audience: a, subject: '{sub}'}", "is not https",
                "{name: ci, issuer: 'https://ci.example.com', subject: '{sub}'}", "has no audience",
                "{name: ci, issuer: 'https://ci.example.com', audience: a, subject: '{a}{b}'}", "between two claims",
                "{name: 'a:b', issuer: 'https://ci.example.com', audience: a, subject: '{sub}'}", "needs a name",
                "{name: ci, issuer: 'https://ci.example.com', audience: a, subject: '{sub}', claim: {a: b}}",
                        "unknown field claim",
                "{name: ci, issuer: 'https://ci.example.com', audience: a, subject: '{sub}', claims: {a: []}}",
                        "without a value");
        for (Map.Entry<String, String> one : bad.entrySet()) {
            Path file = Files.writeString(folder.resolve("bad.yaml"), "issuers:\n- " + one.getKey() + "\n");
            assertThatThrownBy(() -> TestServer.in(folder, Map.of("--trusted-issuers", file.toString())))
                    .as(one.getKey())
                    .isInstanceOf(BadSettings.class)
                    .hasMessageContaining(one.getValue());
        }
        assertThatThrownBy(() -> TestServer.in(
                        folder,
                        Map.of(
                                "--oidc-issuer",
                                "http://login.example.com",
                                "--oidc-client-id",
                                "a",
                                "--oidc-audience",
                                "a")))
                .hasMessageContaining("is not https");
        assertThatThrownBy(() -> TestServer.in(folder, Map.of("--oidc-issuer", "https://login.example.com")))
                .hasMessageContaining("go together");
    }
}
