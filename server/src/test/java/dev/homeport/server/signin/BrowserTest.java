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
        assertThat(browser.get("/login").expect(503).text()).contains("not there");
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
        assertThat(comeBack(begun, state).expect(503).text()).contains("not there");
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
                        Map.of("Cookie", session, Forgery.HEADER, "1", "Sec-Fetch-Site", "cross-site"))
                .expect(403);
        browser.send("DELETE", "/api/v2/namespaces/x", "", Map.of("Cookie", session, "If-Match", "*"))
                .expect(403);
        browser.send("POST", "/logout", "", Map.of("Cookie", session)).expect(403);
        browser.send(
                        "POST",
                        "/api/v2/namespaces",
                        body,
                        Map.of("Cookie", session, Forgery.HEADER, "1", "Sec-Fetch-Site", "same-origin"))
                .expect(201);
        // A wrong token is not made good by a cookie.
        browser.send("GET", "/api/v2/me", "", Map.of("Cookie", session, "Authorization", "Bearer wrong"))
                .expect(401);
        assertThat(browser.send("POST", "/logout", "", Map.of("Cookie", session, Forgery.HEADER, "1"))
                        .expect(200)
                        .header("Set-Cookie"))
                .startsWith("__Host-homeport=; Path=/; Max-Age=0;");
        // A session is a sealed cookie and not a row: a copy of it lasts as long as the session, but holds what its
        // owner holds.
        me(session).expect(200);
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
