package dev.homeport.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.json.StrictJson;
import dev.homeport.server.TestClient;
import dev.homeport.server.TestServer;
import dev.homeport.testing.OutsideIn;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Ways to shrink or empty an answer without naming what goes. Each test has its own server. */
@OutsideIn
class NeverWipeTest {
    private static final String COMPONENTS = "platform-components";
    private static final String PATH = "/api/v2/clusters/lab";

    private Fleet fleet;

    @BeforeEach
    void start(@TempDir Path directory) {
        fleet = new Fleet(TestServer.in(directory));
        fleet.component("app");
        fleet.cluster("lab", "dev", "{\"platform_components\":[{\"id\":\"app\"}]}");
        fleet.polled("lab", COMPONENTS);
    }

    @AfterEach
    void stop() {
        fleet.server.close();
    }

    private void asked(TestClient.Answer answer) {
        answer.expect(409);
        assertThat(answer.at("/code").asString()).isEqualTo("confirmation_required");
        assertThat(fleet.polled("lab", COMPONENTS)).contains("\"app\"");
    }

    @Test
    void aSelectorThatMatchesOneClusterIsAskedFor() {
        String operation = "{\"operations\":[{\"op\":\"patch\",\"type\":\"cluster\",%s,"
                + "\"patch\":{\"platform_components\":[]}}]}";
        asked(fleet.admin.post(
                "/api/v2/changes", operation.formatted("\"selector\":{\"filter\":\"environment:dev\"}")));
        asked(fleet.admin.post("/api/v2/changes", operation.formatted("\"selector\":{\"ids\":[\"lab\"]}")));
        fleet.admin
                .post("/api/v2/changes", operation.formatted("\"id\":\"lab\""))
                .expect(201);
    }

    @Test
    void anImportThatPrunesIsAskedFor() {
        ObjectNode export = fleet.admin.get("/api/v2/export").expect(200).json();
        ArrayNode documents = (ArrayNode) export.get("documents");
        for (int i = documents.size() - 1; i >= 0; i--) {
            if (documents.get(i).path("type").asString("").equals("cluster")) {
                documents.remove(i);
            }
        }
        asked(fleet.admin.post("/api/v2/import?prune=true", export.toString()));
    }

    @Test
    void anImportOfOneDocumentIsAskedFor() {
        ObjectNode export = StrictJson.read("{\"homeport_export\":1}");
        ObjectNode document =
                export.putArray("documents").addObject().put("type", "cluster").put("id", "lab");
        document.set("spec", StrictJson.read(Fleet.clusterSpec("lab", "dev", "{\"id\":\"lab\"}")));
        asked(fleet.admin.post("/api/v2/import", export.toString()));
    }

    @Test
    void aRevertAndARestoreAreAskedFor() {
        long creation = fleet.revision();
        asked(fleet.admin.post("/api/v2/changes/" + creation + ":revert", ""));
        fleet.patch(PATH, "{\"platform_components\":[]}").expect(200);
        long empty = fleet.revision();
        fleet.patch(PATH, "{\"platform_components\":[{\"id\":\"app\"}]}").expect(200);
        asked(fleet.admin.post(PATH + ":restore?revision=" + empty, ""));
    }

    @Test
    void namesOfAPurgedDetachedClusterAreAskedFor() {
        fleet.confirmed("POST", PATH + ":detach", "", Map.of()).expect(200);
        fleet.confirmed("POST", PATH + ":purge", "", Map.of()).expect(200);
        fleet.poll("lab", COMPONENTS).expect(404);
        var again = fleet.create("clusters", "lab", Fleet.clusterSpec("lab", "dev", "{}"));
        again.expect(409);
        assertThat(again.at("/code").asString()).isEqualTo("confirmation_required");
        fleet.poll("lab", COMPONENTS).expect(404);
    }

    @Test
    void aClusterThatPolledStaysKnownWhenTheObservedStoreIsLost() throws IOException {
        fleet.server.stop();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(fleet.server.data(), "observed.db*")) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
        fleet.server.startAgain();
        fleet = new Fleet(fleet.server);
        var deleted = fleet.confirmed("DELETE", PATH, "", Map.of("If-Match", fleet.etag(PATH)))
                .expect(200);
        assertThat(deleted.at("/status/phase").asString()).isEqualTo("leaving");
        assertThat(fleet.polled("lab", COMPONENTS)).isEqualTo("{\"inputs\":[]}");
        // A cluster that is younger than the new observed store, and did not poll, still goes at once.
        fleet.cluster("young", "dev", "{}");
        String young = "/api/v2/clusters/young";
        fleet.admin.delete(young, fleet.etag(young)).expect(200);
        fleet.admin.get(young).expect(404);
    }

    @Test
    void aRecordThatCannotBeReadIsRepaired() throws SQLException {
        String before = fleet.polled("lab", COMPONENTS);
        fleet.server.stop();
        sql("UPDATE documents SET body = replace(body, '{', '{ ') WHERE type = 'cluster_life' AND id = 'lab'");
        fleet.server.startAgain();
        fleet = new Fleet(fleet.server);
        fleet.poll("lab", COMPONENTS).expect(503);
        fleet.patch(PATH, "{\"description\":\"Another.\"}").expect(409);
        fleet.confirmed("POST", PATH + ":repair", "", Map.of()).expect(200);
        assertThat(fleet.polled("lab", COMPONENTS)).isEqualTo(before);
        fleet.admin.post(PATH + ":repair", "").expect(409);
    }

    @Test
    void aWriterThatWasReplacedSaysSo() throws SQLException {
        sql("UPDATE head SET fence = fence + 1");
        var refused = fleet.create("namespaces", "apps", "{}").expect(503);
        assertThat(refused.at("/detail").asString()).contains("another process has become the writer");
        assertThat(refused.at("/next").asString()).contains("the server that writes now");
    }

    private void sql(String statement) throws SQLException {
        try (var connection = DriverManager.getConnection(
                        "jdbc:sqlite:" + fleet.server.data().resolve("homeport.db"));
                var update = connection.createStatement()) {
            assertThat(update.executeUpdate(statement)).isEqualTo(1);
        }
    }
}
