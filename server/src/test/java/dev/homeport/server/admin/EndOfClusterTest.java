package dev.homeport.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.json.StrictJson;
import dev.homeport.server.TestClient;
import dev.homeport.server.TestServer;
import dev.homeport.testing.OutsideIn;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** A pipeline that may not decommission a cluster cannot end it later either, by whichever path it comes. */
@OutsideIn
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EndOfClusterTest {
    private static final String WRITER = "a-shared-token-for-writing";
    private static final String ONE = "/api/v2/clusters/eu-prod";

    private Fleet fleet;
    private TestClient pipeline;
    private TestClient compat;
    private long withEnd;
    private long dropped;

    @BeforeAll
    void build(@TempDir Path directory) {
        fleet = new Fleet(TestServer.in(
                directory,
                Map.of("--mode", "crud", "--auth-token", "a-shared-token-for-reading", "--crud-auth-token", WRITER)));
        fleet.component("shop");
        fleet.cluster("eu-prod", "prod", "{\"platform_components\":[{\"id\":\"shop\"}],\"labels\":{\"only\":\"one\"}}");
        fleet.patch(ONE, "{\"expires_at\":\"2126-01-01T00:00:00Z\"}").expect(200);
        withEnd = fleet.revision();
        fleet.patch(ONE, "{\"expires_at\":null}").expect(200);
        dropped = fleet.revision();
        fleet.create(
                        "access-grants",
                        "ci",
                        "{\"subject\":\"service:ci\",\"role\":\"service\",\"scope\":{\"fleet\":true}}")
                .expect(201);
        pipeline = fleet.server.admin(fleet.token("{\"kind\":\"service\",\"subject\":\"ci\"}"));
        compat = fleet.server.admin(WRITER);
    }

    @AfterAll
    void stop() {
        fleet.server.close();
    }

    /** With the confirmation from the refusal: a caller who may plan may confirm. */
    private static int confirmed(
            TestClient client, String method, String path, String body, Map<String, String> headers) {
        Map<String, String> all = new TreeMap<>(headers);
        TestClient.Answer answer = client.send(method, path, body, all);
        if (answer.status() == 409 && !answer.header("Homeport-Confirm").isEmpty()) {
            all.put("Homeport-Confirm", answer.header("Homeport-Confirm"));
            answer = client.send(method, path, body, all);
        }
        return answer.status();
    }

    private void refused(TestClient client, String method, String path, String body, Map<String, String> headers) {
        assertThat(confirmed(client, method, path, body, headers))
                .as("%s %s %s", method, path, body)
                .isEqualTo(403);
        assertThat(fleet.admin.get(ONE).expect(200).at("/spec").has("expires_at"))
                .isFalse();
    }

    @Test
    void noPathSetsAnEnd() {
        String merge = "application/merge-patch+json";
        for (Instant at : List.of(Instant.now().plusSeconds(6), Instant.EPOCH)) {
            String end = at.truncatedTo(ChronoUnit.SECONDS).toString();
            String patch = "{\"expires_at\":\"" + end + "\"}";
            ObjectNode whole = (ObjectNode) fleet.admin.get(ONE).expect(200).at("/spec");
            whole.put("expires_at", end);
            String document = "{\"type\":\"cluster\",\"id\":\"eu-prod\",\"spec\":" + whole + "}";
            refused(pipeline, "PATCH", ONE, "{\"spec\":" + patch + "}", Map.of("Content-Type", merge));
            refused(
                    pipeline,
                    "PATCH",
                    ONE,
                    "[{\"op\":\"add\",\"path\":\"/spec/expires_at\",\"value\":\"" + end + "\"}]",
                    Map.of("Content-Type", "application/json-patch+json"));
            refused(pipeline, "PUT", ONE, "{\"spec\":" + whole + "}", Map.of("If-Match", fleet.etag(ONE)));
            for (String which : List.of(
                    "\"id\":\"eu-prod\"",
                    "\"selector\":{\"label_selector\":\"only=one\"}",
                    "\"selector\":{\"filter\":\"id=\\\"eu-prod\\\"\"}")) {
                refused(
                        pipeline,
                        "POST",
                        "/api/v2/changes",
                        "{\"operations\":[{\"op\":\"patch\",\"type\":\"cluster\"," + which + ",\"patch\":" + patch
                                + "}]}",
                        Map.of());
            }
            refused(
                    pipeline,
                    "POST",
                    "/api/v2/import",
                    "{\"homeport_export\":1,\"documents\":[" + document + "]}",
                    Map.of());
            refused(pipeline, "PUT", "/clusters/eu-prod", patch, Map.of());
            refused(compat, "PUT", "/clusters/eu-prod", patch, Map.of());
            refused(
                    pipeline,
                    "POST",
                    ONE + ":clone",
                    "{\"id\":\"copy\",\"cluster_dns\":\"copy.example.com\",\"expires_at\":\"" + end + "\"}",
                    Map.of());
        }
        refused(pipeline, "POST", ONE + ":restore?revision=" + withEnd, "", Map.of());
        refused(pipeline, "POST", "/api/v2/changes/" + dropped + ":revert", "", Map.of());
        refused(pipeline, "POST", ONE + ":decommission?at=2126-01-01T00:00:00Z", "", Map.of());
    }

    @Test
    void noPathLiftsProtectionOrChangesWhoTheClusterIs() {
        for (String patch : List.of("{\"protected\":false}", "{\"environment\":\"dev\"}", "{\"event_key\":2}")) {
            refused(pipeline, "PUT", "/clusters/eu-prod", patch, Map.of());
            refused(compat, "PUT", "/clusters/eu-prod", patch, Map.of());
            refused(
                    pipeline,
                    "PATCH",
                    ONE,
                    "{\"spec\":" + patch + "}",
                    Map.of("Content-Type", "application/merge-patch+json"));
        }
        refused(pipeline, "PUT", "/clusters/eu-prod", "{\"cluster_dns\":\"other.example.com\"}", Map.of());
        // What it is there for still works.
        assertThat(confirmed(compat, "PUT", "/clusters/eu-prod", "{\"cluster_name\":\"eu-prod-1\"}", Map.of()))
                .isEqualTo(200);
    }

    /** Whether one may is said like it is decided. */
    @Test
    void whoAsksIsToldTheSame() {
        ObjectNode spec = (ObjectNode) fleet.admin.get(ONE).expect(200).at("/spec");
        ObjectNode asked =
                StrictJson.object().put("verb", "update").put("type", "cluster").put("id", "eu-prod");
        asked.set("spec", spec.put("expires_at", "2126-01-01T00:00:00Z"));
        TestClient.Answer answer =
                pipeline.post("/api/v2/me:can", asked.toString()).expect(200);
        assertThat(answer.at("/allowed").booleanValue()).isFalse();
        assertThat(answer.at("/reason").asString("")).contains("expires_at").contains("decommission");
        assertThat(fleet.admin
                        .post("/api/v2/me:can", asked.toString())
                        .expect(200)
                        .at("/allowed")
                        .booleanValue())
                .isTrue();
    }
}
