package dev.homeport.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestClient;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each operation with bodies and parameters that are wrong: a 4xx that says why, and nothing in the log. */
class BadRequestsTest extends AdminTest {
    private static final String SPEC =
            "{\"cluster_name\":\"new\",\"cluster_dns\":\"new.example.com\",\"environment\":\"dev\",\"owner\":\"a\"";

    @BeforeAll
    void build() {
        fleet.create("namespaces", "there", "{}").expect(201);
        fleet.cluster("there", "dev", "{\"namespaces\":[{\"id\":\"there\"}]}");
    }

    /** An operation and a body that it takes, in which {@code %} stands where a mutation goes. */
    private record Target(String method, String path, String type, String template) {}

    private static final List<Target> TARGETS = List.of(
            new Target("POST", "/api/v2/clusters", "application/json", "{\"id\":\"new\",\"spec\":" + SPEC + "%}}"),
            new Target("PUT", "/api/v2/namespaces/there", "application/json", "{\"spec\":{\"id\":\"there\"%}}"),
            new Target(
                    "PATCH",
                    "/api/v2/namespaces/there",
                    "application/merge-patch+json",
                    "{\"spec\":{\"id\":\"there\"%}}"),
            new Target(
                    "PATCH",
                    "/api/v2/namespaces/there",
                    "application/json-patch+json",
                    "[{\"op\":\"add\",\"path\":\"/spec\",\"value\":{\"id\":\"there\"%}}]"),
            new Target(
                    "POST",
                    "/api/v2/changes",
                    "application/json",
                    "{\"operations\":[{\"op\":\"put\",\"type\":\"namespace\",\"id\":\"there\",\"spec\":{\"id\":\"there\"%}}]}"),
            new Target(
                    "POST",
                    "/api/v2/changes",
                    "application/json",
                    "{\"operations\":[{\"op\":\"merge\",\"type\":\"namespace\",\"selector\":{\"ids\":[\"there\"]},"
                            + "\"patch\":{\"id\":\"there\"%}}]}"),
            new Target(
                    "POST",
                    "/api/v2/clusters/there:clone",
                    "application/json",
                    "{\"id\":\"new\",\"cluster_dns\":\"new.example.com\"%}"),
            new Target(
                    "POST",
                    "/api/v2/tokens",
                    "application/json",
                    "{\"spec\":{\"kind\":\"person\",\"subject\":\"x\"%}}"),
            new Target(
                    "POST",
                    "/api/v2/import",
                    "application/json",
                    "{\"homeport_export\":1,\"documents\":[{\"type\":\"namespace\",\"id\":\"there\",\"spec\":{\"id\":\"there\"%}}]}"),
            new Target(
                    "POST",
                    "/api/v2/types",
                    "application/json",
                    "{\"id\":\"thing\",\"spec\":{\"plural\":\"things\",\"schema\":{\"type\":\"object\"}%}}"));

    private static final List<String> MUTATIONS = List.of(
            ",\"labels\":7",
            ",\"labels\":{\"a\":{}}",
            ",\"labels\":[]",
            ",\"owner\":null",
            ",\"owner\":{}",
            ",\"surprise\":1",
            ",\"id\":\"again\"",
            ",\"ID\":\"x\"",
            ",\"owner\":\"\\u0000\"",
            ",\"owner\":\"\\ud800\"",
            ",\"owner\":\"\\u202eevil\"",
            ",\"owner\":\"\\uffff\"",
            ",\"owner\":\"" + "x".repeat(70_000) + "\"",
            ",\"owner\":\"" + "x".repeat(200) + "\"",
            ",\"owner\":1e999",
            ",\"owner\":123456789012345678901234567890",
            ",\"schema_version\":99",
            ",\"labels\":" + "{\"a\":".repeat(40) + "1" + "}".repeat(40),
            ",\"labels\":" + "[".repeat(3000) + "]".repeat(3000),
            ",\"__proto__\":{}",
            ",\"\":1",
            ",",
            "}",
            "\u0001");

