package dev.homeport.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.json.StrictJson;
import dev.homeport.server.TestClient;
import dev.homeport.server.TestServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A commit of many documents is read a page at a time, and what a caller sees of it is asked of many documents at once. */
class LargeHistoryTest {
    private static final int CLUSTERS = 450;

    @TempDir
    Path folder;

    private TestServer server;
    private Fleet fleet;
    private long made;

    @BeforeEach
    void start() {
        server = TestServer.in(folder);
        fleet = new Fleet(server);
        fleet.create("workspaces", "pay", "{}").expect(201);
        fleet.create("workspaces", "shop", "{}").expect(201);
        String creations = String.join(
                ",",
                IntStream.range(0, CLUSTERS)
                        .mapToObj(i -> "{\"op\":\"create\",\"type\":\"cluster\",\"id\":\"" + id(i) + "\",\"spec\":"
                                + Fleet.clusterSpec(
                                        id(i), "dev", "{\"workspace\":\"" + (i % 3 == 0 ? "pay" : "shop") + "\"}")
                                + "}")
                        .toList());
        fleet.change("{\"operations\":[" + creations + "]}").expect(201);
        made = fleet.revision();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static String id(int number) {
        return "c%03d".formatted(number);
    }

    private TestClient viewer() {
        fleet.create(
                        "access-grants",
                        "g1",
                        "{\"subject\":\"service:capi\",\"role\":\"viewer\",\"scope\":{\"workspace\":\"pay\"}}")
                .expect(201);
        return server.admin(fleet.token("{\"kind\":\"service\",\"subject\":\"capi\"}"));
    }

    private static List<String> all(TestClient client, long revision) {
        List<String> shown = new ArrayList<>();
        String token = "";
        do {
            TestClient.Answer page = client.get("/api/v2/changes/" + revision + "?page_size=70"
                            + (token.isEmpty() ? "" : "&page_token=" + token))
                    .expect(200);
            page.at("/changes").forEach(change -> shown.add(change.toString()));
            token = page.at("/next_page_token").asString("");
        } while (!token.isEmpty());
        return shown;
    }

    private static List<String> inLine(TestClient client, long revision) {
        for (String line : client.get("/api/v2/changes?format=jsonl&page_size=1000")
                .expect(200)
                .text()
                .split("\n", -1)) {
            JsonNode commit = line.isEmpty() ? StrictJson.object() : StrictJson.read(line);
            if (commit.path("revision").asLong() == revision) {
                List<String> shown = new ArrayList<>();
                commit.path("changes").forEach(change -> shown.add(change.toString()));
                return shown;
            }
        }
        throw new AssertionError("no line for change " + revision);
    }

    @Test
    void aViewerOfAWorkspaceGetsItsPartInPagesAndInALine() {
        TestClient viewer = viewer();
        List<String> seen = all(viewer, made);
        assertThat(seen).doesNotHaveDuplicates().allMatch(change -> change.contains("\"pay\"") || isLife(change));
        for (int i = 0; i < CLUSTERS; i++) {
            String named = "\"id\":\"" + id(i) + "\"";
            assertThat(seen.stream().anyMatch(change -> change.contains(named)))
                    .as(id(i))
                    .isEqualTo(i % 3 == 0);
        }
        assertThat(viewer.get("/api/v2/changes/" + made + "?page_size=1")
                        .at("/change_count")
                        .intValue())
                .isEqualTo(seen.size());
        assertThat(inLine(viewer, made)).isEqualTo(seen);
        assertThat(inLine(fleet.admin, made)).isEqualTo(all(fleet.admin, made)).hasSizeGreaterThan(seen.size());
    }

    private static boolean isLife(String change) {
        return change.contains("\"part\":\"status\"");
    }

    @Test
    void whatLeavesAWorkspaceIsSeenAsItWasBefore() {
        TestClient viewer = viewer();
        fleet.patch("/api/v2/clusters/c000", "{\"workspace\":\"shop\"}").expect(200);
        JsonNode change =
                viewer.get("/api/v2/changes/" + fleet.revision()).expect(200).at("/changes/0");
        assertThat(change.at("/before/workspace").asString()).isEqualTo("pay");
        assertThat(change.has("after")).isFalse();
    }

    /** Otherwise each of many readers would hold the whole commit. */
    @Test
    void aPageReadsThePayloadsThatItShows() throws Exception {
        server.stop();
        try (Connection connection = DriverManager.getConnection(
                        "jdbc:sqlite:" + server.data().resolve("homeport.db"));
                Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate("UPDATE changes SET payload = replace(payload, 'team-a', 'team-x')"
                            + " WHERE type = 'cluster' AND id = 'c400' AND revision = " + made))
                    .isEqualTo(1);
        }
        server.startAgain();
        fleet = new Fleet(server);
        JsonNode first = fleet.admin
                .get("/api/v2/changes/" + made + "?page_size=5")
                .expect(200)
                .json();
        assertThat(first.at("/changes").size()).isEqualTo(5);
        assertThat(first.at("/changes/0/after/owner").asString()).isEqualTo("team-a");
        assertThat(all(fleet.admin, made))
                .filteredOn(change -> change.contains("\"id\":\"c400\"") && !isLife(change))
                .singleElement()
                .asString()
                .contains("after_fault")
                .doesNotContain("team-x");
    }
}
