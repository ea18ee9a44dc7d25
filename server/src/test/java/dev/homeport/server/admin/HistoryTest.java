package dev.homeport.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.json.StrictJson;
import dev.homeport.server.TestClient;
import dev.homeport.testing.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Everything that was, who did it, and the way back. */
class HistoryTest extends AdminTest {
    @Test
    @Requirement({"D7", "E6"})
    void oneCallBringsBackTheBodiesOfAnEarlierRevision() {
        fleet.component("back");
        fleet.cluster("back", "dev", "{\"platform_components\":[{\"id\":\"back\"}]}");
        String first = fleet.polled("back", "platform-components");
        String digest = fleet.poll("back", "platform-components").header("Homeport-Digest");
        long made = fleet.revision();
        var changed = fleet.patch("/api/v2/platform-components/back?reason=upgrade", "{\"oci_tag\":\"v2\"}")
                .expect(200);
        String second = fleet.polled("back", "platform-components");
        assertThat(second).isNotEqualTo(first);
        var reverted = fleet.confirmed(
                        "POST",
                        "/api/v2/changes/" + changed.header("Homeport-Revision") + ":revert?reason=rollback",
                        "",
                        Map.of())
                .expect(201);
        assertThat(fleet.polled("back", "platform-components")).isEqualTo(first);
        assertThat(fleet.poll("back", "platform-components").header("Homeport-Digest"))
                .isEqualTo(digest);
        assertThat(fleet.admin
                        .get("/api/v2/changes/" + reverted.header("Homeport-Revision"))
                        .at("/marks/reverts")
                        .asString())
                .isEqualTo(changed.header("Homeport-Revision"));
        assertThat(fleet.admin
                        .get("/api/v2/clusters/back/payload/platform-components?raw=true&as_of="
                                + changed.header("Homeport-Revision"))
                        .expect(200)
                        .text())
                .isEqualTo(second);
        fleet.patch("/api/v2/clusters/back", "{\"owner\":\"team-z\",\"patches\":{\"back\":{\"x\":1}}}")
                .expect(200);
        fleet.confirmed("POST", "/api/v2/clusters/back:restore?revision=" + made, "", Map.of())
                .expect(200);
        assertThat(fleet.polled("back", "platform-components")).isEqualTo(first);
        assertThat(fleet.admin.get("/api/v2/clusters/back").at("/spec/owner").asString())
                .isEqualTo("team-a");
    }

    @Test
    @Requirement("E6")
    void everyRevisionOfADocumentCanBeReadByNumberAndByTime() {
        fleet.create("namespaces", "past", "{\"description\":\"v0\"}").expect(201);
        String path = "/api/v2/namespaces/past";
        for (int i = 1; i <= 3; i++) {
            fleet.patch(path, "{\"description\":\"v" + i + "\"}").expect(200);
        }
        JsonNode revisions = fleet.admin.get(path + "/revisions").expect(200).at("/items");
        assertThat(revisions.size()).isEqualTo(4);
        for (int i = 0; i < 4; i++) {
            JsonNode commit = revisions.get(3 - i);
            assertThat(fleet.admin
                            .get(path + "?as_of=" + commit.path("revision"))
                            .at("/spec/description")
                            .asString())
                    .isEqualTo("v" + i);
            assertThat(fleet.admin
                            .get(path + "?as_of=" + commit.path("at").asString())
                            .at("/spec/description")
                            .asString())
                    .isEqualTo("v" + i);
            assertThat(fleet.admin
                            .get("/api/v2/namespaces?filter=id%20%3D%20past&as_of=" + commit.path("revision"))
                            .at("/items/0/spec/description")
                            .asString())
                    .isEqualTo("v" + i);
        }
        var page = fleet.admin.get(path + "/revisions?page_size=3").expect(200);
        assertThat(fleet.admin
                        .get(path + "/revisions?page_size=3&page_token="
                                + page.at("/next_page_token").asString())
                        .at("/items")
                        .size())
                .isEqualTo(1);
        fleet.admin.get(path + "?as_of=1").expect(404);
        fleet.admin.get(path + "?as_of=0").expect(410);
        fleet.admin.get(path + "?as_of=2001-01-01T00:00:00Z").expect(410);
        fleet.admin.get(path + "?as_of=999999").expect(422);
        fleet.admin.get(path + "?as_of=2999-01-01T00:00:00Z").expect(422);
        fleet.admin.get(path + "?as_of=yesterday").expect(422);
        fleet.admin.get("/api/v2/namespaces/never/revisions").expect(404);
    }

