package dev.homeport.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestClient;
import dev.homeport.testing.EarlierRelease;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The folder of an embedded store: what others can read, what an earlier release left, what is removed. */
@Tag("slow")
class DataFolderTest {
    @TempDir
    private Path folder;

    @Test
    void aFolderOfTheReleaseBeforeIsServedAsItWas() throws Exception {
        EarlierRelease.unpack(folder);
        String token = Files.readString(folder.resolve("cluster-c0.token")).strip();
        try (ServerProcess server = ServerProcess.serve(folder)) {
            RawPoll.Answer answer = RawPoll.get(server.poll(), SeededFleet.path(0), token);
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).contains("podinfo");
        }
        assertThat(AdminRun.of("verify", "--data", folder.toString()).code()).isZero();
        assertThat(AdminRun.of("status", "--data", folder.toString()).code()).isZero();
    }

    @Test
    void aNewFolderIsItsOwnersAlone() throws Exception {
        Path data = folder.resolve("data");
        try (ServerProcess server = ServerProcess.serve(data)) {
            assertThat(server.isAlive()).isTrue();
            try (Stream<Path> files = Files.walk(data)) {
                for (Path file : files.toList()) {
                    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .as(file.toString())
                            .endsWith("------");
                }
            }
        }
    }

    @Test
    void aServerWhoseDatabaseIsRemovedAnswersAndWritesNothing() throws Exception {
        Path data = folder.resolve("data");
        AdminRun made = AdminRun.of("init", "--data", data.toString());
        String admin = made.out()
                .lines()
                .filter(line -> line.startsWith("admin token"))
                .findFirst()
                .orElseThrow();
        String token = admin.substring(admin.lastIndexOf(' ') + 1);
        List<String> tokens;
        try (SeededFleet fleet = SeededFleet.in(SeededFleet.storage("--data", data.toString()))) {
            tokens = fleet.clusters(1);
        }
        try (ServerProcess server = ServerProcess.serve(data)) {
            assertThat(RawPoll.get(server.poll(), SeededFleet.path(0), tokens.get(0))
                            .status())
                    .isEqualTo(200);
            assertThat(create(server, token, "before")).isEqualTo(201);
            Files.delete(data.resolve("homeport.db"));
            assertThat(create(server, token, "after")).isEqualTo(503);
            long until = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            while (RawPoll.get(server.poll(), SeededFleet.path(0), tokens.get(0))
                            .status()
                    != 503) {
                assertThat(System.nanoTime()).isLessThan(until);
                Thread.sleep(100);
            }
        }
    }

    private static int create(ServerProcess server, String token, String id) {
        return new TestClient(server.admin(), token)
                .post("/api/v2/namespaces", "{\"id\":\"" + id + "\",\"spec\":{}}")
                .status();
    }
}
