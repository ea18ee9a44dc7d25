package dev.homeport.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.testing.Requirement;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What is written on the admin plane is in the answers of clusters. */
class AnswersTest extends AdminTest {
    private static final int MOST_BYTES = 900 * 1024;

    @Test
    @Requirement({"A1", "A2", "A3", "A4"})
    void aClusterGetsExactlyWhatIsAssignedToIt() {
        for (int i = 0; i < 50; i++) {
            fleet.component("catalog-" + i);
        }
        fleet.create("namespaces", "exact-ns", "{\"labels\":{\"team\":\"a\"}}").expect(201);
        fleet.create(
                        "rolebindings",
                        "exact-rb",
                        "{\"role\":\"view\",\"subjects\":[{\"kind\":\"Group\",\"name\":\"devs\"}]}")
                .expect(201);
        fleet.cluster("exact", "qa", """
                {"platform_components":[{"id":"catalog-1"},{"id":"catalog-7"},{"id":"catalog-23"},{"id":"catalog-31"},
                 {"id":"catalog-49"}],"namespaces":[{"id":"exact-ns"}],"rolebindings":[{"id":"exact-rb"}]}""");
        assertThat(ids("exact", "platform-components"))
                .containsExactly("catalog-1", "catalog-23", "catalog-31", "catalog-49", "catalog-7");
        assertThat(ids("exact", "namespaces")).containsExactly("exact-ns");
        assertThat(ids("exact", "rolebindings")).containsExactly("exact-rb");
        for (String plural : List.of("platform-components", "namespaces", "rolebindings")) {
            var answer = fleet.poll("exact", plural).expect(200);
            assertThat(answer.bytes().length).isLessThan(MOST_BYTES);
            JsonNode inputs = answer.at("/inputs");
            assertThat(inputs.isArray()).isTrue();
            Set<String> seen = new HashSet<>();
            for (JsonNode input : inputs) {
                assertThat(input.path("id").isString()).isTrue();
                assertThat(seen.add(input.path("id").stringValue())).isTrue();
                assertThat(input.at("/cluster/name").asString()).isEqualTo("exact");
                assertThat(input.at("/cluster/dns").asString()).isEqualTo(Fleet.dns("exact"));
                assertThat(input.at("/cluster/environment").asString()).isEqualTo("qa");
            }
        }
    }

