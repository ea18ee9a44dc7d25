package dev.homeport.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.homeport.json.StrictJson;
import dev.homeport.problem.Violation;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class SecretScanTest {
    private static final TypeDefinition CLUSTER =
            BuiltInTypes.catalog().named(Types.CLUSTER).orElseThrow();
    private static final String FILL = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

    /** Put together here, so that no scanner of repositories takes this file for a leak. */
    @ParameterizedTest
    @CsvSource({
        "-----BEGIN RSA PRI, VATE KEY-----",
        "-----BEGIN PRI, VATE KEY-----",
        "-----BEGIN OPENSSH PRI, VATE KEY-----",
        "LS0tLS1CRUdJTi, BQUklWQVRFIEtFWS0tLS0t",
        "AGE-SECRET-, KEY-1QQQQQQQQQQQQQQQQQQQQQQQQ",
        "AKI, AIOSFODNN7EXAMPLE",
        "ASI, AIOSFODNN7EXAMPLE",
        "AIz, a$35",
        "ya2, 9.$30",
        "DefaultEndpointsProtocol=https;Account, Key=$40==",
        "https://x.blob.core.windows.net/c?s, ig=$40",
        "gh, p_$36",
        "gh, s_$40",
        "github_, pat_$30",
        "glp, at-$20",
        "xox, b-1234567890-abcdef",
        "hooks.slack.com/, services/T12345678/B12345678/abc",
        "hv, s.$24",
        "dckr_, pat_$24",
        "np, m_$36",
        "sk_, live_$24",
        "ey, JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.$20",
        "hp, c_k7x2m9_$43",
        "hp, j_a_$43",
        "hp, p_a_$43",
        "hp, s_a_$43",
        "hp, e_a_$43",
        "https://user:, hunter2@example.com/x",
        "postgres://app:, s3cr3t@db.example.com/x"
    })
    void aSecretIsToldByItsForm(String first, String rest) {
        String secret = first + expand(rest);
        for (String text : List.of(secret, "before " + secret + " after", "{\"a\":\"" + secret + "\"}")) {
            ObjectNode body = StrictJson.object();
            body.putObject("patches").putObject("grafana").put("x", text);
            assertFound("/patches/grafana/x", body);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "adminPassword, Tr0ub4dor&3xyz",
        "auth.password, correcthorsebatterystaple",
        "db-passwd, x8Kq2mZp9LwR",
        "api_key, 5f4dcc3b5aa765d61d8327deb882cf99",
        "token, 123e4567-e89b-42d3-a456-426614174000",
        "clientSecret, Zm9vYmFyYmF6cXV4MTIz",
        "example.com/private-key, MIIEvQIBADANBgkq",
        "AWS_SECRET_ACCESS_KEY, wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "secret, 8f14e45fceea167a5a36dedd4bea2543",
        "accountKey, q83vEjRWeJC83vEjRWeJ"
    })
    void aSecretIsToldByItsKey(String key, String value) {
        ObjectNode body = StrictJson.object();
        body.putObject("patches").putObject("grafana").putObject("nested").put(key, value);
        assertFound("/patches/grafana/nested/" + key.replace("/", "~1"), body);
    }

    @ParameterizedTest
    @CsvSource({
        "secretName, my-secret",
        "existingSecret, db-credentials-7f9c2d1e",
        "existingSecretPasswordKey, admin-password-1234",
        "tokenTTL, 3600",
        "token.expiry, 8760h0m0s1234",
        "password, short",
        "password, ${ADMIN_PASSWORD_FROM_VAULT}",
        "password, {{ .Values.global.password1 }}",
        "passwordFile, /etc/secrets/password-1",
        "password, /run/secrets/db1/password2",
        "secret, my-registry-pull-secret-7f9c2",
        "pullSecret, registry-pull-a1b2c3",
        "image.digest, sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        "token, sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        "tenantId, 123e4567-e89b-42d3-a456-426614174000",
        "checksum, 5f4dcc3b5aa765d61d8327deb882cf99",
        "keyId, alias/payments-2026",
        "url, https://user@example.com/x",
        "url, https://user:${PASSWORD}@example.com/x",
        "url, https://example.com:8443/a@b:c",
        "cert, -----BEGIN CERTIFICATE-----",
        "tokenReviewAudience, https://kubernetes.default.svc",
        "note, the api key is in the vault",
        "serviceAccountToken, projected-volume",
        "name, ghp_short",
        "monkey, x8Kq2mZp9LwR4tY7"
    })
    void noFalseAlarm(String key, String value) {
        ObjectNode body = StrictJson.object();
        body.putObject("patches").putObject("grafana").put(key, value);
        assertEquals(List.of(), SecretScan.scan(CLUSTER, body));
    }

    @ParameterizedTest
    @ValueSource(strings = {"labels", "annotations", "links", "values", "description", "reason"})
    void everyFreePlaceIsScanned(String place) {
        String secret = "gh" + "p_" + FILL.substring(0, 36);
        ObjectNode body = StrictJson.object();
        if (place.equals("description") || place.equals("reason")) {
            body.put(place, secret);
            assertFound("/" + place, body);
        } else {
            body.putObject(place).put("x", secret);
            assertFound("/" + place + "/x", body);
        }
    }

    @Test
    void layersOfEnvironmentsAndEntriesOfListsAreScanned() {
        ObjectNode body = StrictJson.read("""
                {"by_environment":{"prod":{"patches":{"kafka":{"env":[{"name":"DB_PASSWORD","value":"x8Kq2mZp9LwR"}]}}}},
                 "platform_components":[{"id":"a","reason":"see https://a:b4s1c@example.com"}]}""");
        assertEquals(
                List.of("/by_environment/prod/patches/kafka/env/0/value", "/platform_components/0/reason"),
                SecretScan.scan(CLUSTER, body).stream().map(Violation::pointer).toList());
    }

    @Test
    void fieldsThatNameSecretsAreNotSecrets() {
        ObjectNode component = HostileDocuments.sound(Types.PLATFORM_COMPONENT);
        component.put("pull_secret", "a1b2c3d4e5f6a7b8");
        assertEquals(
                List.of(),
                SecretScan.scan(
                        BuiltInTypes.catalog().named(Types.PLATFORM_COMPONENT).orElseThrow(), component));
    }

    @Test
    void aRunTimeTypeIsScannedAsAWhole() {
        TypeDefinition type = HostileDocuments.catalog().named("network_policy").orElseThrow();
        ObjectNode body = HostileDocuments.sound("network_policy").put("comment", "AKI" + "AIOSFODNN7EXAMPLE");
        assertEquals("/comment", SecretScan.scan(type, body).getFirst().pointer());
    }

    /** Work that grows with the square of the length would take hours here. */
    @ParameterizedTest
    @ValueSource(strings = {"eyJ", "a", "://", "hpc_", "-----BEGIN ", "x:y@", "://a:", "aQ~", "gl", "?sig="})
    void theCostOfALongTextGrowsWithItsLength(String piece) {
        ObjectNode body = StrictJson.object();
        body.put("description", piece.repeat(2 * 1024 * 1024 / piece.length()));
        Assertions.assertTimeoutPreemptively(Duration.ofMinutes(2), () -> SecretScan.scan(CLUSTER, body));
    }

    private static void assertFound(String pointer, ObjectNode body) {
        List<Violation> found = SecretScan.scan(CLUSTER, body);
        assertEquals(List.of(pointer), found.stream().map(Violation::pointer).toList());
        assertTrue(found.getFirst().fix().contains("secret_refs"));
        String value = body.at(pointer).stringValue();
        assertTrue(value.length() < 12 || !found.toString().contains(value), "the message repeats the secret");
    }

    private static String expand(String text) {
        int dollar = text.indexOf('$');
        if (dollar < 0) {
            return text;
        }
        String count = text.substring(dollar + 1).replaceAll("\\D.*", "");
        return text.substring(0, dollar)
                + FILL.substring(0, Integer.parseInt(count))
                + text.substring(dollar + 1 + count.length());
    }
}
