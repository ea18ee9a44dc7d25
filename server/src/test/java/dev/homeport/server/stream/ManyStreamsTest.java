package dev.homeport.server.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestServer;
import dev.homeport.testing.OutsideIn;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every commit reaches every stream, in order, and is read from the log once for all of them. */
@OutsideIn
class ManyStreamsTest {
    private static final int STREAMS = 200;
    private static final int OF_ONE = 20;
    private static final int COMMITS = 10;
    private static final int PATIENCE = 60;

    @TempDir
    Path folder;

    /** Sees everything if {@code workspace} is empty, otherwise that workspace alone. */
    private static String token(TestServer server, String name, String workspace) {
        String access = workspace.isEmpty() ? ", \"access\": \"reader\"" : "";
        if (!workspace.isEmpty()) {
            server.admin()
                    .post(
                            "/api/v2/access-grants",
                            "{\"spec\": {\"id\": \"" + name + "\", \"subject\": \"service:" + name
                                    + "\", \"role\": \"viewer\", \"scope\": {\"workspace\": \"" + workspace
                                    + "\"}}}")
                    .expect(201);
        }
        return server.admin()
                .post(
                        "/api/v2/tokens",
                        "{\"spec\": {\"kind\": \"service\", \"subject\": \"" + name + "\"" + access + "}}")
                .expect(201)
                .text()
                .replaceAll("(?s).*\"(hps_[A-Za-z0-9_]+)\".*", "$1");
    }

    private static void cluster(TestServer server, String id, String workspace) {
        server.admin()
                .post(
                        "/api/v2/clusters",
                        "{\"spec\": {\"id\": \"" + id + "\", \"cluster_name\": \"" + id + "\", \"cluster_dns\": \"" + id
                                + ".example.com\", \"environment\": \"dev\", \"owner\": \"team\", \"workspace\": \""
                                + workspace + "\"}}")
                .expect(201);
    }

    private static List<String> told(EventReader reader, int count) throws InterruptedException {
        List<String> ids = new ArrayList<>();
        while (ids.size() < count) {
            Map<String, String> event = reader.next(PATIENCE);
            if ("commit".equals(event.get("event"))) {
                EventReader.data(event).path("changes").forEach(change -> {
                    if (change.path("type").stringValue("").equals("cluster")) {
                        ids.add(change.path("id").stringValue(""));
                    }
                });
            }
        }
        return ids;
    }

    @Test
    void commitsReachAllStreamsFromMemory() throws Exception {
        List<EventReader> all = new ArrayList<>();
        List<EventReader> ofBlue = new ArrayList<>();
        try (TestServer server = TestServer.in(folder)) {
            try {
                for (String workspace : List.of("blue", "green")) {
                    server.admin()
                            .post("/api/v2/workspaces", "{\"spec\": {\"id\": \"" + workspace + "\"}}")
                            .expect(201);
                }
                for (int caller = 0; caller < STREAMS / OF_ONE; caller++) {
                    boolean limited = caller % 2 == 1;
                    String token = token(server, "reader" + caller, limited ? "blue" : "");
                    for (int i = 0; i < OF_ONE; i++) {
                        EventReader reader = new EventReader(server.admin(token), "/api/v2/stream?types=cluster", "");
                        (limited ? ofBlue : all).add(reader);
                        assertThat(reader.next(PATIENCE)).containsEntry("event", "ready");
                    }
                }
                List<String> made = new ArrayList<>();
                List<String> blue = new ArrayList<>();
                for (int i = 0; i < COMMITS; i++) {
                    String workspace = i % 2 == 0 ? "blue" : "green";
                    cluster(server, "c" + i, workspace);
                    made.add("c" + i);
                    if (workspace.equals("blue")) {
                        blue.add("c" + i);
                    }
                }
                for (EventReader reader : all) {
                    assertThat(told(reader, made.size())).isEqualTo(made);
                }
                for (EventReader reader : ofBlue) {
                    assertThat(told(reader, blue.size())).isEqualTo(blue);
                }
                assertThat(server.admin().get("/metrics").text())
                        .contains("homeport_stream_clients 200.0")
                        .contains("homeport_stream_log_reads_total 0.0");
            } finally {
                all.forEach(EventReader::close);
                ofBlue.forEach(EventReader::close);
            }
        }
    }
}
