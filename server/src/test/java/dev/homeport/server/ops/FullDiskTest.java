package dev.homeport.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The system refuses every write to a file beyond some length, as a full disk would, while the server runs. */
class FullDiskTest {
    private static final int KIB = 6_000;

    @TempDir
    private Path folder;

    @Test
    void whatWasConfirmedIsThereAndPollsGoOn() throws Exception {
        String data = folder.resolve("data").toString();
        String token = AdminRun.of("token", "--print-only").out().strip();
        Map<String, String> environment = Map.of("HOMEPORT_ADMIN_TOKEN", token);
        List<String> confirmed = new ArrayList<>();
        int failures = 0;
        try (ServerProcess server = ServerProcess.serveWithFilesUpTo(KIB, environment, "--data", data)) {
            TestClient admin = new TestClient(server.admin(), token);
            for (int i = 0; failures < 20; i++) {
                assertThat(i).as("writes that found room").isLessThan(2_000);
                TestClient.Answer answer = admin.post("/api/v2/namespaces", namespace("n" + i));
                if (answer.status() == 201) {
                    confirmed.add("n" + i);
                } else {
                    assertThat(answer.status()).as(answer.text()).isEqualTo(503);
                    assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
                    assertThat(answer.header("Retry-After")).isNotEmpty();
                    failures++;
                }
            }
            assertThat(confirmed).hasSizeGreaterThan(20);
            assertThat(RawPoll.get(server.poll(), "/api/v2/flux/clusters", token)
                            .status())
                    .isEqualTo(200);
            assertThat(admin.get("/api/v2/namespaces/" + confirmed.getLast()).status())
                    .isEqualTo(200);
            server.kill();
        }
        try (ServerProcess server = ServerProcess.serve(environment, "--data", data)) {
            TestClient admin = new TestClient(server.admin(), token);
            for (String id : confirmed) {
                admin.get("/api/v2/namespaces/" + id).expect(200);
            }
            admin.post("/api/v2/namespaces", namespace("after")).expect(201);
            server.terminate();
            assertThat(server.awaitExit()).isZero();
        }
        assertThat(AdminRun.of("verify", "--data", data).code()).isZero();
    }

    private static String namespace(String id) {
        StringBuilder notes = new StringBuilder();
        for (int i = 0; i < 15; i++) {
            notes.append(i == 0 ? "" : ",").append("\"note-%d\":\"%s\"".formatted(i, "x".repeat(4_000)));
        }
        return "{\"id\":\"%s\",\"spec\":{\"annotations\":{%s}}}".formatted(id, notes);
    }
}
