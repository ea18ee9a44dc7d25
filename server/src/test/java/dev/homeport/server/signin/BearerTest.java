package dev.homeport.server.signin;

import static dev.homeport.server.signin.TestProvider.compact;
import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestClient;
import dev.homeport.server.TestServer;
import dev.homeport.server.stream.EventReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jose4j.jwa.AlgorithmConstraints;
import org.jose4j.jwe.JsonWebEncryption;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jwk.RsaJwkGenerator;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.keys.HmacKey;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens of an identity provider as bearer tokens: valid ones authenticate, all others do not. */
class BearerTest {
    private TestProvider provider;
    private TestServer server;
    private PublicJsonWebKey stranger;

    @BeforeEach
    void start(@TempDir Path folder) {
        provider = new TestProvider();
        server = TestServer.in(
                folder,
                Map.of(
                        "--oidc-issuer",
                        provider.issuer(),
                        "--oidc-client-id",
                        "homeport",
                        "--oidc-audience",
                        TestProvider.AUDIENCE));
        server.admin()
                .post(
                        "/api/v2/access-grants",
                        "{\"id\":\"team\",\"spec\":{\"subject\":\"group:team\",\"role\":\"viewer\",\"scope\":{\"fleet\":true}}}")
                .expect(201);
    }

    @AfterEach
    void stop() {
        server.close();
        provider.close();
    }

    private TestClient.Answer me(String token) {
        return server.admin(token).get("/api/v2/me");
    }

    @Test
    void everyAllowedSignatureIsKnownAndGroupsAreWhatIsGrantedTo() {
        for (Map.Entry<String, String> one : Map.of("RS256", "rsa", "PS256", "rsa", "ES256", "ec", "EdDSA", "ed")
                .entrySet()) {
            String token = provider.sign(one.getKey(), one.getValue(), provider.claims("alice", "team", "others"));
            TestClient.Answer me = me(token).expect(200);
            assertThat(me.at("/actor").stringValue()).isEqualTo("person:alice");
            assertThat(me.at("/groups").toString()).isEqualTo("[\"others\",\"team\"]");
            assertThat(me.at("/roles/0/role").stringValue()).isEqualTo("viewer");
            server.admin(token).get("/api/v2/clusters").expect(200);
            server.admin(token)
                    .post("/api/v2/namespaces", "{\"id\":\"mine\",\"spec\":{}}")
                    .expect(403);
        }
        // An authenticated person has no rights without a grant, and none without groups.
        server.admin(provider.token("mallory", "other")).get("/api/v2/clusters").expect(403);
        JwtClaims without = provider.claims("mallory");
        without.unsetClaim("groups");
        server.admin(provider.sign("RS256", "rsa", without))
                .get("/api/v2/clusters")
                .expect(403);
    }

