package dev.homeport.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestServer;
import dev.homeport.testing.Requirement;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The whole state out and in again. */
class ExportTest extends AdminTest {
    private static final List<String> TYPES = List.of("platform-components", "namespaces", "rolebindings", "links");

    private void build() {
        fleet.component("app", "{\"values\":{\"replicas\":1,\"text\":\"on\"},\"versions\":[{\"oci_tag\":\"v1.0.0\"}]}");
        fleet.component("db", "{\"stateful\":true}");
        fleet.create("namespaces", "apps", "{\"labels\":{\"team\":\"a\"}}").expect(201);
        fleet.create("types", "link", """
                {"plural":"links","schema":{"type":"object","properties":{"id":{"type":"string"},
                 "url":{"type":"string"}},"required":["id"],"additionalProperties":false}}""").expect(201);
        fleet.create("links", "wiki", "{\"url\":\"https://wiki.example.com\"}").expect(201);
        fleet.create("workspaces", "shop", "{\"platform_components\":[{\"id\":\"app\"}],\"owner\":\"shop\"}")
                .expect(201);
        fleet.cluster("w-a", "dev", "{\"workspace\":\"shop\",\"patches\":{\"app\":{\"replicas\":3}}}");
        fleet.cluster("w-b", "prod", "{\"workspace\":\"shop\",\"namespaces\":[{\"id\":\"apps\"}]}");
        fleet.cluster("w-paused", "dev", "{\"workspace\":\"shop\"}");
        fleet.cluster("w-leaving", "dev", "{\"workspace\":\"shop\",\"refs\":{\"links\":[{\"id\":\"wiki\"}]}}");
        fleet.cluster("w-gone", "dev", "{\"workspace\":\"shop\"}");
        fleet.cluster("w-emptied", "dev", "{\"namespaces\":[{\"id\":\"apps\"}]}");
        for (String cluster : List.of("w-a", "w-b", "w-paused", "w-leaving", "w-gone", "w-emptied")) {
            fleet.polled(cluster, "platform-components");
        }
        fleet.patch("/api/v2/clusters/w-emptied", "{\"namespaces\":[]}").expect(200);
        fleet.admin.post("/api/v2/clusters/w-paused:pause", "").expect(200);
        fleet.patch("/api/v2/platform-components/app", "{\"oci_tag\":\"v1.1.0\"}")
                .expect(200);
        fleet.confirmed("POST", "/api/v2/clusters/w-leaving:decommission", "", Map.of())
                .expect(200);
        fleet.confirmed("POST", "/api/v2/clusters/w-gone:detach", "", Map.of()).expect(200);
    }

    private static Map<String, String> digests(Fleet fleet) {
        Map<String, String> digests = new TreeMap<>();
        for (String cluster : List.of("w-a", "w-b", "w-paused", "w-leaving", "w-gone", "w-emptied")) {
            for (String type : TYPES) {
                var polled = fleet.poll(cluster, type);
                digests.put(cluster + " " + type, polled.status() + " " + polled.header("Homeport-Digest"));
            }
        }
        return digests;
    }

    @Test
    @Requirement("H9")
    @Requirement(value = "H7", part = "owners, versions and overrides are in the export")
    void aRoundTripGivesEqualAnswersAndAnEqualExport(@TempDir Path directory) {
        build();
        Map<String, String> before = digests(fleet);
        assertThat(before).containsEntry("w-gone namespaces", "410 ");
        var json = fleet.admin.get("/api/v2/export").expect(200);
        var yaml = fleet.admin.get("/api/v2/export?format=yaml").expect(200);
        assertThat(fleet.admin.get("/api/v2/export").bytes()).isEqualTo(json.bytes());
        inventory(json.at("/documents"));
        for (String form : List.of("application/json", "application/yaml")) {
            byte[] export = form.endsWith("json") ? json.bytes() : yaml.bytes();
            try (TestServer other = TestServer.in(directory.resolve(form.replace('/', '-')))) {
                Fleet copy = new Fleet(other);
                long start = copy.revision();
                copy.admin
                        .send("POST", "/api/v2/import?dry_run=true", export, Map.of("Content-Type", form))
                        .expect(200);
                assertThat(copy.revision()).isEqualTo(start);
                importing(copy, export, form, "/api/v2/import");
                assertThat(copy.revision()).isEqualTo(start + 1);
                assertThat(digests(copy)).isEqualTo(before);
                assertThat(copy.admin.get("/api/v2/export").bytes()).isEqualTo(json.bytes());
                assertThat(copy.admin.get("/api/v2/export?format=yaml").text()).isEqualTo(yaml.text());
                var again = importing(copy, export, form, "/api/v2/import?prune=true");
                assertThat(again.at("/unchanged").asBoolean()).isTrue();
            }
        }
    }