    static Stream<Arguments> mutations() {
        return TARGETS.stream()
                .flatMap(target -> MUTATIONS.stream()
                        // In a merge, null removes a field, also a missing one.
                        .filter(mutation -> !mutation.contains("null")
                                || !target.template().contains("merge")
                                        && !target.type().contains("merge"))
                        .map(mutation -> Arguments.of(
                                target.method(),
                                target.path(),
                                target.type(),
                                target.template().replace("%", mutation))));
    }

    @ParameterizedTest
    @MethodSource("mutations")
    void aMutatedBodyIsRefused(String method, String path, String type, String body) {
        refused(method, path, body, Map.of("Content-Type", type, "If-Match", "*"));
    }

    static Stream<Arguments> others() {
        String cluster = "/api/v2/clusters/there";
        return Stream.of(
                Arguments.of("POST", "/api/v2/clusters", "", Map.of()),
                Arguments.of("POST", "/api/v2/clusters", "[]", Map.of()),
                Arguments.of("POST", "/api/v2/clusters", "null", Map.of()),
                Arguments.of("POST", "/api/v2/clusters", "{\"spec\":{}}", Map.of()),
                Arguments.of("POST", "/api/v2/clusters", "{\"id\":7,\"spec\":{}}", Map.of()),
                Arguments.of("POST", "/api/v2/clusters", "{\"id\":\"x\",\"spec\":[]}", Map.of()),
                Arguments.of("POST", "/api/v2/clusters", "{\"id\":\"x\",\"spek\":{}}", Map.of()),
                Arguments.of("POST", "/api/v2/clusters", "{\"type\":\"namespace\",\"id\":\"x\",\"spec\":{}}", Map.of()),
                Arguments.of(
                        "POST",
                        "/api/v2/namespaces",
                        "{\"id\":\"x\",\"spec\":{}}",
                        Map.of("Content-Type", "text/plain")),
                Arguments.of("POST", "/api/v2/namespaces?dryrun=true", "{\"id\":\"x\",\"spec\":{}}", Map.of()),
                Arguments.of("POST", "/api/v2/namespaces?dry_run=yes", "{\"id\":\"x\",\"spec\":{}}", Map.of()),
                Arguments.of(
                        "POST",
                        "/api/v2/namespaces?dry_run=false&dry_run=true",
                        "{\"id\":\"x\",\"spec\":{}}",
                        Map.of()),
                Arguments.of("POST", "/api/v2/namespaces?reason=%00", "{\"id\":\"x\",\"spec\":{}}", Map.of()),
                Arguments.of(
                        "POST",
                        "/api/v2/namespaces?reason=" + "x".repeat(2000),
                        "{\"id\":\"x\",\"spec\":{}}",
                        Map.of()),
                Arguments.of(
                        "POST", "/api/v2/namespaces", "{\"id\":\"x\",\"spec\":{}}", Map.of("Idempotency-Key", "a b")),
                Arguments.of("POST", "/api/v2/namespaces", "{\"id\":\"Not A Name\",\"spec\":{}}", Map.of()),
                Arguments.of("POST", "/api/v2/namespaces", "{\"id\":\"123\",\"spec\":{}}", Map.of()),
                Arguments.of("POST", "/api/v2/clusters", "{\"id\":\"true\",\"spec\":" + SPEC + "}}", Map.of()),
                Arguments.of("POST", "/api/v2/cluster-life", "{\"id\":\"x\",\"spec\":{}}", Map.of()),
                Arguments.of("POST", "/api/v2/me", "{}", Map.of()),
                Arguments.of("PUT", cluster, "{\"id\":\"other\",\"spec\":{}}", Map.of("If-Match", "*")),
                Arguments.of("PUT", cluster, "{\"spec\":{}}", Map.of("If-Match", "W/\"1-1\"")),
                Arguments.of(
                        "PATCH", cluster, "{\"owner\":\"x\"}", Map.of("Content-Type", "application/merge-patch+json")),
                Arguments.of(
                        "PATCH", cluster, "[{\"op\":\"copy\"}]", Map.of("Content-Type", "application/json-patch+json")),
                Arguments.of("PATCH", cluster, bomb(), Map.of("Content-Type", "application/json-patch+json")),
                Arguments.of("POST", "/api/v2/changes", "{}", Map.of()),
                Arguments.of("POST", "/api/v2/changes", "{\"operations\":[]}", Map.of()),
                Arguments.of("POST", "/api/v2/changes", "{\"operations\":[7]}", Map.of()),
                Arguments.of("POST", "/api/v2/changes", operation("\"op\":\"explode\",\"id\":\"there\""), Map.of()),
                Arguments.of("POST", "/api/v2/changes", operation("\"op\":\"delete\""), Map.of()),
                Arguments.of("POST", "/api/v2/changes", operation("\"op\":\"delete\",\"selector\":{}"), Map.of()),
                Arguments.of(
                        "POST",
                        "/api/v2/changes",
                        operation("\"op\":\"delete\",\"selector\":{\"filter\":\"ownr != x\"}"),
                        Map.of()),
                Arguments.of(
                        "POST",
                        "/api/v2/changes",
                        operation("\"op\":\"purge\",\"selector\":{\"ids\":[\"there\"]}"),
                        Map.of()),
                Arguments.of(
                        "POST",
                        "/api/v2/changes",
                        operation("\"op\":\"delete\",\"id\":\"there\",\"if_revision\":1"),
                        Map.of()),
                Arguments.of(
                        "POST",
                        "/api/v2/changes",
                        operation("\"op\":\"delete\",\"id\":\"there\",\"if_revision\":\"1\""),
                        Map.of()),
                Arguments.of("POST", cluster + ":decommission?at=tomorrow", "", Map.of()),
                Arguments.of("POST", cluster + ":pause", "{\"x\":1}", Map.of()),
                Arguments.of("POST", cluster + ":resume", "", Map.of()),
                Arguments.of("POST", cluster + ":purge?force=true", "", Map.of()),
                Arguments.of("POST", cluster + ":restore", "", Map.of()),
                Arguments.of("POST", cluster + ":restore?revision=99999", "", Map.of()),
                Arguments.of("POST", cluster + ":restore?revision=1", "", Map.of()),
                Arguments.of("POST", cluster + ":explode", "", Map.of()),
                Arguments.of("DELETE", "/api/v2/namespaces/there", "", Map.of("If-Match", "*")),
                Arguments.of("DELETE", "/api/v2/clusters/no-such", "", Map.of("If-Match", "*")),
                Arguments.of("GET", "/api/v2/clusters?filter=%ff", "", Map.of()),
                Arguments.of("GET", "/api/v2/clusters?label_selector=%28%28", "", Map.of()),
                Arguments.of("GET", "/api/v2/clusters?limit=1", "", Map.of()),
                Arguments.of("GET", cluster + "?as_of=-1", "", Map.of()),
                Arguments.of("GET", cluster + "/explain?type=clusters", "", Map.of()),
                Arguments.of("GET", "/api/v2/export?format=xml", "", Map.of()),
                Arguments.of("TRACE", "/api/v2/clusters", "", Map.of()),
                Arguments.of("GET", "/nothing/here", "", Map.of()));
    }