    @Test
    void whatIsNotWhollyGoodIsNobodys() throws Exception {
        Map<String, String> bad = new LinkedHashMap<>();
        bad.put("another issuer", spoilt(claims -> claims.setIssuer(provider.issuer() + "/")));
        bad.put("no issuer", spoilt(claims -> claims.unsetClaim("iss")));
        bad.put("another audience", spoilt(claims -> claims.setAudience("homeport-api2")));
        bad.put("the client as audience", spoilt(claims -> claims.setAudience("homeport")));
        bad.put("no audience", spoilt(claims -> claims.unsetClaim("aud")));
        bad.put("expired", spoilt(claims -> claims.setExpirationTime(TestProvider.in(-60))));
        bad.put("no expiry", spoilt(claims -> claims.unsetClaim("exp")));
        bad.put("a life of a week", spoilt(claims -> claims.setExpirationTime(TestProvider.in(7 * 86400))));
        bad.put("not yet", spoilt(claims -> claims.setNotBefore(TestProvider.in(120))));
        bad.put("made tomorrow", spoilt(claims -> {
            claims.setIssuedAt(TestProvider.in(86400));
            claims.setExpirationTime(TestProvider.in(86400 + 60));
        }));
        bad.put("no time of making", spoilt(claims -> claims.unsetClaim("iat")));
        bad.put("no name", spoilt(claims -> claims.unsetClaim("sub")));
        bad.put("a name with a newline", spoilt(claims -> claims.setSubject("alice\nadmin")));
        bad.put("a name that is a list", spoilt(claims -> claims.setClaim("sub", List.of("alice"))));
        bad.put("a name that is very long", spoilt(claims -> claims.setSubject("a".repeat(300))));
        bad.put("an expiry that is a text", spoilt(claims -> claims.setClaim("exp", "tomorrow")));
        bad.put("an expiry beyond numbers", spoilt(claims -> claims.setClaim("exp", 1e300)));
        bad.put("unsigned", unsigned());
        String good = provider.token("alice", "team");
        String[] parts = good.split("\\.", -1);
        bad.put("without its signature", parts[0] + "." + parts[1] + ".");
        bad.put("with half a signature", good.substring(0, good.length() - 40));
        bad.put(
                "another's signature",
                parts[0] + "." + parts[1] + "." + provider.token("bob").split("\\.", -1)[2]);
        bad.put(
                "other claims",
                parts[0] + "." + encoded(provider.claims("root", "team").toJson()) + "." + parts[2]);
        bad.put("signed with the public key as a secret", hmac(provider.key("rsa"), "HS256", "rsa"));
        bad.put("signed with the public key in PEM as a secret", hmacOfPem());
        bad.put("an unknown key", unknownKey("nobodys", false));
        bad.put("a known key's name", unknownKey("rsa", false));
        bad.put("its own key in the header", unknownKey("nobodys", true));
        bad.put("a key from a file", unknownKey("../../../../dev/null", false));
        bad.put("a key by a query", unknownKey("rsa' UNION SELECT 'x", false));
        bad.put("the wrong key for the algorithm", wrongFamily());
        bad.put("RS512", provider.sign("RS512", "rsa", provider.claims("alice", "team")));
        bad.put("a key from elsewhere", header(signature -> signature.setHeader("jku", "http://127.0.0.1:1/keys")));
        bad.put("a critical header", header(signature -> signature.setHeader("crit", List.of("exp"))));
        bad.put("another kind", header(signature -> signature.setHeader("typ", "logout+jwt")));
        bad.put("nested", nested(good));
        bad.put("encrypted", encrypted(good));
        bad.put("five parts", good + ".a.b");
        bad.put("deep", encoded("{\"alg\":\"RS256\",\"kid\":\"rsa\"}") + "." + encoded("[".repeat(3000)) + ".AA");
        bad.put("names twice", twice());
        bad.put("not in base64", "eyJ*." + parts[1] + "." + parts[2]);
        bad.put("huge", provider.sign("RS256", "rsa", huge()));
        long before = revision();
        for (Map.Entry<String, String> one : bad.entrySet()) {
            TestClient.Answer answer = me(one.getValue());
            if (one.getKey().equals("a key from elsewhere")) {
                // The header is not looked at, and the signature is good.
                assertThat(answer.status()).as(one.getKey()).isEqualTo(200);
                continue;
            }
            // Guessing is slowed down after a while, and longer headers than any token's are not read at all.
            assertThat(answer.status()).as(one.getKey() + ": " + answer.text()).isIn(401, 429, 431);
            assertThat(answer.text())
                    .as(one.getKey())
                    .doesNotContain(one.getValue().substring(20));
        }
        assertThat(revision()).isEqualTo(before);
        me(good).expect(200);
        me(server.adminToken()).expect(200);
    }

    private long revision() {
        return server.admin()
                .get("/api/v2/changes?page_size=1")
                .expect(200)
                .at("/items/0/revision")
                .longValue();
    }

    private String spoilt(Consumer<JwtClaims> spoil) {
        JwtClaims claims = provider.claims("alice", "team");
        spoil.accept(claims);
        return provider.sign("RS256", "rsa", claims);
    }

    private String header(Consumer<JsonWebSignature> spoil) {
        JsonWebSignature signature = new JsonWebSignature();
        signature.setPayload(provider.claims("alice", "team").toJson());
        signature.setAlgorithmHeaderValue("RS256");
        signature.setKeyIdHeaderValue("rsa");
        signature.setKey(provider.key("rsa").getPrivateKey());
        spoil.accept(signature);
        return compact(signature);
    }

    private String unsigned() {
        JsonWebSignature signature = new JsonWebSignature();
        signature.setAlgorithmConstraints(AlgorithmConstraints.ALLOW_ONLY_NONE);
        signature.setPayload(provider.claims("alice", "team").toJson());
        signature.setAlgorithmHeaderValue("none");
        return compact(signature);
    }

    private String hmac(PublicJsonWebKey key, String algorithm, String kid) {
        JsonWebSignature signature = new JsonWebSignature();
        signature.setPayload(provider.claims("alice", "team").toJson());
        signature.setAlgorithmHeaderValue(algorithm);
        signature.setKeyIdHeaderValue(kid);
        signature.setKey(new HmacKey(key.getPublicKey().getEncoded()));
        return compact(signature);
    }

    private String hmacOfPem() {
        JsonWebSignature signature = new JsonWebSignature();
        signature.setPayload(provider.claims("alice", "team").toJson());
        signature.setAlgorithmHeaderValue("HS256");
        signature.setKeyIdHeaderValue("rsa");
        String pem = "-----BEGIN PUBLIC KEY-----\n"
                + Base64.getMimeEncoder()
                        .encodeToString(provider.key("rsa").getPublicKey().getEncoded())
                + "\n-----END PUBLIC KEY-----\n";
        signature.setKey(new HmacKey(pem.getBytes(StandardCharsets.US_ASCII)));
        return compact(signature);
    }