    @Test
    @Requirement("E5")
    void oneQueryTellsWhoChangedWhatOnTwoHundredClusters() {
        String service = fleet.token("{\"kind\":\"service\",\"subject\":\"pipeline\",\"access\":\"admin\"}");
        StringBuilder operations = new StringBuilder();
        for (int i = 0; i < 200; i++) {
            operations
                    .append(i == 0 ? "" : ",")
                    .append("{\"op\":\"create\",\"type\":\"cluster\",\"id\":\"audit-" + i + "\",\"spec\":")
                    .append(Fleet.clusterSpec("audit-" + i, "dev", "{\"labels\":{\"group\":\"audit\"}}"))
                    .append("}");
        }
        fleet.change("{\"operations\":[" + operations + "]}").expect(201);
        fleet.server.admin(service).post("/api/v2/changes", """
                        {"reason":"new owner","operations":[{"op":"patch","type":"cluster",
                         "selector":{"filter":"labels.group = audit"},"patch":{"owner":"team-b"}}]}""").expect(201);
        var lines = fleet.admin
                .get("/api/v2/changes?format=jsonl&actor=service:pipeline&text=OWNER&cluster=audit-7")
                .expect(200);
        assertThat(lines.header("Content-Type")).isEqualTo("application/jsonl");
        assertThat(lines.text().lines()).hasSize(1);
        JsonNode commit = StrictJson.read(lines.text());
        assertThat(commit.path("actor").asString()).isEqualTo("service:pipeline");
        assertThat(commit.path("at").asString()).isNotEmpty();
        assertThat(commit.path("changes").size()).isEqualTo(200);
        assertThat(commit.path("changes").valueStream()).allSatisfy(change -> {
            assertThat(change.at("/before/owner").asString()).isEqualTo("team-a");
            assertThat(change.at("/after/owner").asString()).isEqualTo("team-b");
        });
        var paged = fleet.admin
                .get("/api/v2/changes/" + commit.path("revision") + "?page_size=150")
                .expect(200);
        assertThat(paged.at("/changes").size()).isEqualTo(150);
        assertThat(fleet.admin
                        .get("/api/v2/changes/" + commit.path("revision") + "?page_token="
                                + paged.at("/next_page_token").asString())
                        .at("/changes")
                        .size())
                .isEqualTo(50);
    }

    @Test
    void theAuditIsSearchedByTypeIdTimeAndPage() {
        fleet.create("namespaces", "searched", "{}").expect(201);
        fleet.patch("/api/v2/namespaces/searched?reason=Second%20step", "{\"description\":\"x\"}")
                .expect(200);
        assertThat(items("?type=namespaces&id=searched")).isEqualTo(2);
        assertThat(items("?type=namespace&id=searched&text=second%20STEP")).isEqualTo(1);
        assertThat(items("?type=cluster&id=searched")).isZero();
        assertThat(items("?id=searched&since=2001-01-01T00:00:00Z&until=2099-01-01T00:00:00Z"))
                .isEqualTo(2);
        assertThat(items("?until=2001-01-01T00:00:00Z")).isZero();
        var page = fleet.admin.get("/api/v2/changes?page_size=1&id=searched").expect(200);
        assertThat(items(
                        "?id=searched&page_token=" + page.at("/next_page_token").asString()))
                .isEqualTo(1);
        fleet.admin.get("/api/v2/changes?since=yesterday").expect(422);
        fleet.admin.get("/api/v2/changes?page_token=%21").expect(422);
        fleet.admin.get("/api/v2/changes/0").expect(404);
        fleet.admin.get("/api/v2/changes/ch-1").expect(200);
        fleet.admin.get("/api/v2/changes/first").expect(404);
    }

