package dev.homeport.server.signin;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jose4j.jwk.EcJwkGenerator;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.OctetKeyPairJsonWebKey;
import org.jose4j.jwk.OkpJwkGenerator;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jwk.RsaJwkGenerator;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.NumericDate;
import org.jose4j.keys.EllipticCurves;
import org.jose4j.lang.JoseException;

/** An issuer on loopback that signs whatever a test wants, also what no real provider would. */
public final class TestProvider implements AutoCloseable {
    public static final String AUDIENCE = "homeport-api";

    private final Map<String, PublicJsonWebKey> keys = new HashMap<>();
    private final List<String> published = new ArrayList<>();
    public final AtomicInteger keyRequests = new AtomicInteger();
    private final int port;
    private HttpServer server;

    /** The answer of the token endpoint, for any code. */
    volatile String idToken = "";

    volatile String otherName = "";

    public TestProvider() {
        this.server = listen(0);
        this.port = server.getAddress().getPort();
        try {
            add("rsa", RsaJwkGenerator.generateJwk(2048));
            add("ec", EcJwkGenerator.generateJwk(EllipticCurves.P256));
            add("ed", OkpJwkGenerator.generateJwk(OctetKeyPairJsonWebKey.SUBTYPE_ED25519));
        } catch (JoseException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Makes a key known, so that tokens signed with it are good. */
    void add(String kid, PublicJsonWebKey key) {
        key.setKeyId(kid);
        keys.put(kid, key);
        published.add(kid);
    }

    void withdraw(String kid) {
        published.remove(kid);
    }

    PublicJsonWebKey key(String kid) {
        return keys.get(kid);
    }

    public String issuer() {
        return "http://127.0.0.1:" + port;
    }

    private HttpServer listen(int wanted) {
        try {
            HttpServer made = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), wanted), 0);
            made.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            made.createContext(
                    "/.well-known/openid-configuration",
                    exchange -> answer(exchange, """
                    {"issuer":"NAME","jwks_uri":"ISSUER/keys","authorization_endpoint":"ISSUER/authorize",
                     "token_endpoint":"ISSUER/token","device_authorization_endpoint":"ISSUER/device"}""".replace("NAME", otherName.isEmpty() ? issuer() : otherName)
                            .replace("ISSUER", issuer())));
            made.createContext("/keys", exchange -> {
                keyRequests.incrementAndGet();
                StringBuilder json = new StringBuilder("{\"keys\":[");
                published.forEach(kid -> json.append(json.toString().endsWith("[") ? "" : ",")
                        .append(keys.get(kid).toJson(JsonWebKey.OutputControlLevel.PUBLIC_ONLY)));
                answer(exchange, json.append("]}").toString());
            });
            made.createContext(
                    "/token",
                    exchange -> answer(exchange, "{\"access_token\":\"x\",\"id_token\":\"" + idToken + "\"}"));
            made.start();
            return made;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void answer(HttpExchange exchange, String json) throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** The next code is worth this. */
    public void idToken(String nonce, String client) {
        JwtClaims claims = claims("alice", "team");
        claims.setAudience(client);
        claims.setStringClaim("nonce", nonce);
        idToken = sign("ES256", "ec", claims);
    }

    void goDown() {
        server.stop(0);
    }

    void comeBack() {
        server = listen(port);
    }

    /** Good claims, for a test to spoil. */
    JwtClaims claims(String name, String... groups) {
        JwtClaims claims = new JwtClaims();
        claims.setIssuer(issuer());
        claims.setAudience(AUDIENCE);
        claims.setSubject(name);
        claims.setIssuedAtToNow();
        claims.setExpirationTimeMinutesInTheFuture(5);
        claims.setStringListClaim("groups", groups);
        return claims;
    }

    static NumericDate in(long seconds) {
        NumericDate date = NumericDate.now();
        date.addSeconds(seconds);
        return date;
    }

    public String token(String name, String... groups) {
        return sign("RS256", "rsa", claims(name, groups));
    }

    String sign(String algorithm, String kid, JwtClaims claims) {
        JsonWebSignature signature = new JsonWebSignature();
        signature.setPayload(claims.toJson());
        signature.setAlgorithmHeaderValue(algorithm);
        signature.setKeyIdHeaderValue(kid);
        signature.setKey(keys.get(kid).getPrivateKey());
        return compact(signature);
    }

    static String compact(JsonWebSignature signature) {
        try {
            return signature.getCompactSerialization();
        } catch (JoseException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
