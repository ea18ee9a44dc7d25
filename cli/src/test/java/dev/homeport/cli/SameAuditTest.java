package dev.homeport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.testing.OutsideIn;
import dev.homeport.testing.Requirement;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Whichever way a change is made, the log has the same about it. */
@OutsideIn
class SameAuditTest {
    @TempDir
    Path folder;

    @Test
    @Requirement(value = "H5", part = "file, command and API; there is no web UI yet")
    void aFileACommandAndTheApiGiveEqualEntries() throws Exception {
        try (Cli cli = new Cli(folder).signedIn()) {
            for (String name : new String[] {"c-api", "c-file", "c-word"}) {
                cli.run("adopt", name, "--env", "dev", "--owner", "team-a").ok();
            }
            try (HttpClient http = HttpClient.newHttpClient()) {
                HttpResponse<String> response = http.send(
                        HttpRequest.newBuilder(URI.create(cli.address() + "/api/v2/clusters/c-api?reason=OPS-1"))
                                .header(
                                        "Authorization",
                                        "Bearer " + cli.server.firstToken().orElseThrow())
                                .header("Content-Type", "application/merge-patch+json")
                                .method(
                                        "PATCH",
                                        HttpRequest.BodyPublishers.ofString("{\"spec\":{\"owner\":\"team-b\"}}"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
                assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
            }
            JsonNode byApi = newest(cli, "c-api");
            Path file = Files.writeString(
                    folder.resolve("c.yaml"),
                    cli.run("get", "cluster", "c-file", "-o", "yaml").ok().out().replace("team-a", "team-b"));
            cli.run("apply", "-f", file.toString(), "--reason", "OPS-1").ok();
            JsonNode byFile = newest(cli, "c-file");
            cli.run("patch", "cluster/c-word", "-p", "{owner: team-b}", "--reason", "OPS-1")
                    .ok();
            JsonNode byCommand = newest(cli, "c-word");

            assertThat(byApi.path("changes").get(0).path("after").path("owner").asString())
                    .isEqualTo("team-b");
            assertThat(byApi.path("reason").asString()).isEqualTo("OPS-1");
            assertThat(byFile).isEqualTo(byApi);
            assertThat(byCommand).isEqualTo(byApi);
        }
    }

    /** Without what is another in every entry: its number, time, hashes and request; the cluster's name made one. */
    private static JsonNode newest(Cli cli, String cluster) {
        String revision = cli.run("audit", "--limit", "1", "--jq", ".[0].revision")
                .ok()
                .out()
                .strip();
        ObjectNode entry = (ObjectNode) JsonMapper.shared()
                .readTree(cli.run("audit", revision, "-o", "json").ok().out().replace(cluster, "c"));
        for (String field : new String[] {"revision", "at", "hash", "previous_hash", "request_id"}) {
            assertThat(entry.remove(field)).as(field).isNotNull();
        }
        return entry;
    }
}