    private int items(String query) {
        return fleet.admin
                .get("/api/v2/changes" + query)
                .expect(200)
                .at("/items")
                .size();
    }

    @Test
    void aRevertOfWhatWasChangedAgainIsAConflict() {
        fleet.create("namespaces", "twice", "{\"description\":\"a\"}").expect(201);
        var first = fleet.patch("/api/v2/namespaces/twice", "{\"description\":\"b\"}")
                .expect(200);
        fleet.patch("/api/v2/namespaces/twice", "{\"description\":\"c\"}").expect(200);
        var refused = fleet.admin
                .post("/api/v2/changes/" + first.header("Homeport-Revision") + ":revert", "")
                .expect(409);
        assertThat(refused.at("/involved/0").asString()).isEqualTo("namespace/twice/description");
        fleet.admin.post("/api/v2/changes/123456789:revert", "").expect(404);
    }

    @Test
    void whatHappensToAClustersLifeIsInTheAuditToo() {
        fleet.cluster("audited", "dev", "{}");
        var paused = fleet.admin
                .post("/api/v2/clusters/audited:pause?reason=look", "")
                .expect(200);
        JsonNode change = fleet.admin
                .get("/api/v2/changes/" + paused.header("Homeport-Revision"))
                .expect(200)
                .at("/changes/0");
        assertThat(change.path("type").asString()).isEqualTo("cluster");
        assertThat(change.path("part").asString()).isEqualTo("status");
        assertThat(change.at("/after/paused").asBoolean()).isTrue();
    }

    @Test
    void theChangesOfAClusterAreThoseThatReachItThroughSharedDocumentsToo() {
        fleet.component("reached");
        fleet.component("not-reached");
        fleet.cluster("own", "dev", "{\"platform_components\":[{\"id\":\"reached\"}]}");
        fleet.cluster("neighbour", "dev", "{\"platform_components\":[{\"id\":\"not-reached\"}]}");
        List<Long> expected = new ArrayList<>();
        expected.add(revisionOf("/api/v2/clusters/own"));
        expected.add(committed(fleet.patch("/api/v2/platform-components/reached", "{\"oci_tag\":\"v2.0.0\"}")));
        fleet.patch("/api/v2/platform-components/not-reached", "{\"oci_tag\":\"v2.0.0\"}")
                .expect(200);
        fleet.patch("/api/v2/platform-components/reached", "{\"description\":\"says nothing to a cluster\"}")
                .expect(200);
        fleet.patch("/api/v2/clusters/neighbour", "{\"owner\":\"team-b\"}").expect(200);
        expected.add(committed(fleet.patch("/api/v2/environments/dev", "{\"patches\":{\"reached\":{\"n\":1}}}")));
        expected.add(committed(fleet.patch("/api/v2/clusters/own", "{\"description\":\"no answer changes\"}")));
        List<Long> found = new ArrayList<>();
        String token = "";
        do {
            var page = fleet.admin
                    .get("/api/v2/changes?cluster=own&page_size=2" + (token.isEmpty() ? "" : "&page_token=" + token))
                    .expect(200);
            page.at("/items")
                    .forEach(item -> found.addFirst(item.get("revision").longValue()));
            token = page.at("/next_page_token").asString("");
        } while (!token.isEmpty());
        assertThat(found).isEqualTo(expected);
        assertThat(fleet.admin
                        .get("/api/v2/changes?cluster=own&format=jsonl")
                        .expect(200)
                        .text()
                        .lines())
                .hasSize(4);
    }

    private long revisionOf(String path) {
        return fleet.admin.get(path).expect(200).at("/meta/revision").longValue();
    }

    private static long committed(TestClient.Answer answer) {
        return Long.parseLong(answer.expect(200).header("Homeport-Revision"));
    }
}
