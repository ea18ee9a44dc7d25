package dev.homeport.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestClient;
import dev.homeport.testing.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Preconditions, patches, dry runs, retries and refusals. */
class WritingTest extends AdminTest {
    private static final Map<String, String> JSON_PATCH = Map.of("Content-Type", "application/json-patch+json");

    @Test
    @Requirement("B21")
    void ofTwoWritersWithTheSameVersionOneWinsAndNothingIsLost() throws Exception {
        fleet.create("namespaces", "race", "{\"labels\":{\"n\":\"0\"}}").expect(201);
        String etag = fleet.etag("/api/v2/namespaces/race");
        CountDownLatch start = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<TestClient.Answer>> answers = new ArrayList<>();
            for (int i = 1; i <= 8; i++) {
                String body = "{\"spec\":{\"labels\":{\"n\":\"" + i + "\"}}}";
                answers.add(threads.submit(() -> {
                    start.await();
                    return fleet.admin.put("/api/v2/namespaces/race", body, etag);
                }));
            }
            start.countDown();
            List<Integer> statuses = new ArrayList<>();
            String won = "";
            for (Future<TestClient.Answer> answer : answers) {
                statuses.add(answer.get().status());
                won = answer.get().status() == 200
                        ? answer.get().at("/spec/labels/n").asString()
                        : won;
            }
            assertThat(statuses).containsOnlyOnce(200);
            assertThat(statuses).allMatch(status -> status == 200 || status == 409 || status == 412);
            assertThat(fleet.admin
                            .get("/api/v2/namespaces/race")
                            .at("/spec/labels/n")
                            .asString())
                    .isEqualTo(won);
        }
    }

    @Test
    @Requirement("B22")
    void whatIsWrongIsRefusedAndMakesNoRevision() {
        fleet.create("namespaces", "known", "{}").expect(201);
        long before = fleet.revision();
        var unknown = fleet.create(
                        "clusters",
                        "bad",
                        Fleet.clusterSpec("bad", "dev", "{\"platform_components\":[{\"id\":\"nowhere\"}]}"))
                .expect(422);
        assertThat(unknown.at("/errors/0/pointer").asString()).isEqualTo("/spec/platform_components/0/id");
        assertThat(unknown.at("/errors/0/detail").asString()).contains("unknown platform component nowhere");
        var schema = fleet.create("clusters", "bad", Fleet.clusterSpec("bad", "dev", "{\"protected\":\"yes\"}"))
                .expect(422);
        assertThat(schema.at("/errors/0/pointer").asString()).isEqualTo("/spec/protected");
        assertThat(schema.header("Content-Type")).isEqualTo("application/problem+json");
        fleet.create("namespaces", "known", "{}").expect(409);
        fleet.create(
                        "clusters",
                        "bad",
                        Fleet.clusterSpec("bad", "dev", "{\"namespaces\":[{\"id\":\"known\"},{\"id\":\"known\"}]}"))
                .expect(422);
        assertThat(fleet.revision()).isEqualTo(before);
        var attempts = fleet.admin.get("/api/v2/changes?refused=true").expect(200);
        assertThat(attempts.at("/items/0/status").asInt()).isEqualTo(422);
        assertThat(attempts.at("/items/0/actor").asString()).isEqualTo("person:admin");
        assertThat(attempts.at("/items/0/path").asString()).isEqualTo("/api/v2/clusters");
    }

    @Test
    void aDocumentIsReadChangedAndRemovedUnderItsVersion() {
        fleet.create("namespaces", "life", "{\"description\":\"one\"}").expect(201);
        String path = "/api/v2/namespaces/life";
        var shown = fleet.admin.get(path).expect(200);
        String etag = shown.header("ETag");
        assertThat(etag).isEqualTo("\"" + shown.at("/meta/epoch") + "-" + shown.at("/meta/revision") + "\"");
        assertThat(fleet.admin
                        .send("GET", path, "", Map.of("If-None-Match", etag))
                        .status())
                .isEqualTo(304);
        fleet.admin.send("PUT", path, "{\"spec\":{}}", Map.of()).expect(428);
        fleet.admin.send("DELETE", path, "", Map.of()).expect(428);
        fleet.admin.put(path, "{\"spec\":{}}", "\"9-9\"").expect(412);
        // What GET shows can be sent back as it is.
        var same = fleet.admin.put(path, shown.text(), etag).expect(200);
        assertThat(same.header("ETag")).isEqualTo(etag);
        var changed = fleet.admin
                .put(path, "{\"spec\":{\"description\":\"two\"}}", etag)
                .expect(200);
        assertThat(changed.header("ETag")).isNotEqualTo(etag);
        fleet.admin.put(path, "{\"spec\":{}}", etag).expect(412);
        fleet.admin.delete(path, etag).expect(412);
        fleet.admin.delete(path, changed.header("ETag")).expect(200);
        fleet.admin.get(path).expect(404);
        fleet.admin.put(path, "{\"spec\":{}}", "*").expect(404);
        fleet.admin
                .send("PUT", path, "{\"spec\":{}}", Map.of("If-None-Match", "*"))
                .expect(201);
    }

    @Test
    void tagsMethodsAndEscapesAreReadAsHttpSays() {
        fleet.create("namespaces", "spelled", "{}").expect(201);
        String path = "/api/v2/namespaces/spelled";
        String etag = fleet.admin.get(path).expect(200).header("ETag");
        for (String seen : List.of("W/" + etag, "\"1-1\", W/" + etag, "*")) {
            var same = fleet.admin
                    .send("GET", path, "", Map.of("If-None-Match", seen))
                    .expect(304);
            assertThat(same.header("ETag")).isEqualTo(etag);
            assertThat(same.header("Content-Length")).isEmpty();
        }
        fleet.admin.send("GET", path, "", Map.of("If-None-Match", "W/\"1-1\"")).expect(200);
        // A weak tag promises less than a write needs.
        fleet.admin.put(path, "{\"spec\":{}}", "W/" + etag).expect(412);
        assertThat(fleet.admin.send("OPTIONS", path, "", Map.of()).expect(405).header("Allow"))
                .isEqualTo("DELETE, GET, HEAD, PATCH, PUT");
        assertThat(fleet.admin.send("HEAD", path, "", Map.of()).expect(200).header("ETag"))
                .isEqualTo(etag);
        assertThat(fleet.admin.get("/api/v2/%6Eamespaces/%73pelled").expect(200).header("ETag"))
                .isEqualTo(etag);
        fleet.admin.get("/api/v2/namespaces%2Fspelled").expect(404);
        fleet.admin.get("/api/v2/namespaces/x/%2e%2e/spelled").expect(404);
    }

    @Test
    void bothKindsOfPatchChangeASpecInPlace() {
        fleet.create("namespaces", "patched", "{\"labels\":{\"a\":\"1\",\"b\":\"2\"},\"description\":\"x\"}")
                .expect(201);
        String path = "/api/v2/namespaces/patched";
        fleet.admin
                .patch(path, "{\"spec\":{\"labels\":{\"a\":null,\"c\":\"3\"}}}")
                .expect(200);
        assertThat(fleet.admin.get(path).at("/spec/labels").toString()).isEqualTo("{\"b\":\"2\",\"c\":\"3\"}");
        fleet.admin.send("PATCH", path, """
                        [{"op":"test","path":"/spec/labels/b","value":"2"},
                         {"op":"move","from":"/spec/labels/b","path":"/spec/labels/d"},
                         {"op":"copy","from":"/spec/labels/c","path":"/spec/labels/e"},
                         {"op":"replace","path":"/spec/description","value":"y"},
                         {"op":"add","path":"/spec/annotations","value":{"n":"m"}},
                         {"op":"remove","path":"/spec/labels/c"}]""", JSON_PATCH).expect(200);
        var shown = fleet.admin.get(path);
        assertThat(shown.at("/spec/labels").toString()).isEqualTo("{\"d\":\"2\",\"e\":\"3\"}");
        assertThat(shown.at("/spec/description").asString()).isEqualTo("y");
        long before = fleet.revision();
        fleet.admin
                .send("PATCH", path, "[{\"op\":\"test\",\"path\":\"/spec/description\",\"value\":\"z\"}]", JSON_PATCH)
                .expect(409);
        fleet.admin
                .send("PATCH", path, "[{\"op\":\"remove\",\"path\":\"/meta\"}]", JSON_PATCH)
                .expect(422);
        fleet.admin
                .send("PATCH", path, "[{\"op\":\"remove\",\"path\":\"/spec/nothing\"}]", JSON_PATCH)
                .expect(422);
        fleet.admin
                .send("PATCH", path, "{}", Map.of("Content-Type", "application/json"))
                .expect(415);
        assertThat(fleet.revision()).isEqualTo(before);
    }

    @Test
    void aDryRunShowsThePlanAndItsConfirmationIsTaken() {
        fleet.create("namespaces", "planned", "{}").expect(201);
        fleet.cluster("planned", "prod", "{\"namespaces\":[{\"id\":\"planned\"}]}");
        long before = fleet.revision();
        String patch = "{\"spec\":{\"namespaces\":[]}}";
        Map<String, String> merge = Map.of("Content-Type", "application/merge-patch+json");
        var plan = fleet.admin
                .send("PATCH", "/api/v2/clusters/planned?dry_run=true", patch, merge)
                .expect(200);
        assertThat(plan.at("/plan/guards").size()).isPositive();
        assertThat(fleet.revision()).isEqualTo(before);
        var refused = fleet.admin
                .send("PATCH", "/api/v2/clusters/planned", patch, merge)
                .expect(409);
        assertThat(refused.at("/code").asString()).isEqualTo("confirmation_required");
        assertThat(refused.at("/plan/hash").asString())
                .isEqualTo(plan.at("/plan/hash").asString());
        var wrong = fleet.admin.send("PATCH", "/api/v2/clusters/planned?confirmation=1.2.3", patch, merge);
        wrong.expect(409);
        fleet.admin
                .send(
                        "PATCH",
                        "/api/v2/clusters/planned?confirmation="
                                + plan.at("/confirmation").asString(),
                        patch,
                        merge)
                .expect(200);
        assertThat(fleet.revision()).isEqualTo(before + 1);
        assertThat(fleet.polled("planned", "namespaces")).isEqualTo("{\"inputs\":[]}");
    }

    @Test
    void aRetryWithTheSameKeyIsAnsweredLikeTheFirstTime() {
        Map<String, String> key = Map.of("Idempotency-Key", "k-1");
        String body = "{\"id\":\"retried\",\"spec\":{}}";
        var first = fleet.admin.send("POST", "/api/v2/namespaces", body, key).expect(201);
        var again = fleet.admin.send("POST", "/api/v2/namespaces", body, key).expect(201);
        assertThat(again.header("Homeport-Revision")).isEqualTo(first.header("Homeport-Revision"));
        assertThat(again.at("/meta")).isEqualTo(first.at("/meta"));
        var other = fleet.admin
                .send("POST", "/api/v2/namespaces", "{\"id\":\"other\",\"spec\":{}}", key)
                .expect(409);
        assertThat(other.at("/code").asString()).isEqualTo("idempotency_mismatch");
    }

    @Test
    void aFreezeRefusesAndAHotfixWithAReasonPasses() {
        fleet.component("frozen");
        fleet.cluster("frozen", "dev", "{\"platform_components\":[{\"id\":\"frozen\"}]}");
        fleet.create("freezes", "quiet", "{\"scope\":{\"cluster\":\"frozen\"},\"reason\":\"audit week\"}")
                .expect(201);
        String patch = "{\"patches\":{\"frozen\":{\"a\":1}}}";
        assertThat(fleet.patch("/api/v2/clusters/frozen", patch).expect(409).text())
                .contains("quiet")
                .contains("audit week");
        fleet.patch("/api/v2/clusters/frozen?hotfix=true", patch).expect(422);
        fleet.patch("/api/v2/clusters/frozen?hotfix=true&reason=outage", patch).expect(200);
        fleet.admin.delete("/api/v2/freezes/quiet", "*").expect(200);
    }

    @Test
    void aTypeOfOnesOwnWorksLikeAnyOther() {
        fleet.create("types", "dashboard", """
                {"plural":"dashboards","schema":{"type":"object","properties":{"id":{"type":"string"},
                 "title":{"type":"string"}},"required":["id","title"],"additionalProperties":false}}""").expect(201);
        assertThat(fleet.admin
                        .get("/api/v2/types")
                        .expect(200)
                        .at("/items")
                        .valueStream()
                        .map(type -> type.path("plural").asString()))
                .contains("dashboards", "clusters", "tokens")
                .doesNotContain("cluster-life");
        fleet.create("types", "dashboard_too", "{\"plural\":\"dashboards\",\"schema\":{\"type\":\"object\"}}")
                .expect(422);
        fleet.create("dashboards", "traffic", "{\"title\":\"Traffic\"}").expect(201);
        fleet.create("dashboards", "empty", "{}").expect(422);
        fleet.cluster("dashed", "dev", "{\"refs\":{\"dashboards\":[{\"id\":\"traffic\"}]}}");
        assertThat(fleet.input("dashed", "dashboards", "traffic").path("title").asString())
                .isEqualTo("Traffic");
        fleet.admin.get("/api/v2/cluster-life").expect(404);
        fleet.admin.get("/api/v2/cluster-life/dashed").expect(404);
    }
}
