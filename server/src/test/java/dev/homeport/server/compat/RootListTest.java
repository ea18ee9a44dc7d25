package dev.homeport.server.compat;

import static dev.homeport.server.compat.DropIn.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestClient;
import dev.homeport.testing.OutsideIn;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients delete what a list of the root paths does not have: it is whole and of now, or an error. */
@OutsideIn
class RootListTest {
    @TempDir
    Path folder;

    @BeforeEach
    void fill() {
        try (DropIn server = start(Map.of())) {
            for (String word : List.of("a1", "m1", "z9")) {
                server.fleet(word);
            }
        }
    }

    private DropIn start(Map<String, String> more) {
        Map<String, String> environment = new java.util.HashMap<>(Map.of(
                "API_MODE",
                "crud",
                "STORE_BACKEND",
                "sqlite",
                "HOMEPORT_DATA",
                folder.resolve("data").toString()));
        environment.putAll(more);
        return DropIn.start(environment);
    }

    private void sql(String statement) throws Exception {
        try (Connection connection = DriverManager.getConnection(
                        "jdbc:sqlite:" + folder.resolve("data").resolve("homeport.db"));
                Statement run = connection.createStatement()) {
            assertThat(run.executeUpdate(statement)).isPositive();
        }
    }

    private void breakDocument(String type, String id) throws Exception {
        sql("UPDATE documents SET body = replace(body, '{', '{ ') WHERE type = '" + type + "' AND id = '" + id + "'");
    }

    private static void refused(TestClient.Answer answer, String words) {
        answer.expect(503);
        assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(answer.at("/error").asString("")).isEqualTo("store_error");
        assertThat(answer.at("/message").asString("")).contains("not served").contains(words);
        assertThat(answer.at("/next").asString("")).contains("keep what is there");
    }

    @ParameterizedTest
    @CsvSource({"cluster, clusters, m1", "cluster_life, clusters, m1", "namespace, namespaces, m1-ns"})
    void aDocumentThatCannotBeReadHoldsTheWholeList(String type, String collection, String id) throws Exception {
        breakDocument(type, id);
        try (DropIn server = start(Map.of())) {
            for (TestClient client : List.of(server.reader(), server.writer())) {
                refused(client.get("/" + collection), type + "/" + id);
                refused(client.get("/" + collection + "?offset=1"), type + "/" + id);
                refused(client.get("/" + collection + "/" + id), type + "/" + id);
                client.get("/rolebindings").expect(200);
                assertThat(client.get("/" + collection + "?limit=1").expect(200).text())
                        .as("what comes before it is whole")
                        .contains("a1");
            }
            refused(server.reader().get("/clusters?environment=dev"), "m1", collection);
        }
    }

    private static void refused(TestClient.Answer answer, String words, String collection) {
        if (collection.equals("clusters")) {
            refused(answer, words);
        } else {
            answer.expect(200);
        }
    }

    @Test
    void aClusterThatIsDeletedIsNotListedAndOthersAre() {
        try (DropIn server = start(Map.of())) {
            server.inputs("/m1.example.com/namespaces"); // one that never polled would be gone at once
            server.writer().send("DELETE", "/clusters/m1", "", Map.of()).expect(200);
            String list = server.reader().get("/clusters").expect(200).text();
            assertThat(list).contains("\"a1\"").contains("\"z9\"").doesNotContain("\"m1\"");
        }
    }

    @Test
    void aListThatIsNotKnownToBeOfNowIsNotServed() throws Exception {
        sql("UPDATE store_state SET quarantine = 'an older copy'");
        try (DropIn server = start(Map.of())) {
            for (String path : List.of("/clusters", "/namespaces", "/clusters/a1", "/clusters/none")) {
                TestClient.Answer answer = server.reader().get(path).expect(503);
                assertThat(answer.at("/message").asString("")).contains("quarantine");
                assertThat(answer.at("/next").asString("")).contains("keep what is there");
            }
        }
    }

    @Test
    void aListHasTheRowsOfTheFleetAndNothingElse() {
        try (DropIn server = start(Map.of())) {
            assertThat(server.reader().get("/clusters?limit=0").expect(200).text())
                    .isEqualTo("[]");
            assertThat(DropIn.parse(server.reader().get("/clusters")).size()).isEqualTo(3);
            String first = server.reader().get("/clusters?limit=1").expect(200).text();
            String all = server.reader().get("/clusters").expect(200).text();
            assertThat(all).startsWith(first.substring(0, first.length() - 1) + ",");
            assertThat(server.reader()
                            .get("/clusters?environment=" + json("none"))
                            .expect(200)
                            .text())
                    .isEqualTo("[]");
        }
    }
}
