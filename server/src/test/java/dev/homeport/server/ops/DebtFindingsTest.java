package dev.homeport.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.access.Actor;
import dev.homeport.change.AppendResult;
import dev.homeport.change.Change;
import dev.homeport.change.Proposal;
import dev.homeport.document.Body;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import dev.homeport.server.TestServer;
import dev.homeport.server.storage.PostgresUrl;
import dev.homeport.server.storage.Storage;
import dev.homeport.store.SqlStore;
import dev.homeport.store.Stores;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Weak spots of an installation that nothing refuses are listed until they are repaired. */
@Tag("slow")
@Timeout(120)
class DebtFindingsTest {
    @TempDir
    private Path folder;

    private static Map<String, JsonNode> findings(TestServer server, String kind) {
        JsonNode items = server.admin()
                .get("/api/v2/findings?page_size=1000&kind=" + kind)
                .expect(200)
                .json()
                .path("items");
        Map<String, JsonNode> found = new TreeMap<>();
        items.forEach(item -> found.put(item.path("subject").asString(), item));
        return found;
    }

    private static String severity(JsonNode finding) {
        return finding.path("severity").asString();
    }

    /** As a release without limits left it. */
    private static Change token(String id, String kind, String more) {
        return new Change.Put(
                new DocumentKey(Types.TOKEN, id),
                Body.of(StrictJson.read("{\"id\": \"" + id + "\", \"kind\": \"" + kind
                        + "\", \"subject\": \"old\", \"hash\": \"" + "0".repeat(64) + "\"" + more + "}")));
    }

    @Test
    void databasesThatAreNotVerifiedAndTokensWithoutLimitsAreListed() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                .setDataDirectory(folder.resolve("postgres"))
                .start()) {
            // The short form of the loopback address, which counts as another machine.
            String weak = "postgresql://postgres:postgres@127.1:" + postgres.getPort() + "/postgres?sslmode=disable";
            try (TestServer server = TestServer.in(folder, Map.of("--database-url", weak, "--init", "true"))) {
                JsonNode database = findings(server, "debt_unverified_database").get("database");
                assertThat(severity(database)).isEqualTo("warning");
                assertThat(database.path("detail").asString()).contains("sslmode=disable", "not verified");
                assertThat(database.path("next").asString()).contains("verify-full");
                assertThat(findings(server, "debt_old_token")).isEmpty();

                append(
                        weak,
                        token("oldservice00", "service", ""),
                        token("oldperson000", "person", ", \"expires_at\": \"2999-01-01T00:00:00Z\""),
                        token("oldcluster00", "cluster", ""),
                        token("oldrevoked00", "service", ", \"revoked\": true"),
                        token("oldexpired00", "service", ", \"expires_at\": \"2020-01-01T00:00:00Z\""));
                Map<String, JsonNode> old = findings(server, "debt_old_token");
                while (old.isEmpty()) {
                    Thread.sleep(50);
                    old = findings(server, "debt_old_token");
                }
                assertThat(old.keySet()).containsExactly("oldperson000", "oldservice00");
                assertThat(severity(old.get("oldservice00"))).isEqualTo("warning");
                assertThat(old.get("oldservice00").path("detail").asString())
                        .contains("service old", "earlier release", "does not expire");
                assertThat(severity(old.get("oldperson000"))).isEqualTo("info");
                server.admin().delete("/api/v2/tokens/oldservice00", "*").expect(200);
                assertThat(findings(server, "debt_old_token").keySet()).containsExactly("oldperson000");
            }
        }
    }

    private static void append(String url, Change... changes) {
        try (SqlStore store = Stores.postgres(PostgresUrl.parse(url).settings(), Storage.writer())) {
            AppendResult result = store.append(new Proposal(
                    store.head(),
                    Actor.SYSTEM,
                    "by an earlier release",
                    Instant.now(),
                    "",
                    Optional.empty(),
                    Map.of(),
                    Stream.of(changes).toList()));
            assertThat(result).isInstanceOf(AppendResult.Appended.class);
        }
    }
}