    @Test
    @Requirement(value = "A9", part = "a damaged document of the cluster itself")
    void aBrokenDocumentHoldsItsClusterAlone() throws Exception {
        fleet.component("nine");
        fleet.create("namespaces", "nine-ns", "{}").expect(201);
        for (String id : List.of("nine-a", "nine-b", "nine-c")) {
            fleet.cluster(
                    id, "dev", "{\"platform_components\":[{\"id\":\"nine\"}],\"namespaces\":[{\"id\":\"nine-ns\"}]}");
        }
        List<String> before = bodies("nine-a", "nine-c");
        String own = fleet.token("{\"kind\":\"cluster\",\"subject\":\"nine-b\"}");
        String other = fleet.token("{\"kind\":\"cluster\",\"subject\":\"nine-a\"}");
        fleet.server.stop();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + database());
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(
                    "UPDATE documents SET body = replace(body, 'team-a', 'team-x') WHERE type = 'cluster' AND id = 'nine-b'");
        }
        fleet.server.startAgain();
        fleet = new Fleet(fleet.server);
        assertThat(fleet.poll("nine-b", "platform-components").status()).isEqualTo(503);
        assertThat(fleet.server
                        .poll(own)
                        .get("/api/v2/flux/clusters/" + Fleet.dns("nine-b") + "/namespaces")
                        .status())
                .isEqualTo(503);
        assertThat(fleet.server
                        .poll(other)
                        .get("/api/v2/flux/clusters/" + Fleet.dns("nine-b") + "/namespaces")
                        .status())
                .isEqualTo(404);
        assertThat(bodies("nine-a", "nine-c")).isEqualTo(before);
        var shown = fleet.admin.get("/api/v2/clusters/nine-b").expect(200);
        assertThat(shown.at("/status/fault").asString("")).isNotEmpty();
        assertThat(shown.json().has("spec")).isFalse();
        fleet.admin
                .get("/api/v2/clusters?filter=environment%20%3D%20dev&counts=true")
                .expect(200);
        fleet.patch("/api/v2/clusters/nine-b", "{\"owner\":\"team-b\"}").expect(409);
        fleet.confirmed(
                        "POST",
                        "/api/v2/clusters/nine-b:restore?revision=" + shown.at("/meta/revision"),
                        "",
                        java.util.Map.of())
                .expect(200);
        assertThat(fleet.poll("nine-b", "platform-components").status()).isEqualTo(200);
    }

    private String database() throws java.io.IOException {
        try (var files = java.nio.file.Files.list(fleet.server.data())) {
            return files.map(java.nio.file.Path::toString)
                    .filter(name -> name.endsWith(".db") && !name.endsWith("observed.db"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private List<String> bodies(String... clusters) {
        return java.util.Arrays.stream(clusters)
                .flatMap(id -> java.util.stream.Stream.of(
                        fleet.polled(id, "platform-components"), fleet.polled(id, "namespaces")))
                .toList();
    }

    private List<String> ids(String cluster, String plural) {
        return fleet.poll(cluster, plural)
                .expect(200)
                .at("/inputs")
                .valueStream()
                .map(input -> input.path("id").asString())
                .toList();
    }

    @Test
    @Requirement("B12")
    void theEnvironmentIsAppendedToThePathWhereTheCatalogSaysSo() {
        fleet.component(
                "cert-manager", "{\"component_path\":\"core/cert-manager/1.14.0\",\"cluster_env_enabled\":true}");
        fleet.cluster("twelve", "prod", "{\"platform_components\":[{\"id\":\"cert-manager\"}]}");
        assertThat(fleet.input("twelve", "platform-components", "cert-manager")
                        .path("resolved_path")
                        .asString())
                .isEqualTo("core/cert-manager/1.14.0/prod");
    }

    @Test
    @Requirement("B16")
    void equalDataGivesEqualBodiesApartFromTheClusterBlock() {
        fleet.component("sixteen", "{\"values\":{\"a\":1}}");
        String layer = "{\"platform_components\":[{\"id\":\"sixteen\"}],\"patches\":{\"sixteen\":{\"b\":2}}}";
        fleet.cluster("sixteen-a", "dev", layer);
        fleet.cluster("sixteen-b", "dev", layer);
        String one = fleet.polled("sixteen-a", "platform-components").replace("sixteen-a", "X");
        assertThat(one)
                .isEqualTo(fleet.polled("sixteen-b", "platform-components").replace("sixteen-b", "X"));
        assertThat(one).contains("\"a\":1").contains("\"b\":2");
    }

    @Test
    @Requirement("B20")
    void editingADefinitionChangesAllThatReferToItAndOnlyThose() {
        fleet.create("namespaces", "twenty", "{\"labels\":{\"tier\":\"one\"},\"annotations\":{\"contact\":\"a\"}}")
                .expect(201);
        fleet.create("namespaces", "twenty-other", "{}").expect(201);
        fleet.create(
                        "rolebindings",
                        "twenty-rb",
                        "{\"role\":\"view\",\"subjects\":[{\"kind\":\"User\",\"name\":\"jo\"}]}")
                .expect(201);
        fleet.cluster(
                "twenty-a", "dev", "{\"namespaces\":[{\"id\":\"twenty\"}],\"rolebindings\":[{\"id\":\"twenty-rb\"}]}");
        fleet.cluster("twenty-b", "dev", "{\"namespaces\":[{\"id\":\"twenty\"}]}");
        fleet.cluster("twenty-c", "dev", "{\"namespaces\":[{\"id\":\"twenty-other\"}]}");
        String before = fleet.polled("twenty-c", "namespaces");
        fleet.patch("/api/v2/namespaces/twenty", "{\"labels\":{\"tier\":\"two\"}}")
                .expect(200);
        fleet.patch(
                        "/api/v2/rolebindings/twenty-rb",
                        "{\"subjects\":[{\"kind\":\"User\",\"name\":\"jo\"},{\"kind\":\"Group\",\"name\":\"ops\"}]}")
                .expect(200);
        for (String id : List.of("twenty-a", "twenty-b")) {
            JsonNode input = fleet.input(id, "namespaces", "twenty");
            assertThat(input.at("/labels/tier").asString()).isEqualTo("two");
            assertThat(input.at("/annotations/contact").asString()).isEqualTo("a");
        }
        assertThat(fleet.input("twenty-a", "rolebindings", "twenty-rb")
                        .at("/subjects/1/name")
                        .asString())
                .isEqualTo("ops");
        assertThat(fleet.polled("twenty-c", "namespaces")).isEqualTo(before);
    }

    @Test
    @Requirement("H11")
    void aNamespaceChangeLeavesTheComponentsDigestAlone() {
        fleet.component("eleven");
        fleet.create("namespaces", "eleven-ns", "{}").expect(201);
        fleet.cluster(
                "eleven",
                "dev",
                "{\"platform_components\":[{\"id\":\"eleven\"}],\"namespaces\":[{\"id\":\"eleven-ns\"}]}");
        String components = fleet.poll("eleven", "platform-components").header("Homeport-Digest");
        String namespaces = fleet.poll("eleven", "namespaces").header("Homeport-Digest");
        fleet.patch("/api/v2/namespaces/eleven-ns", "{\"labels\":{\"a\":\"b\"}}")
                .expect(200);
        assertThat(fleet.poll("eleven", "platform-components").header("Homeport-Digest"))
                .isEqualTo(components);
        assertThat(fleet.poll("eleven", "namespaces").header("Homeport-Digest")).isNotEqualTo(namespaces);
    }

    @Test
    void thePayloadIsExactlyWhatIsPolledWithItsBudget() {
        fleet.component("exactly");
        fleet.cluster("payload", "dev", "{\"platform_components\":[{\"id\":\"exactly\"}],\"input_limit\":50}");
        for (String shape : List.of("flat", "set")) {
            String path = "/api/v2/flux/clusters/" + Fleet.dns("payload") + (shape.equals("set") ? "/sets" : "")
                    + "/platform-components";
            var polled = fleet.server.poll(fleet.server.adminToken()).get(path).expect(200);
            var shown = fleet.admin
                    .get("/api/v2/clusters/payload/payload/platform-components?shape=" + shape)
                    .expect(200);
            assertThat(shown.at("/body").asString()).isEqualTo(polled.text());
            assertThat(shown.at("/digest").asString()).isEqualTo(polled.header("Homeport-Digest"));
            assertThat(shown.at("/budget/bytes").asInt()).isEqualTo(polled.bytes().length);
            assertThat(shown.at("/budget/max_items").asInt()).isEqualTo(50);
            var raw = fleet.admin
                    .get("/api/v2/clusters/payload/payload/platform-components?raw=true&shape=" + shape)
                    .expect(200);
            assertThat(raw.bytes()).isEqualTo(polled.bytes());
        }
        fleet.admin.get("/api/v2/clusters/payload/payload/environments").expect(404);
        for (String plural : List.of("types", "witnesses")) {
            var polled = Fleet.sets(fleet.server.poll(fleet.server.adminToken()), "payload", plural);
            var shown = fleet.admin
                    .get("/api/v2/clusters/payload/payload/" + plural)
                    .expect(200);
            assertThat(shown.at("/body").asString()).isEqualTo(polled.text());
            assertThat(shown.at("/shape").asString()).isEqualTo("set");
            assertThat(shown.at("/digest").asString()).isEqualTo(polled.header("Homeport-Digest"));
        }
        String revision =
                fleet.admin.get("/api/v2/clusters/payload").at("/meta/revision").asString();
        fleet.admin
                .get("/api/v2/clusters/payload/payload/witnesses?as_of=" + revision)
                .expect(422);
        fleet.admin.get("/api/v2/clusters/payload/payload/types?shape=flat").expect(422);
        fleet.admin
                .get("/api/v2/clusters/payload/payload/namespaces?shape=round")
                .expect(422);
    }
}
