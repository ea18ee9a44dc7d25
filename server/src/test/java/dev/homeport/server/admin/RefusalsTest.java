package dev.homeport.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What was wanted and not done is recorded, and what is seen of tokens outlives the process. */
class RefusalsTest extends AdminTest {

    @Test
    void strangersAreRecordedAndHideNobody() {
        fleet.admin
                .post("/api/v2/namespaces", "{\"id\":\"Bad Name\",\"spec\":{}}")
                .expect(422);
        TestClient stranger = fleet.server.admin("hpp_nobody_knows");
        stranger.post("/api/v2/namespaces", "{\"id\":\"x\",\"spec\":{}}").expect(401);
        stranger.get("/api/v2/clusters/secret-name").expect(401);
        fleet.server
                .poll("hpc_nobody_knows")
                .get("/api/v2/flux/clusters/some.example.com/namespaces")
                .expect(401);
        int told = 0;
        for (int i = 0; i < 60; i++) {
            int status = stranger.get("/api/v2/clusters").status();
            assertThat(status).isIn(401, 429);
            told += status == 401 ? 1 : 0;
        }
        List<JsonNode> all = refused("");
        assertThat(all)
                .extracting(one ->
                        one.path("status").asInt() + " " + one.path("path").asString())
                .contains(
                        "422 /api/v2/namespaces",
                        "401 /api/v2/namespaces",
                        "401 /api/v2/clusters/secret-name",
                        "401 /api/v2/flux/clusters/some.example.com/namespaces");
        // Fifty a minute get this answer, and no more than those are recorded, so that many guesses do not slow the
        // server down.
        assertThat(told).as("guesses that were answered 401").isLessThan(60);
        assertThat(all).filteredOn(one -> one.path("status").asInt() == 401).hasSize(told + 3);
        assertThat(all.toString()).doesNotContain("nobody_knows");
        assertThat(refused("&text=secret-name")).hasSize(1);
        assertThat(refused("&until=2020-01-01T00:00:00Z")).isEmpty();
        assertThat(refused("&actor=" + all.getLast().path("actor").asString().replace(":", "%3A")))
                .isNotEmpty();
        fleet.admin.get("/api/v2/changes?refused=true&cluster=x").expect(422);
        assertThat(fleet.admin
                        .get("/api/v2/changes?refused=true&format=jsonl&text=secret-name")
                        .expect(200)
                        .text())
                .endsWith("}\n");
    }

    private List<JsonNode> refused(String more) {
        List<JsonNode> all = new ArrayList<>();
        String token = "";
        do {
            var page = fleet.admin
                    .get("/api/v2/changes?refused=true&page_size=7" + more
                            + (token.isEmpty() ? "" : "&page_token=" + token))
                    .expect(200);
            page.at("/items").forEach(all::add);
            token = page.at("/next_page_token").asString("");
        } while (!token.isEmpty());
        return all;
    }

    @Test
    void theLastUseOfATokenAndWhatWasRefusedOutliveARestart() {
        fleet.cluster("used", "dev", "{}");
        String token = fleet.token("{\"kind\":\"cluster\",\"subject\":\"used\",\"label\":\"lasting\"}");
        fleet.server
                .poll(token)
                .get("/api/v2/flux/clusters/" + Fleet.dns("used") + "/namespaces")
                .expect(200);
        fleet.admin
                .send("DELETE", "/api/v2/clusters/was-refused", "", Map.of("If-Match", "*"))
                .expect(404);
        String used = lastUse();
        assertThat(used).isNotEmpty();
        fleet.server.stop();
        fleet.server.startAgain();
        fleet = new Fleet(fleet.server);
        for (int i = 0;
                i < 50 && (lastUse().isEmpty() || refused("&text=was-refused").isEmpty());
                i++) {
            pause();
        }
        assertThat(lastUse().substring(0, 16)).isEqualTo(used.substring(0, 16));
        assertThat(refused("&text=was-refused")).hasSize(1);
    }

    private String lastUse() {
        for (JsonNode one : fleet.admin.get("/api/v2/tokens").expect(200).at("/items")) {
            if (one.at("/spec/label").asString("").equals("lasting")) {
                return one.at("/status/last_used_at").asString("");
            }
        }
        throw new AssertionError("the token is gone");
    }

    private static void pause() {
        try {
            Thread.sleep(200);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
