package dev.homeport.server.compat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestClient;
import dev.homeport.server.config.BadSettings;
import dev.homeport.testing.OutsideIn;
import dev.homeport.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server without API_MODE, as most clusters meet it: read-only, seeded from a file. */
@OutsideIn
class ReadOnlyTest {
    private static final String SEED = DropIn.json("""
            {'clusters': [{'_id': 'demo', 'cluster_name': 'demo', 'cluster_dns': 'demo.example.com', 'environment': 'dev',
               'platform_components': [{'id': 'podinfo', 'enabled': true, 'oci_tag': null, 'component_path': null}],
               'namespaces': [{'id': 'apps'}], 'rolebindings': [{'id': 'readers'}],
               'patches': {'podinfo': {'ui.message': 'hello'}}}],
             'platform_components': [{'_id': 'podinfo', 'component_path': 'podinfo', 'component_version': 'latest',
               'oci_url': 'https://stefanprodan.github.io/podinfo', 'oci_tag': 'latest', 'depends_on': ['traefik']}],
             'namespaces': [{'id': 'apps', 'labels': {'app': 'x'}, 'annotations': {}}],
             'rolebindings': [{'id': 'readers', 'role': 'view',
               'subjects': [{'kind': 'Group', 'name': 'team', 'apiGroup': 'rbac.authorization.k8s.io'}]}]}
            """);

    @TempDir
    Path folder;

    private Path seed(String text) throws IOException {
        return Files.writeString(folder.resolve("seed.json"), text);
    }

    @Test
    @Requirement("A12")
    void writesAre405WhateverTheTokenAndCollectionsAre404() throws IOException {
        try (DropIn server = DropIn.start(Map.of("SEED_FILE", seed(SEED).toString()))) {
            for (TestClient client : List.of(server.writer(), server.reader(), server.with(""))) {
                client.post("/namespaces", "{\"id\":\"x\"}").expect(405);
                client.send("PUT", "/clusters/demo", "{}", Map.of()).expect(405);
                client.send("DELETE", "/clusters/demo", "", Map.of()).expect(405);
                client.post("/api/v2/changes", "{}").expect(405);
                client.get("/clusters").expect(404);
                client.get("/namespaces/apps").expect(404);
            }
            assertThat(server.inputs("/demo.example.com/platform-components").size())
                    .isEqualTo(1);
            server.with("")
                    .get("/api/v2/flux/clusters/demo.example.com/namespaces")
                    .expect(401);
            server.with("").get("/health").expect(200);
            server.with("").get("/ready").expect(200);
            assertThat(server.with("").get("/openapi.yaml").expect(200).text()).contains("/api/v2/flux/clusters");
        }
    }

    @Test
    void theSeedFileIsImportedWithEitherSpellingOfIds() throws IOException {
        try (DropIn server =
                DropIn.start(Map.of("API_MODE", "crud", "SEED_FILE", seed(SEED).toString()))) {
            TestClient.Answer cluster = server.reader().get("/clusters/demo").expect(200);
            assertThat(cluster.at("/protected").booleanValue(true)).isFalse();
            assertThat(cluster.json().has("_id")).isFalse();
            assertThat(server.inputs("/demo.example.com/platform-components")
                            .get(0)
                            .at("/patches/ui.message")
                            .stringValue())
                    .isEqualTo("hello");
            assertThat(server.inputs("/demo.example.com/rolebindings").size()).isEqualTo(1);
        }
    }

    @Test
    void aSeedFileThatIsWrongStopsTheStart() throws IOException {
        String wrong = seed(SEED.replace("[{\"id\": \"apps\"}]", "[{\"id\": \"nope\"}]"))
                .toString();
        Assertions.assertThatThrownBy(() -> DropIn.start(Map.of("API_MODE", "crud", "SEED_FILE", wrong)))
                .isInstanceOf(BadSettings.class)
                .hasMessageContaining("unknown namespace nope");
    }

    @Test
    void aStoreThatKeepsItsDataIsNeverSeeded() throws IOException {
        Map<String, String> environment = Map.of(
                "API_MODE",
                "crud",
                "STORE_BACKEND",
                "sqlite",
                "HOMEPORT_DATA",
                folder.resolve("data").toString(),
                "SEED_FILE",
                seed(SEED).toString());
        try (DropIn server = DropIn.start(environment)) {
            assertThat(server.reader().get("/clusters").expect(200).text()).isEqualTo("[]");
        }
    }

    @Test
    void aStoreThatInitMakesIsSeededOnce() throws IOException {
        Map<String, String> environment = new HashMap<>(Map.of(
                "API_MODE",
                "crud",
                "STORE_BACKEND",
                "sqlite",
                "HOMEPORT_DATA",
                folder.resolve("data").toString(),
                "HOMEPORT_INIT",
                "true",
                "SEED_FILE",
                seed(SEED).toString()));
        try (DropIn server = DropIn.start(environment)) {
            assertThat(server.reader().get("/namespaces").expect(200).text()).contains("apps");
            server.writer().post("/namespaces", DropIn.json("{'id':'later'}")).expect(200);
        }
        try (DropIn server = DropIn.start(environment)) {
            assertThat(server.reader().get("/namespaces").expect(200).text()).contains("apps", "later");
        }
    }
}
