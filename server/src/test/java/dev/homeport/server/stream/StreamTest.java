package dev.homeport.server.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestClient;
import dev.homeport.server.TestServer;
import dev.homeport.testing.OutsideIn;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

@OutsideIn
class StreamTest {
    @TempDir
    static Path folder;

    private static TestServer server;

    @BeforeAll
    static void start() {
        server = TestServer.in(folder);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static EventReader open(String query, String lastId) throws Exception {
        return new EventReader(server.admin(), "/api/v2/stream" + query, lastId);
    }

    private static void namespace(String id) {
        server.admin().post("/namespaces", "{\"id\": \"" + id + "\"}").expect(200);
    }

    @Test
    void commitsArriveWithWhatTheyChanged() throws Exception {
        try (EventReader events = open("", "")) {
            long before = EventReader.data(events.next("ready")).get("revision").longValue();
            namespace("told");
            Map<String, String> event = events.next("commit");
            JsonNode data = EventReader.data(event);
            assertThat(data.get("revision").longValue()).isEqualTo(before + 1);
            assertThat(event.get("id")).endsWith("-" + (before + 1));
            assertThat(data.get("actor").stringValue()).isEqualTo("person:admin");
            assertThat(data.at("/changes/0").toString())
                    .isEqualTo("{\"change\":\"created\",\"id\":\"told\",\"type\":\"namespace\"}");
            server.admin().send("DELETE", "/namespaces/told", "", Map.of()).expect(200);
            assertThat(EventReader.data(events.next("commit"))
                            .at("/changes/0/change")
                            .stringValue())
                    .isEqualTo("removed");
        }
    }

    @Test
    void aReaderGoesOnWhereItStopped() throws Exception {
        String seen;
        try (EventReader events = open("", "")) {
            events.next("ready");
            namespace("first");
            seen = events.next("commit").get("id");
        }
        namespace("second");
        namespace("third");
        try (EventReader events = open("", seen)) {
            events.next("ready");
            for (String id : List.of("second", "third")) {
                assertThat(EventReader.data(events.next("commit"))
                                .at("/changes/0/id")
                                .stringValue())
                        .isEqualTo(id);
            }
        }
    }

    @Test
    void whatCannotBeResumedIsAReset() throws Exception {
        for (String id : List.of("1-999999", "777-1", "nonsensical", "-", "1-1; drop")) {
            try (EventReader events = open("", id)) {
                assertThat(EventReader.data(events.next("reset"))
                                .get("revision")
                                .longValue())
                        .isPositive();
                namespace("after-reset-" + id.length());
                events.next("commit");
            }
        }
    }

    @Test
    void onlyTheTypesThatWereAskedForAreTold() throws Exception {
        try (EventReader events = open("?types=environment,rolebindings", "")) {
            events.next("ready");
            namespace("unheard");
            server.admin()
                    .post("/api/v2/environments", "{\"spec\": {\"id\": \"lab\", \"order\": 5}}")
                    .expect(201);
            JsonNode data = EventReader.data(events.next("commit"));
            assertThat(data.at("/changes/0/id").stringValue()).isEqualTo("lab");
        }
        server.admin().get("/api/v2/stream?types=nothing").expect(422);
    }

    @Test
    void aStreamEndsWithItsToken() throws Exception {
        TestClient.Answer made = server.admin()
                .post(
                        "/api/v2/tokens",
                        "{\"spec\": {\"kind\": \"service\", \"subject\": \"ci\", \"access\": \"reader\"}}")
                .expect(201);
        String token = made.json().toString().replaceAll(".*\"(hps_[A-Za-z0-9_]+)\".*", "$1");
        String id = token.split("_", -1)[1];
        try (EventReader events = new EventReader(server.admin(token), "/api/v2/stream", "")) {
            events.next("ready");
            String etag = server.admin().get("/api/v2/tokens/" + id).expect(200).header("ETag");
            server.admin().delete("/api/v2/tokens/" + id, etag);
            for (Map<String, String> event = events.next(5);
                    !"end".equals(event.get("event"));
                    event = events.next(5)) {}
        }
        server.admin(token).get("/api/v2/stream").expect(401);
    }

    @Test
    void aQuietStreamShowsThatItLives() throws Exception {
        try (EventReader events = open("?types=freeze", "")) {
            events.next("ready");
            assertThat(events.next(15)).containsEntry("event", "comment");
        }
    }
}
