package dev.homeport.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestClient;
import dev.homeport.testing.Requirement;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who may do what with which token. */
class TokenTest extends AdminTest {
    @Test
    @Requirement(value = "E1", part = "some operations with one token")
    void oneTokenIsEnoughForEverything() {
        String token = fleet.token("{\"kind\":\"person\",\"subject\":\"operator\",\"access\":\"admin\"}");
        TestClient operator = fleet.server.admin(token);
        assertThat(operator.get("/api/v2/me").expect(200).at("/actor").asString())
                .isEqualTo("person:operator");
        operator.post("/api/v2/namespaces", "{\"id\":\"by-token\",\"spec\":{}}").expect(201);
        operator.post(
                        "/api/v2/clusters",
                        "{\"id\":\"by-token\",\"spec\":"
                                + Fleet.clusterSpec("by-token", "dev", "{\"namespaces\":[{\"id\":\"by-token\"}]}")
                                + "}")
                .expect(201);
        operator.get("/api/v2/clusters/by-token/explain").expect(200);
        operator.get("/api/v2/export").expect(200);
        operator.post("/api/v2/clusters/by-token:pause", "").expect(200);
        operator.post("/api/v2/clusters/by-token:resume", "").expect(200);
    }

    @Test
    @Requirement("E3")
    void aTokenIsRotatedWithAnOverlap() throws Exception {
        fleet.cluster("rotated", "dev", "{}");
        var made = fleet.admin
                .post("/api/v2/tokens", "{\"spec\":{\"kind\":\"cluster\",\"subject\":\"rotated\",\"label\":\"main\"}}")
                .expect(201);
        String old = made.at("/token").asString();
        String id = made.at("/id").asString();
        String path = "/api/v2/flux/clusters/" + Fleet.dns("rotated") + "/namespaces";
        fleet.server.poll(old).get(path).expect(200);
        var rotated = fleet.admin
                .post("/api/v2/tokens/" + id + ":rotate", "{\"overlap_seconds\":4}")
                .expect(201);
        String fresh = rotated.at("/token").asString();
        assertThat(rotated.at("/spec/label").asString()).isEqualTo("main");
        fleet.server.poll(fresh).get(path).expect(200);
        fleet.server.poll(old).get(path).expect(200);
        var shown = fleet.admin.get("/api/v2/tokens/" + id).expect(200);
        assertThat(shown.at("/status/last_used_at").asString("")).isNotEmpty();
        assertThat(shown.at("/spec/expires_at").asString("")).isNotEmpty();
        assertThat(shown.text()).doesNotContain("hash");
        // At most two live during a rotation.
        fleet.admin
                .post("/api/v2/tokens", "{\"spec\":{\"kind\":\"cluster\",\"subject\":\"rotated\"}}")
                .expect(409);
        Instant end = Instant.parse(shown.at("/spec/expires_at").asString());
        while (fleet.server.poll(old).get(path).status() == 200) {
            assertThat(Instant.now()).as("the old one still works").isBefore(end.plusSeconds(30));
            Thread.sleep(100);
        }
        assertThat(Instant.now()).as("not before it ends").isAfterOrEqualTo(end);
        fleet.server.poll(old).get(path).expect(401);
        fleet.server.poll(fresh).get(path).expect(200);
        fleet.admin
                .send("DELETE", "/api/v2/tokens/" + rotated.at("/id").asString(), "", Map.of())
                .expect(200);
        fleet.server.poll(fresh).get(path).expect(401);
    }

    @Test
    @Requirement("E4")
    void aReadTokenCannotWriteAndAClustersTokenCannotReadTheAdminPlane() {
        fleet.cluster("reading", "dev", "{}");
        TestClient reader =
                fleet.server.admin(fleet.token("{\"kind\":\"person\",\"subject\":\"auditor\",\"access\":\"reader\"}"));
        TestClient cluster = fleet.server.admin(fleet.token("{\"kind\":\"cluster\",\"subject\":\"reading\"}"));
        long before = fleet.revision();
        reader.get("/api/v2/clusters").expect(200);
        reader.post("/api/v2/namespaces", "{\"id\":\"no\",\"spec\":{}}").expect(422);
        reader.post("/api/v2/namespaces", "{\"id\":\"nope\",\"spec\":{}}").expect(403);
        reader.patch("/api/v2/clusters/reading", "{\"spec\":{\"owner\":\"me\"}}")
                .expect(403);
        reader.post("/api/v2/clusters/reading:pause", "").expect(403);
        reader.post("/api/v2/tokens", "{\"spec\":{\"kind\":\"person\",\"subject\":\"x\",\"access\":\"admin\"}}")
                .expect(403);
        reader.get("/api/v2/export?tokens=true").expect(403);
        for (String path : new String[] {"/api/v2/clusters", "/api/v2/changes", "/api/v2/export", "/api/v2/tokens"}) {
            cluster.get(path).expect(403);
        }
        cluster.post("/api/v2/namespaces", "{\"id\":\"nope\",\"spec\":{}}").expect(403);
        assertThat(cluster.get("/api/v2/me").expect(200).at("/cluster").asString())
                .isEqualTo("reading");
        fleet.server.admin("").get("/api/v2/clusters").expect(401);
        fleet.server.admin("hpp_wrong").get("/api/v2/clusters").expect(401);
        assertThat(fleet.revision()).isEqualTo(before);
        assertThat(fleet.admin.get("/api/v2/changes?refused=true").text()).contains("cluster:reading");
    }