    private static dev.homeport.server.TestClient.Answer importing(
            Fleet fleet, byte[] export, String form, String path) {
        var first = fleet.admin.send("POST", path, export, Map.of("Content-Type", form));
        return first.status() == 409
                ? fleet.admin
                        .send(
                                "POST",
                                path,
                                export,
                                Map.of("Content-Type", form, "Homeport-Confirm", first.header("Homeport-Confirm")))
                        .expect(200)
                : first.expect(200);
    }

    /** Inventory, owners, versions and overrides, from the export alone. */
    private static void inventory(JsonNode documents) {
        JsonNode cluster = documents
                .valueStream()
                .filter(document -> document.path("id").asString().equals("w-a"))
                .findFirst()
                .orElseThrow();
        assertThat(cluster.at("/spec/owner").asString()).isEqualTo("team-a");
        assertThat(cluster.at("/spec/patches/app/replicas").asInt()).isEqualTo(3);
        assertThat(documents
                        .valueStream()
                        .filter(document -> document.path("type").asString().equals("platform_component"))
                        .map(document -> document.at("/spec/oci_tag").asString()))
                .contains("v1.1.0", "v1.0.0");
        assertThat(documents.valueStream().map(document -> document.path("type").asString()))
                .doesNotContain("token", "cluster_life");
    }

    @Test
    void anImportIsDoneWholeOrNotAtAllAndPointsAtWhatIsWrong() {
        long before = fleet.revision();
        String good = "{\"type\":\"namespace\",\"id\":\"imported\",\"spec\":{}}";
        String bad = "{\"type\":\"namespace\",\"id\":\"imported-2\",\"spec\":{\"labels\":7}}";
        var refused = fleet.admin
                .post("/api/v2/import", "{\"homeport_export\":1,\"documents\":[" + good + "," + bad + "]}")
                .expect(422);
        assertThat(refused.at("/errors/0/pointer").asString()).isEqualTo("/documents/1/spec/labels");
        fleet.admin
                .post("/api/v2/import", "{\"homeport_export\":1,\"documents\":[" + good + "," + good + "]}")
                .expect(422);
        fleet.admin.post("/api/v2/import", "{\"documents\":[]}").expect(422);
        String life = "{\"type\":\"cluster_life\",\"id\":\"x\",\"spec\":{}}";
        fleet.admin
                .post("/api/v2/import", "{\"homeport_export\":1,\"documents\":[" + life + "]}")
                .expect(422);
        assertThat(fleet.revision()).isEqualTo(before);
    }

    @Test
    void aFleetLargerThanABatchCanBeImported() {
        StringBuilder documents = new StringBuilder();
        String text = "x".repeat(4000);
        for (int i = 0; i < 2500; i++) {
            documents
                    .append("- {type: namespace, id: big-" + i + ", spec: {description: \"")
                    .append(text)
                    .append("\"}}\n");
        }
        String yaml = "homeport_export: 1\ndocuments:\n" + documents;
        fleet.admin
                .send("POST", "/api/v2/import?dry_run=true", yaml, Map.of("Content-Type", "application/yaml"))
                .expect(200);
        fleet.admin.send("POST", "/api/v2/changes", yaml, Map.of()).expect(413);
        fleet.admin
                .send("POST", "/api/v2/namespaces", "x".repeat(2_000_000), Map.of())
                .expect(413);
    }

    @Test
    void hostileYamlIsRefused() {
        long before = fleet.revision();
        String laughs = "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\ndocuments: [*b,*b,*b,*b]\n";
        for (String yaml : List.of(
                laughs,
                "homeport_export: 1\nhomeport_export: 1\ndocuments: []\n",
                "!!java.net.URL x",
                "homeport_export: 1\n---\nhomeport_export: 1\n",
                "[" + "[".repeat(5000),
                "homeport_export: .nan\ndocuments: []\n",
                "\u0000",
                "homeport_export: 1\ndocuments: 'x\n")) {
            int status = fleet.admin
                    .send("POST", "/api/v2/import", yaml, Map.of("Content-Type", "application/yaml"))
                    .status();
            assertThat(status).as(yaml).isBetween(400, 422);
        }
        assertThat(fleet.revision()).isEqualTo(before);
    }
}