    private String unknownKey(String kid, boolean shown) throws Exception {
        if (stranger == null) {
            stranger = RsaJwkGenerator.generateJwk(2048);
        }
        PublicJsonWebKey key = stranger;
        return header(signature -> {
            signature.setKey(key.getPrivateKey());
            signature.setKeyIdHeaderValue(kid);
            if (shown) {
                signature.setHeader("jwk", key.toParams(JsonWebKey.OutputControlLevel.PUBLIC_ONLY));
            }
        });
    }

    private String wrongFamily() {
        return header(signature -> {
            signature.setAlgorithmHeaderValue("ES256");
            signature.setKey(provider.key("ec").getPrivateKey());
        });
    }

    private String nested(String inner) {
        JsonWebSignature signature = new JsonWebSignature();
        signature.setPayload(inner);
        signature.setAlgorithmHeaderValue("RS256");
        signature.setKeyIdHeaderValue("rsa");
        signature.setContentTypeHeaderValue("JWT");
        signature.setKey(provider.key("rsa").getPrivateKey());
        return compact(signature);
    }

    private String encrypted(String inner) throws Exception {
        JsonWebEncryption encryption = new JsonWebEncryption();
        encryption.setAlgorithmHeaderValue("RSA-OAEP-256");
        encryption.setEncryptionMethodHeaderParameter("A128GCM");
        encryption.setKeyIdHeaderValue("rsa");
        encryption.setContentTypeHeaderValue("JWT");
        encryption.setKey(provider.key("rsa").getPublicKey());
        encryption.setPayload(inner);
        return encryption.getCompactSerialization();
    }

    private String twice() {
        return header(signature -> signature.setPayload(
                provider.claims("alice", "team").toJson().replaceFirst("\\{", "{\"sub\":\"root\",")));
    }

    private JwtClaims huge() {
        JwtClaims claims = provider.claims("alice", "team");
        claims.setClaim("more", "x".repeat(60_000));
        return claims;
    }

    private static String encoded(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aNewKeyIsFoundAndAFloodOfUnknownOnesDoesNotReachTheProvider() throws Exception {
        me(provider.token("alice", "team")).expect(200);
        int asked = provider.keyRequests.get();
        for (int i = 0; i < 30; i++) {
            String kid = "made-up-" + i;
            me(unknownKey(kid, false));
        }
        assertThat(provider.keyRequests.get() - asked).isLessThanOrEqualTo(2);
        provider.add("next", RsaJwkGenerator.generateJwk(2048));
        provider.withdraw("rsa");
        Thread.sleep(Provider.PAUSE.toMillis() + 200);
        me(provider.sign("RS256", "next", provider.claims("alice", "team"))).expect(200);
        assertThat(me(provider.token("alice", "team")).status())
                .as("a key that was withdrawn")
                .isEqualTo(401);
    }

    @Test
    void withoutItsProviderATokenWorksOnAndWhoeverIsNewIsToldWhy() {
        String token = provider.token("alice", "team");
        provider.goDown();
        TestClient.Answer unsure = me(token).expect(503);
        assertThat(unsure.at("/detail").stringValue())
                .contains(provider.issuer())
                .contains("unreachable");
        assertThat(server.admin("").get("/api/v2/sign-in").expect(503).text()).contains("unreachable");
        me(server.adminToken()).expect(200);
        provider.comeBack();
        await(() -> me(token).status() == 200);
        provider.goDown();
        me(token).expect(200);
        me(provider.token("bob", "team")).expect(200);
        server.admin(token).get("/api/v2/clusters").expect(200);
        provider.comeBack();
    }

    @Test
    void aStreamEndsWithTheTokenThatItWasOpenedWith() throws Exception {
        JwtClaims claims = provider.claims("alice", "team");
        claims.setExpirationTime(TestProvider.in(4));
        long begun = System.nanoTime();
        try (EventReader reader =
                new EventReader(server.admin(provider.sign("RS256", "rsa", claims)), "/api/v2/stream", "")) {
            Map<String, String> event = reader.next(40);
            while (!"end".equals(event.get("event"))) {
                event = reader.next(40);
            }
        }
        assertThat(System.nanoTime() - begun).isGreaterThan(2_000_000_000L);
    }

    @Test
    void aProviderThatCallsItselfOtherwiseIsNotBelieved() {
        provider.otherName = "https://login.example.com";
        assertThat(me(provider.token("alice", "team")).expect(503).text()).contains("calls itself otherwise");
    }

    private static void await(java.util.function.BooleanSupplier condition) {
        long end = System.nanoTime() + 60_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(end);
            try {
                Thread.sleep(200);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
