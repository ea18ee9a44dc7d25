package dev.homeport.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestClient;
import dev.homeport.server.TestServer;
import dev.homeport.server.storage.MasterKeyFile;
import dev.homeport.testing.OutsideIn;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A cluster's polls and events reach any of several servers on one PostgreSQL: all of them ask it the same. */
@OutsideIn
class WitnessReplicasTest {
    @TempDir
    Path folder;

    @Test
    void whatOneServerIsToldTheOthersAskWith() throws IOException {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                .setDataDirectory(folder.resolve("postgres"))
                .start()) {
            String url = "postgresql://postgres:postgres@127.0.0.1:" + postgres.getPort() + "/postgres";
            try (TestServer crud = TestServer.in(folder, Map.of("--database-url", url, "--init", "true"))) {
                Path own = Files.createDirectories(folder.resolve("replica/data"));
                Files.copy(crud.data().resolve(MasterKeyFile.NAME), own.resolve(MasterKeyFile.NAME));
                try (TestServer replica = TestServer.in(
                        folder.resolve("replica"), Map.of("--database-url", url, "--mode", "read-only"))) {
                    aComponentIsFollowedThroughBoth(crud, replica);
                }
            }
        }
    }

    private static void aComponentIsFollowedThroughBoth(TestServer crud, TestServer replica) {
        Flux writer = Flux.adopt(crud, "shared", "stays", "goes");
        Flux reader = writer.at(replica.poll("").base());
        Await.until(
                () -> reader.client().get("/api/v2/flux/clusters/" + Flux.dns("shared") + "/namespaces"),
                reply -> reply.status() == 200);
        reader.poll();
        assertThat(questions(reader)).as("it has not answered anything yet").hasSize(1);

        reader.post(reader.witness("type/namespaces", "ResourceSet", "True", "", ""))
                .expect(202);
        awaitSameQuestions(writer, reader, "component/stays", "component/goes");
        for (String component : List.of("stays", "goes")) {
            String digest = delivery(crud)
                    .at("/components/" + component + "/desired/digest")
                    .stringValue();
            reader.post(reader.witness("component/" + component, "HelmRelease", "True", "1.0.0", digest))
                    .expect(202);
        }
        JsonNode known = Await.until(
                () -> delivery(crud),
                delivery -> delivery.path("state").asString("").equals("in-sync"));
        assertThat(known.path("state_source").asString("")).isEqualTo("witness");
        awaitSameQuestions(writer, reader, "component/stays", "component/goes");

        crud.admin()
                .send(
                        "PATCH",
                        "/api/v2/clusters/shared",
                        "{\"spec\":{\"platform_components\":[{\"id\":\"stays\"}]}}",
                        Map.of("Content-Type", "application/merge-patch+json"))
                .expect(200);
        awaitSameQuestions(writer, reader, "component/goes", "removal/platform-components/goes");
        Await.until(
                () -> {
                    reader.poll();
                    return removal(crud);
                },
                "removing"::equals);

        // One answer through each of them: only both together show that it is gone.
        writer.post(later(writer.absent("component/goes"))).expect(202);
        assertThat(removal(crud)).isEqualTo("removing");
        reader.post(later(reader.absent("removal/platform-components/goes"))).expect(202);
        Await.until(() -> removal(crud), String::isEmpty);
        for (Flux each : List.of(writer, reader)) {
            Await.until(() -> questions(each), questions -> !questions.contains("component/goes"));
        }
        awaitSameQuestions(writer, reader, "component/stays");

        List<String> before = sets(writer);
        replica.stop();
        replica.startAgain();
        Flux restarted = writer.at(replica.poll("").base());
        Await.until(() -> sets(restarted), before::equals);
    }

    private static ObjectNode later(ObjectNode event) {
        return Flux.at(event, Instant.now().plusSeconds(2));
    }

    /** The same sets under the same names: a poll that reaches the other server must not replace them. */
    private static void awaitSameQuestions(Flux writer, Flux reader, String... asked) {
        Await.until(() -> questions(writer), questions -> questions.containsAll(List.of(asked)));
        Await.until(() -> questions(reader), questions -> questions.containsAll(List.of(asked)));
        Await.until(() -> sets(writer).equals(sets(reader)), Boolean::booleanValue);
    }

    private static List<String> sets(Flux flux) {
        List<String> all = new ArrayList<>();
        flux.witnesses().path("items").forEach(set -> all.add(set.path("id").asString("")));
        return all;
    }

    private static List<String> questions(Flux flux) {
        List<String> all = new ArrayList<>();
        flux.witnesses()
                .path("items")
                .forEach(set -> set.path("observe")
                        .forEach(object -> all.add(object.path("question").asString(""))));
        return all;
    }

    private static JsonNode delivery(TestServer server) {
        TestClient admin = server.admin();
        return admin.get("/api/v2/clusters/shared/delivery").expect(200).json();
    }

    /** How far the removal is; empty where none is followed any more. */
    private static String removal(TestServer server) {
        return delivery(server).at("/removals/0/state").asString("");
    }
}
