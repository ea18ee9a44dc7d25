package dev.homeport.server.signin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestClient;
import dev.homeport.server.TestServer;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jose4j.jwt.JwtClaims;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What comes back from a provider, right and spoilt; the whole way with a real provider is tested with the command line. */
class BrowserTest {
    private static final String HOME = "https://homeport.example.com";

    private TestProvider provider;
    private TestServer server;
    private TestClient browser;

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
                        TestProvider.AUDIENCE,
                        "--admin-url",
                        HOME));
        browser = server.admin("");
        server.admin()
                .post(
                        "/api/v2/access-grants",
                        "{\"id\":\"team\",\"spec\":{\"subject\":\"group:team\",\"role\":\"operator\",\"scope\":{\"fleet\":true}}}")
                .expect(201);
    }

    @AfterEach
    void stop() {
        server.close();
        provider.close();
    }

    /** A sign-in that was begun: the cookie, and what was asked of the provider. */
    private record Begun(String cookie, Map<String, String> asked) {}

    private Begun begin(String to) {
        TestClient.Answer login = browser.get("/login" + to).expect(302);
        Map<String, String> asked = new HashMap<>();
        URI there = URI.create(login.header("Location"));
        assertThat(there.toString()).startsWith(provider.issuer() + "/authorize?");
        for (String pair : there.getRawQuery().split("&", -1)) {
            String[] both = pair.split("=", 2);
            asked.put(both[0], URLDecoder.decode(both[1], StandardCharsets.UTF_8));
        }
        return new Begun(pair(login.header("Set-Cookie")), asked);
    }

    private static String pair(String setCookie) {
        return setCookie.substring(0, setCookie.indexOf(';'));
    }

    private JwtClaims claims(Begun begun, String... groups) {
        JwtClaims claims = provider.claims("alice", groups);
        claims.setAudience("homeport");
        claims.setStringClaim("nonce", begun.asked().get("nonce"));
        return claims;
    }

    private TestClient.Answer comeBack(Begun begun, JwtClaims claims) {
        provider.idToken = provider.sign("ES256", "ec", claims);
        return comeBack(begun, "code=abc&state=" + begun.asked().get("state"));
    }

    private TestClient.Answer comeBack(Begun begun, String query) {
        return browser.send("GET", "/login/callback?" + query, "", Map.of("Cookie", begun.cookie()));
    }

    private String signedIn(String... groups) {
        Begun begun = begin("");
        return session(comeBack(begun, claims(begun, groups)).expect(302));
    }

    private static String session(TestClient.Answer answer) {
        List<String> cookies = answer.headers().allValues("set-cookie");
        assertThat(cookies).hasSize(2);
        assertThat(cookies.get(0))
                .startsWith("__Host-homeport=")
                .endsWith("; Path=/; Max-Age=28800; Secure; HttpOnly; SameSite=Lax");
        assertThat(cookies.get(1)).startsWith("__Host-homeport-login=; Path=/; Max-Age=0;");
        return pair(cookies.getFirst());
    }

    @Test
    void theWayThereAndBackBeginsASessionThatOutlivesARestart() {
        Begun begun = begin("?to=/ui/clusters?page=2");
        assertThat(begun.asked())
                .containsEntry("response_type", "code")
                .containsEntry("client_id", "homeport")
                .containsEntry("redirect_uri", HOME + "/login/callback")
                .containsEntry("code_challenge_method", "S256")
                .containsEntry("scope", "openid profile");
        assertThat(List.of(
                        begun.asked().get("state"),
                        begun.asked().get("nonce"),
                        begun.asked().get("code_challenge")))
                .allMatch(text -> text.length() == 43)
                .doesNotHaveDuplicates();
        TestClient.Answer back = comeBack(begun, claims(begun, "team"));
        assertThat(back.expect(302).header("Location")).isEqualTo("/ui/clusters?page=2");
        String session = session(back);
        assertThat(me(session).expect(200).text()).contains("person:alice").contains("operator");
        server.stop();
        server.startAgain();
        browser = server.admin("");
        provider.goDown();
        me(session).expect(200);
        assertThat(browser.get("/login").expect(503).text()).contains("unreachable");
    }

    private TestClient.Answer me(String cookie) {
        return browser.send("GET", "/api/v2/me", "", Map.of("Cookie", cookie));
    }

    @Test
    void nobodyIsSentToAnotherHost() {
        for (String to : List.of(
                "//evil.example.com",
                "/\\evil.example.com",
                "https://evil.example.com",
                "evil",
                "",
                "/%09/evil.example.com",
                "/%0d%0aSet-Cookie:a=b",
                "javascript:alert(1)")) {
            browser.get("/login?to=" + to.replace("\\", "%5C")).expect(400);
        }
    }

    @Test
    void onlyWhoeverBeganComesBackAndOnlyWithWhatTheProviderGaveForIt() {
        Begun begun = begin("");
        Begun other = begin("");
        String state = "code=abc&state=" + begun.asked().get("state");
        JwtClaims good = claims(begun, "team");
        provider.idToken = provider.sign("ES256", "ec", good);
        browser.get("/login/callback?" + state).expect(400);
        comeBack(other, state).expect(400);
        comeBack(begun, "code=abc").expect(400);
        comeBack(begun, "state=" + begun.asked().get("state")).expect(401);
        comeBack(begun, state + "&iss=https://login.example.com").expect(401);
        assertThat(comeBack(begun, "state=" + begun.asked().get("state") + "&error=access_denied%0a%1b[1m")
                        .expect(401)
                        .text())
                .contains("access_denied??[1m");
        // A session is not a sign-in that was begun, nor the other way round.
        String session = signedIn("team");
        browser.send(
                        "GET",
                        "/login/callback?" + state,
                        "",
                        Map.of("Cookie", session.replace("__Host-homeport=", "__Host-homeport-login=")))
                .expect(400);
        me(begun.cookie().replace("__Host-homeport-login=", "__Host-homeport=")).expect(401);
        good.setStringClaim("nonce", other.asked().get("nonce"));
        comeBack(begun, good).expect(401);
        good.unsetClaim("nonce");
        comeBack(begun, good).expect(401);
        good = claims(begun, "team");
        good.setAudience(TestProvider.AUDIENCE);
        comeBack(begun, good).expect(401);
        good = claims(begun, "team");
        good.setStringClaim("azp", "another");
        comeBack(begun, good).expect(401);
        good = claims(begun, "team");
        good.setExpirationTime(TestProvider.in(-60));
        comeBack(begun, good).expect(401);
        provider.idToken = "";
        comeBack(begun, state).expect(401);
        provider.goDown();
        assertThat(comeBack(begun, state).expect(503).text()).contains("unreachable");
    }

    @Test
    void aSessionChangesNothingThatAnotherSiteAsksFor() {
        String session = signedIn("team");
        String body = "{\"id\":\"mine\",\"spec\":{}}";
        browser.send("POST", "/api/v2/namespaces", body, Map.of("Cookie", session))
                .expect(403);
        browser.send(
                        "POST",
                        "/api/v2/namespaces",
                        body,
                        Map.of("Cookie", session, CsrfCheck.HEADER, "1", "Sec-Fetch-Site", "cross-site"))
                .expect(403);
        browser.send("DELETE", "/api/v2/namespaces/x", "", Map.of("Cookie", session, "If-Match", "*"))
                .expect(403);
        browser.send("POST", "/logout", "", Map.of("Cookie", session)).expect(403);
        browser.send(
                        "POST",
                        "/api/v2/namespaces",
                        body,
                        Map.of("Cookie", session, CsrfCheck.HEADER, "1", "Sec-Fetch-Site", "same-origin"))
                .expect(201);
        // A wrong token is not made good by a cookie.
        browser.send("GET", "/api/v2/me", "", Map.of("Cookie", session, "Authorization", "Bearer wrong"))
                .expect(401);
        assertThat(browser.send("POST", "/logout", "", Map.of("Cookie", session, CsrfCheck.HEADER, "1"))
                        .expect(200)
                        .header("Set-Cookie"))
                .startsWith("__Host-homeport=; Path=/; Max-Age=0;");
        me(session).expect(401);
        browser.send("POST", "/logout", "", Map.of("Cookie", session, CsrfCheck.HEADER, "1"))
                .expect(200);
    }

    @Test
    void aSignOutEndsTheSessionAndItsCopiesAlsoAfterARestart() {
        String session = signedIn("team");
        String other = signedIn("team");
        browser.send("POST", "/logout", "", Map.of("Cookie", session, CsrfCheck.HEADER, "1"))
                .expect(200);
        me(session).expect(401);
        me(other).expect(200);
        server.stop();
        server.startAgain();
        browser = server.admin("");
        me(session).expect(401);
        me(other).expect(200);
    }

    @Test
    void signingOutEverywhereEndsAllSessionsAndTokensOfTheProvider() {
        String one = signedIn("team");
        String two = signedIn("team");
        String bearer = provider.sign("ES256", "ec", provider.claims("alice", "team"));
        server.admin(bearer).get("/api/v2/me").expect(200);
        Map<String, String> mine = Map.of("Cookie", one, CsrfCheck.HEADER, "1");
        browser.send("POST", "/api/v2/me:sign-out-everywhere", "{\"subject\":\"person:bob\"}", json(mine))
                .expect(403);
        browser.send("POST", "/api/v2/me:sign-out-everywhere", "", Map.of("Cookie", one))
                .expect(403);
        browser.send("POST", "/api/v2/me:sign-out-everywhere?dry_run=true", "", mine)
                .expect(200);
        me(two).expect(200);
        assertThat(browser.send("POST", "/api/v2/me:sign-out-everywhere", "", mine)
                        .expect(200)
                        .at("/subject")
                        .stringValue())
                .isEqualTo("person:alice");
        me(one).expect(401);
        me(two).expect(401);
        server.admin(bearer).get("/api/v2/me").expect(401);
        String three = signedIn("team");
        me(three).expect(200);
        server.admin()
                .post("/api/v2/me:sign-out-everywhere", "{\"subject\":\"person:alice\"}")
                .expect(200);
        me(three).expect(401);
        server.admin()
                .post("/api/v2/me:sign-out-everywhere", "{\"subject\":\"nobody\"}")
                .expect(422);
    }

    private static Map<String, String> json(Map<String, String> headers) {
        Map<String, String> all = new HashMap<>(headers);
        all.put("Content-Type", "application/json");
        return all;
    }

    @Test
    void aSessionMakesNoTokenOfAPersonThatOutlivesIt() {
        Map<String, String> mine = json(Map.of("Cookie", signedIn("team"), CsrfCheck.HEADER, "1"));
        String body = "{\"spec\":{\"kind\":\"person\",\"subject\":\"alice\"}}";
        browser.send("POST", "/api/v2/tokens", body, mine).expect(403);
        server.admin()
                .patch("/api/v2/settings/fleet", "{\"spec\":{\"tokens\":{\"from_sign_in\":\"session\"}}}")
                .expect(200);
        TestClient.Answer made =
                browser.send("POST", "/api/v2/tokens", body, mine).expect(201);
        assertThat(java.time.Instant.parse(made.at("/spec/expires_at").stringValue()))
                .isBefore(java.time.Instant.now().plusSeconds(28800));
        TestClient alice = server.admin(made.at("/token").stringValue());
        alice.get("/api/v2/me").expect(200);
        browser.send("POST", "/logout", "", mine).expect(200);
        alice.get("/api/v2/me").expect(401);
    }

    @Test
    void whatIsNotASessionOfOursIsNone() {
        String session = signedIn("team");
        me(session).expect(200);
        me(session.substring(0, session.length() - 1)).expect(401);
        char last = session.charAt(30) == 'A' ? 'B' : 'A';
        me(session.substring(0, 30) + last + session.substring(31)).expect(401);
        me("__Host-homeport=").expect(401);
        me("__Host-homeport=!!!").expect(401);
        me("homeport=" + session.substring(session.indexOf('=') + 1)).expect(401);
        me(session + "; " + session).expect(401);
        me("a=b; " + session + "; c=d").expect(200);
    }

    @Test
    void moreGroupsThanABrowserKeepsAreSaidToBeTooMany() {
        Begun begun = begin("");
        String[] groups = new String[200];
        for (int i = 0; i < groups.length; i++) {
            groups[i] = "a-group-with-a-long-name-" + i;
        }
        assertThat(comeBack(begun, claims(begun, groups)).expect(403).text()).contains("more groups");
    }
}