    @Test
    void aTokenDoesNotOutliveItsCluster() {
        fleet.cluster("reborn", "dev", "{}");
        String token = fleet.token("{\"kind\":\"cluster\",\"subject\":\"reborn\"}");
        String path = "/api/v2/flux/clusters/" + Fleet.dns("reborn") + "/namespaces";
        fleet.server.poll(token).get(path).expect(200);
        fleet.confirmed("POST", "/api/v2/clusters/reborn:decommission", "", Map.of())
                .expect(200);
        fleet.server.poll(token).get(path).expect(200);
        fleet.confirmed("POST", "/api/v2/clusters/reborn:purge?force=true", "", Map.of())
                .expect(200);
        fleet.server.poll(token).get(path).expect(401);
        fleet.cluster("reborn", "dev", "{}");
        fleet.server.poll(token).get(path).expect(401);
    }

    @Test
    void aTokenIsShownOnceAndItsHashNever() {
        fleet.cluster("hashed", "dev", "{}");
        var made = fleet.admin
                .post("/api/v2/tokens", "{\"spec\":{\"kind\":\"cluster\",\"subject\":\"hashed\"}}")
                .expect(201);
        String token = made.at("/token").asString();
        String revision = made.header("Homeport-Revision");
        for (String path : new String[] {
            "/api/v2/tokens",
            "/api/v2/tokens/" + made.at("/id").asString(),
            "/api/v2/changes/" + revision,
            "/api/v2/changes?format=jsonl",
            "/api/v2/export"
        }) {
            assertThat(fleet.admin.get(path).expect(200).text())
                    .doesNotContain(token)
                    .doesNotContain("\"hash\":\"" + "x")
                    .doesNotContainPattern("\"spec\":\\{[^}]*\"hash\"");
        }
        assertThat(fleet.admin.get("/api/v2/export?tokens=true").expect(200).text())
                .contains("\"hash\"");
    }

    @Test
    void tokensAreWrittenThroughTheirOwnOperationsAlone() {
        long before = fleet.revision();
        fleet.admin
                .post("/api/v2/tokens", "{\"spec\":{\"kind\":\"cluster\",\"subject\":\"nowhere\"}}")
                .expect(422);
        fleet.admin
                .post("/api/v2/tokens", "{\"spec\":{\"kind\":\"join\",\"subject\":\"x\"}}")
                .expect(422);
        fleet.admin
                .post("/api/v2/tokens", "{\"spec\":{\"kind\":\"person\",\"subject\":\"x\",\"hash\":\"00\"}}")
                .expect(422);
        fleet.admin
                .post(
                        "/api/v2/tokens",
                        "{\"spec\":{\"kind\":\"person\",\"subject\":\"x\",\"expires_at\":\"2001-01-01T00:00:00Z\"}}")
                .expect(422);
        fleet.admin.put("/api/v2/tokens/t1", "{\"spec\":{}}", "*").expect(405);
        fleet.admin.patch("/api/v2/tokens/t1", "{\"spec\":{}}").expect(405);
        fleet.admin
                .post("/api/v2/changes", "{\"operations\":[{\"op\":\"delete\",\"type\":\"token\",\"id\":\"t1\"}]}")
                .expect(422);
        fleet.admin.send("DELETE", "/api/v2/tokens/t1", "", Map.of()).expect(404);
        fleet.admin.post("/api/v2/tokens/t1:rotate", "").expect(404);
        assertThat(fleet.revision()).isEqualTo(before);
    }
}
