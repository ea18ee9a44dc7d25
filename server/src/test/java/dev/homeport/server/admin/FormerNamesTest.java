package dev.homeport.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestClient;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A name is used again: who holds rights on the new workspace or cluster sees nothing of the old one. */
class FormerNamesTest extends AdminTest {
    private static final String SECRET = "not-for-newcomers";

    private long former;
    private long moved;
    private TestClient newcomer;
    private TestClient guest;

    @BeforeAll
    void build() {
        fleet.component("shop");
        fleet.create("workspaces", "payments", "{\"owner\": \"" + SECRET + "\"}")
                .expect(201);
        fleet.create("workspaces", "other", "{}").expect(201);
        fleet.cluster("c1", "dev", "{\"workspace\": \"payments\", \"owner\": \"" + SECRET + "\"}");
        fleet.create(
                        "access-grants",
                        "old-grant",
                        "{\"subject\": \"person:" + SECRET + "\", \"role\": \"viewer\","
                                + " \"scope\": {\"workspace\": \"payments\"}}")
                .expect(201);
        fleet.patch("/api/v2/clusters/c1", "{\"labels\": {\"team\": \"" + SECRET + "\"}}")
                .expect(200);
        former = fleet.revision();
        fleet.admin.delete("/api/v2/clusters/c1", "*").expect(200);
        fleet.admin.delete("/api/v2/workspaces/payments", "*").expect(200);

        fleet.create("workspaces", "payments", "{}").expect(201);
        fleet.cluster("c1", "dev", "{\"workspace\": \"payments\"}");
        fleet.cluster("c2", "dev", "{\"workspace\": \"other\", \"owner\": \"" + SECRET + "\"}");
        fleet.patch("/api/v2/clusters/c2", "{\"workspace\": \"payments\", \"owner\": \"team-a\"}")
                .expect(200);
        moved = fleet.revision();
        newcomer = holder("newcomer", "workspace-admin", "{\"workspace\": \"payments\"}");
        guest = holder("guest", "cluster-admin", "{\"cluster\": \"c2\"}");
    }

    private TestClient holder(String name, String role, String scope) {
        fleet.create(
                        "access-grants",
                        name,
                        "{\"subject\": \"person:" + name + "\", \"role\": \"" + role + "\", \"scope\": " + scope + "}")
                .expect(201);
        return fleet.server.admin(fleet.token("{\"kind\":\"person\",\"subject\":\"" + name + "\"}"));
    }

    @Test
    void theFormerOnesAreNotThereInThePast() {
        for (String path : List.of("/workspaces/payments", "/clusters/c1", "/access-grants/old-grant")) {
            fleet.admin.get("/api/v2" + path + "?as_of=" + former).expect(200);
            newcomer.get("/api/v2" + path + "?as_of=" + former).expect(404);
        }
        for (String path : List.of("/workspaces", "/clusters", "/access-grants", "/export")) {
            for (TestClient client : List.of(newcomer, guest)) {
                assertThat(client.get("/api/v2" + path + "?as_of=" + former).text())
                        .doesNotContain(SECRET);
            }
        }
        newcomer.get("/api/v2/clusters/c1/explain?as_of=" + former).expect(404);
        newcomer.get("/api/v2/clusters/c1/payload/platform-components?as_of=" + former)
                .expect(404);
        newcomer.get("/api/v2/clusters/c1/diff?as_of=" + former).expect(404);
        newcomer.get("/api/v2/access-grants/old-grant").expect(404);
        newcomer.get("/api/v2/clusters/c1").expect(200);
    }

    @Test
    void theirChangesAreNotThereEither() {
        for (long revision = 1; revision <= former + 2; revision++) {
            assertThat(newcomer.get("/api/v2/changes/" + revision).text()).doesNotContain(SECRET);
        }
        newcomer.get("/api/v2/changes/" + former).expect(404);
        newcomer.post("/api/v2/changes/" + former + ":revert?dry_run=true", "").expect(404);
        for (String query : List.of(
                "page_size=1000",
                "page_size=1000&format=jsonl",
                "page_size=1000&type=clusters&id=c1",
                "page_size=1000&cluster=c1")) {
            String all = newcomer.get("/api/v2/changes?" + query).expect(200).text();
            assertThat(all).doesNotContain(SECRET).doesNotContainPattern("\"revision\":" + former + "[,}]");
            assertThat(fleet.admin.get("/api/v2/changes?" + query).expect(200).text())
                    .containsPattern("\"revision\":" + former + "[,}]");
        }
        assertThat(newcomer.get("/api/v2/clusters/c1/revisions").expect(200).at("/items"))
                .hasSize(1);
        newcomer.send(
                        "POST",
                        "/api/v2/clusters/c1:restore?revision=" + former + "&dry_run=true",
                        "",
                        java.util.Map.of())
                .expect(404);
        newcomer.send(
                        "POST",
                        "/api/v2/workspaces/payments:restore?revision=" + former + "&dry_run=true",
                        "",
                        java.util.Map.of())
                .expect(404);
    }

    /** A right on one cluster is a right in the workspace that it is in. */
    @Test
    void aClusterShowsNothingOfTheWorkspaceThatItWasIn() {
        guest.get("/api/v2/clusters/c2").expect(200);
        guest.get("/api/v2/clusters/c2?as_of=" + moved).expect(200);
        fleet.admin.get("/api/v2/clusters/c2?as_of=" + (moved - 1)).expect(200);
        guest.get("/api/v2/clusters/c2?as_of=" + (moved - 1)).expect(404);
        assertThat(guest.get("/api/v2/changes?page_size=1000&format=jsonl&cluster=c2")
                        .expect(200)
                        .text())
                .contains("team-a")
                .doesNotContain(SECRET);
        assertThat(guest.get("/api/v2/changes/" + moved).expect(200).text()).doesNotContain(SECRET);
    }
}