    /** Doubles itself with each step. */
    private static String bomb() {
        StringBuilder steps = new StringBuilder("[{\"op\":\"add\",\"path\":\"/spec/labels\",\"value\":{\"a\":\"b\"}}");
        for (int i = 0; i < 60; i++) {
            steps.append(",{\"op\":\"copy\",\"from\":\"/spec\",\"path\":\"/spec/l" + i + "\"}");
        }
        return steps.append("]").toString();
    }

    private static String operation(String fields) {
        return "{\"operations\":[{\"type\":\"cluster\"," + fields + "}]}";
    }

    @ParameterizedTest
    @MethodSource("others")
    void whatIsWrongIsSaid(String method, String path, String body, Map<String, String> headers) {
        refused(method, path, body, headers);
    }

    private void refused(String method, String path, String body, Map<String, String> headers) {
        long before = fleet.revision();
        TestClient.Answer answer = fleet.admin.send(method, path, body, headers);
        assertThat(answer.status()).as(answer.text()).isBetween(400, 499);
        if (!answer.text().isEmpty()) {
            assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
            assertThat(answer.at("/detail").asString("")).isNotEmpty();
            assertThat(answer.at("/next").asString("")).isNotEmpty();
            assertThat(answer.text()).doesNotContain("Exception").doesNotContain("\tat ");
        }
        assertThat(fleet.revision()).isEqualTo(before);
    }
}
