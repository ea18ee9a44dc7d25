package dev.homeport.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.testing.Requirement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The steps of a cluster's life over HTTP. */
class LifecycleTest extends AdminTest {
    private static final List<String> TYPES = List.of("platform-components", "namespaces", "rolebindings");

    private void filled(String id) {
        fleet.component(id);
        fleet.create("namespaces", id, "{}").expect(201);
        fleet.cluster(
                id,
                "dev",
                "{\"platform_components\":[{\"id\":\"ID\"}],\"namespaces\":[{\"id\":\"ID\"}]}".replace("ID", id));
        TYPES.forEach(type -> fleet.polled(id, type));
    }

    @Test
    @Requirement("C2")
    void aClusterIsOneDocument() {
        fleet.admin.post("/api/v2/clusters", """
                        {"spec":{"id":"cattle","cluster_name":"cattle","cluster_dns":"cattle.k8s.example.com",
                         "environment":"dev","owner":"team-a"}}""").expect(201);
        assertThat(fleet.polled("cattle", "namespaces")).isEqualTo("{\"inputs\":[]}");
    }

    @Test
    @Requirement("C5")
    void afterADeleteEveryTypeIsAnsweredEmptyAndUnknownClustersStayUnknown() {
        filled("leaving");
        String path = "/api/v2/clusters/leaving";
        var deleted = fleet.confirmed("DELETE", path, "", Map.of("If-Match", fleet.etag(path)))
                .expect(200);
        assertThat(deleted.at("/status/phase").asString()).isEqualTo("leaving");
        for (String type : TYPES) {
            assertThat(fleet.polled("leaving", type)).isEqualTo("{\"inputs\":[]}");
            fleet.poll("never-was", type).expect(404);
        }
        var again = fleet.create("clusters", "leaving", Fleet.clusterSpec("leaving", "dev", "{}"))
                .expect(409);
        assertThat(again.at("/code").asString()).isEqualTo("tombstoned");
        fleet.confirmed("POST", path + ":undelete", "", Map.of()).expect(200);
        assertThat(fleet.polled("leaving", "namespaces")).contains("\"leaving\"");
        fleet.confirmed("POST", path + ":decommission", "", Map.of()).expect(200);
        fleet.admin.post(path + ":purge", "").expect(409);
        fleet.confirmed("POST", path + ":purge?force=true", "", Map.of()).expect(200);
        fleet.poll("leaving", "namespaces").expect(404);
        fleet.admin.get(path).expect(404);
    }

    @Test
    void aDetachedClusterIsGoneAndKeepsWhatItHas() {
        filled("detached");
        fleet.confirmed("POST", "/api/v2/clusters/detached:detach", "", Map.of())
                .expect(200);
        fleet.poll("detached", "namespaces").expect(410);
        assertThat(fleet.admin
                        .get("/api/v2/clusters/detached/payload/namespaces")
                        .expect(200)
                        .at("/poll_status")
                        .asInt())
                .isEqualTo(410);
    }

    @Test
    void aPausedClusterKeepsItsAnswersUntilItIsResumed() {
        filled("paused");
        String before = fleet.polled("paused", "platform-components");
        var paused = fleet.admin
                .post("/api/v2/clusters/paused:pause?reason=migration", "")
                .expect(200);
        assertThat(paused.at("/status/paused").asBoolean()).isTrue();
        assertThat(paused.at("/status/paused_reason").asString()).isEqualTo("migration");
        fleet.patch("/api/v2/platform-components/paused", "{\"oci_tag\":\"v2\"}")
                .expect(200);
        assertThat(fleet.polled("paused", "platform-components")).isEqualTo(before);
        fleet.admin.post("/api/v2/clusters/paused:pause", "").expect(409);
        fleet.confirmed("POST", "/api/v2/clusters/paused:resume", "", Map.of()).expect(200);
        assertThat(fleet.polled("paused", "platform-components")).contains("\"v2\"");
    }

    @Test
    void aCloneIsTheSameUnderOtherNames() {
        filled("origin");
        var cloned = fleet.admin
                .post(
                        "/api/v2/clusters/origin:clone",
                        "{\"id\":\"copy\",\"cluster_dns\":\"copy.k8s.example.com\",\"labels\":{\"made\":\"by-clone\"}}")
                .expect(201);
        assertThat(cloned.at("/spec/cluster_name").asString()).isEqualTo("copy");
        assertThat(cloned.header("Location")).isEqualTo("/api/v2/clusters/copy");
        assertThat(fleet.polled("copy", "namespaces").replace("copy", "origin"))
                .isEqualTo(fleet.polled("origin", "namespaces"));
        fleet.admin.post("/api/v2/clusters/origin:clone", "{\"id\":\"copy-2\"}").expect(422);
        fleet.admin
                .post("/api/v2/clusters/origin:clone", "{\"id\":\"copy-3\",\"cluster_dns\":\"copy.k8s.example.com\"}")
                .expect(409);
    }

    @Test
    void aGraceCanBeTakenBack() {
        filled("grace");
        var plan = fleet.admin
                .post("/api/v2/clusters/grace:decommission?at=2099-01-01T00:00:00Z&dry_run=true", "")
                .expect(200);
        assertThat(plan.at("/plan/clusters_changed").asInt()).isZero();
        assertThat(plan.at("/plan/later/0/from").asString()).isEqualTo("2099-01-01T00:00:00Z");
        assertThat(plan.at("/plan/later/0/groups/0/empties").asBoolean()).isTrue();
        assertThat(plan.at("/plan/later/0/groups/0/changes/0/change").asString())
                .isEqualTo("removed");
        var planned = fleet.confirmed(
                        "POST", "/api/v2/clusters/grace:decommission?at=2099-01-01T00:00:00Z", "", Map.of())
                .expect(200);
        assertThat(planned.at("/status/leaves_at").asString()).isEqualTo("2099-01-01T00:00:00Z");
        assertThat(fleet.polled("grace", "namespaces")).contains("grace");
        fleet.admin.post("/api/v2/clusters/grace:undelete", "").expect(200);
        fleet.admin
                .post("/api/v2/clusters/grace:decommission?at=2001-01-01T00:00:00Z", "")
                .expect(422);
        fleet.admin.post("/api/v2/clusters/no-such:pause", "").expect(404);
    }
}
