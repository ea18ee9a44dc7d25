package dev.homeport.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a new installation says, and what it never says again. */
class FirstStartTest {
    private static final String SHOWN = "admin token (shown this once): ";

    @TempDir
    private Path folder;

    @Test
    void theTokenIsShownOnceAndWorks() throws Exception {
        Path data = folder.resolve("data");
        String token;
        try (ServerProcess first = ServerProcess.serve(data)) {
            List<String> shown = first.lines().stream()
                    .filter(line -> line.startsWith(SHOWN))
                    .toList();
            assertThat(shown).hasSize(1);
            token = shown.getFirst().substring(SHOWN.length());
            assertThat(RawPoll.get(first.poll(), "/api/v2/flux/clusters", token).status())
                    .isEqualTo(200);
            first.terminate();
            assertThat(first.awaitExit()).isZero();
        }
        try (ServerProcess second = ServerProcess.serve(data)) {
            assertThat(second.lines()).noneMatch(line -> line.contains("token"));
            assertThat(RawPoll.get(second.poll(), "/api/v2/flux/clusters", token)
                            .status())
                    .isEqualTo(200);
        }
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(new String(Files.readAllBytes(file), java.nio.charset.StandardCharsets.ISO_8859_1))
                        .doesNotContain(token.substring(token.lastIndexOf('_')));
            }
        }
    }

    @Test
    void aGivenTokenIsTakenAndNotShown() throws Exception {
        AdminRun made = AdminRun.of("token", "--print-only");
        String token = made.out().strip();
        try (ServerProcess server = ServerProcess.serve(
                Map.of("HOMEPORT_ADMIN_TOKEN", token),
                "--data",
                folder.resolve("a").toString())) {
            assertThat(server.lines()).noneMatch(line -> line.contains("token"));
            assertThat(RawPoll.get(server.poll(), "/api/v2/flux/clusters", token)
                            .status())
                    .isEqualTo(200);
        }
        Path file = Files.writeString(folder.resolve("token"), token + "\n");
        try (ServerProcess server = ServerProcess.serve(
                Map.of("HOMEPORT_ADMIN_TOKEN_FILE", file.toString()),
                "--data",
                folder.resolve("b").toString())) {
            assertThat(server.lines()).noneMatch(line -> line.contains("token"));
            assertThat(RawPoll.get(server.poll(), "/api/v2/flux/clusters", token)
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void aGivenTokenThatWasRevokedIsNotMadeAgain() throws Exception {
        String token = AdminRun.of("token", "--print-only").out().strip();
        String data = folder.resolve("revoked").toString();
        Map<String, String> given = Map.of("HOMEPORT_ADMIN_TOKEN", token);
        try (ServerProcess server = ServerProcess.serve(given, "--data", data)) {
            new TestClient(server.admin(), token).get("/api/v2/me").expect(200);
            server.terminate();
            assertThat(server.awaitExit()).isZero();
        }
        AdminRun made = AdminRun.of("token", "--data", data, "--subject", "other");
        assertThat(made.code()).as(made.err()).isZero();
        String other = made.out().strip();
        String id = token.split("_", -1)[1];
        try (ServerProcess server = ServerProcess.serve(given, "--data", data)) {
            new TestClient(server.admin(), other)
                    .send("DELETE", "/api/v2/tokens/" + id, "", Map.of())
                    .expect(200);
            server.terminate();
            assertThat(server.awaitExit()).isZero();
        }
        try (ServerProcess server = ServerProcess.serve(given, "--data", data)) {
            new TestClient(server.admin(), other).get("/api/v2/me").expect(200);
            new TestClient(server.admin(), token).get("/api/v2/me").expect(401);
        }
    }

    @Test
    void aThrowAwayStoreLeavesNothing() throws Exception {
        Path temporary = Files.createDirectory(folder.resolve("tmp"));
        Map<String, String> environment =
                Map.of("STORE_BACKEND", "memory", "JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + temporary);
        try (ServerProcess server = ServerProcess.serve(environment)) {
            assertThat(folders(temporary)).anyMatch(name -> name.startsWith("homeport-memory"));
            server.terminate();
            assertThat(server.awaitExit()).isZero();
        }
        assertThat(folders(temporary)).noneMatch(name -> name.startsWith("homeport-memory"));
    }

    @Test
    void aReadOnlyServerNeedsTheStoreAndTheKey() throws Exception {
        Path data = folder.resolve("data");
        try (ServerProcess alone = ServerProcess.serve(data, "--mode", "read-only")) {
            assertThat(alone.awaitExit()).isEqualTo(2);
        }
        assertThat(AdminRun.of("init", "--data", data.toString()).code()).isZero();
        Files.delete(data.resolve("master.key"));
        try (ServerProcess keyless = ServerProcess.serve(data, "--mode", "read-only")) {
            assertThat(keyless.awaitExit()).isEqualTo(2);
        }
        try (ServerProcess keyless = ServerProcess.serve(data)) {
            assertThat(keyless.awaitExit()).isEqualTo(2);
        }
        assertThat(data.resolve("master.key")).doesNotExist();
    }

    private static List<String> folders(Path in) throws IOException {
        try (Stream<Path> all = Files.list(in)) {
            return all.map(path -> path.getFileName().toString()).toList();
        }
    }
}
