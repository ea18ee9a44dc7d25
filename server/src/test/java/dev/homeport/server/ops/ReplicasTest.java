package dev.homeport.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.storage.Storage;
import dev.homeport.testing.OutsideIn;
import dev.homeport.testing.Requirement;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One PostgreSQL, one process that writes and three that only read, each with clusters that poll. */
@Tag("slow")
@OutsideIn
class ReplicasTest {
    private static final int CLUSTERS = 20;
    private static final int CLIENTS = 2;
    private static final Duration FRESHNESS = Duration.ofSeconds(3);

    @TempDir
    private Path folder;

    private EmbeddedPostgres postgres;
    private String url;
    private ServerProcess crud;
    private String adminToken;
    private List<String> tokens;
    private final List<ServerProcess> replicas = new ArrayList<>();
    private final List<PollLoad> loads = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        postgres = EmbeddedPostgres.builder()
                .setDataDirectory(folder.resolve("postgres"))
                .setServerConfig("max_connections", "100")
                .start();
        url = "postgresql://postgres:postgres@127.0.0.1:" + postgres.getPort() + "/postgres";
        Path data = folder.resolve("crud");
        crud = serve(data, "--init", "true");
        adminToken = crud.lines().stream()
                .filter(line -> line.startsWith("admin token"))
                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .findFirst()
                .orElseThrow();
        Storage storage = SeededFleet.storage("--data", data.toString(), "--database-url", url);
        try (SeededFleet fleet = SeededFleet.in(storage)) {
            tokens = fleet.clusters(CLUSTERS);
        }
        for (int i = 0; i < 3; i++) {
            Path own = Files.createDirectories(folder.resolve("replica-" + i));
            Files.copy(data.resolve("master.key"), own.resolve("master.key"));
            replicas.add(serve(own, "--mode", "read-only"));
            loads.add(new PollLoad(replicas.get(i).poll(), tokens, CLIENTS));
        }
    }

    @AfterEach
    void stop() throws Exception {
        for (PollLoad load : loads) {
            load.close();
        }
        replicas.forEach(ServerProcess::close);
        crud.close();
        postgres.close();
    }

    @Test
    @Requirement({"A5", "A13"})
    void anyOfThemMayEndAndTheOthersAnswerTheSameBytes() throws Exception {
        awaitAll(100);
        replicas.get(0).kill();
        loads.get(0).close();
        loads.get(1).awaitMore(200, 200);
        loads.get(2).awaitMore(200, 200);
        crud.terminate();
        assertThat(crud.awaitExit()).isZero();
        loads.get(1).awaitMore(200, 200);
        loads.get(2).awaitMore(200, 200);
        Thread.sleep(FRESHNESS.multipliedBy(2)); // a follower that had depended on the writer would be stale by now
        loads.get(1).awaitMore(200, 50);
        loads.get(2).awaitMore(200, 50);
        assertThat(loads.get(1).statuses()).containsOnlyKeys(200);
        assertThat(loads.get(2).statuses()).containsOnlyKeys(200);
        for (PollLoad load : loads) {
            assertThat(load.differing()).isZero();
            assertThat(load.bodies()).hasSize(CLUSTERS).isEqualTo(loads.get(1).bodies());
        }
    }

    @Test
    @Requirement("A12")
    void aReadOnlyServerTakesNoWriteWhateverTheToken() throws Exception {
        String replica = replicas.get(0).poll();
        List<String> paths = List.of(
                "/clusters",
                "/clusters/c0",
                "/platform_components",
                "/api/v2/clusters",
                "/api/v2/changes",
                "/api/v2/tokens",
                "/api/v2/clusters/c0:decommission",
                SeededFleet.path(0));
        for (String token : List.of(adminToken, tokens.get(0), "", "nonsense")) {
            for (String path : paths) {
                for (String method : List.of("POST", "PUT", "PATCH", "DELETE")) {
                    assertThat(RawPoll.send(method, replica, path, token).status())
                            .as("%s %s", method, path)
                            .isEqualTo(405);
                }
            }
        }
        assertThat(replicas.get(0).lines()).noneMatch(line -> line.startsWith("admin plane"));
        loads.get(0).awaitMore(200, 20);
        assertThat(loads.get(0).differing()).isZero();
    }

    @Test
    @Requirement("A5")
    void withoutTheDatabasePollsHoldAndComeBackByThemselves() throws Exception {
        awaitAll(50);
        ProcessHandle server = postmaster();
        // Who would start others goes first.
        signal("-STOP", server);
        List<ProcessHandle> family = server.descendants().toList();
        for (ProcessHandle one : family) {
            signal("-STOP", one);
        }
        List<Integer> before = loads.stream().map(load -> load.count(200)).toList();
        awaitAllStatus(503, 20);
        Thread.sleep(FRESHNESS);
        List<Integer> held = loads.stream().map(load -> load.count(200)).toList();
        Thread.sleep(1_000);
        assertThat(loads.stream().map(load -> load.count(200)).toList())
                .as("not one answer after the bound; %s before the stop", before)
                .isEqualTo(held);
        for (ProcessHandle one : family) {
            signal("-CONT", one);
        }
        signal("-CONT", server);
        awaitAll(50);

        restart(server);
        awaitAll(50);
        for (PollLoad load : loads) {
            assertThat(load.statuses()).containsOnlyKeys(200, 503);
            assertThat(load.differing()).isZero();
        }
        replicas.forEach(replica -> assertThat(replica.isAlive()).isTrue());
    }

    private ServerProcess serve(Path data, String... more) throws IOException {
        List<String> all = new ArrayList<>(List.of(
                "--data",
                data.toString(),
                "--database-url",
                url,
                "--freshness-ms",
                Long.toString(FRESHNESS.toMillis())));
        all.addAll(List.of(more));
        return ServerProcess.serve(Map.of(), all.toArray(String[]::new));
    }

    private void awaitAll(int more) throws InterruptedException {
        awaitAllStatus(200, more);
    }

    private void awaitAllStatus(int status, int more) throws InterruptedException {
        for (PollLoad load : loads) {
            load.awaitMore(status, more);
        }
    }

    private ProcessHandle postmaster() throws IOException {
        Path file = folder.resolve("postgres").resolve("postmaster.pid");
        return ProcessHandle.of(Long.parseLong(Files.readAllLines(file).getFirst()))
                .orElseThrow();
    }

    private static void signal(String signal, ProcessHandle process) throws IOException, InterruptedException {
        new ProcessBuilder("kill", signal, Long.toString(process.pid())).start().waitFor();
    }

    /** Ends the database as a crash would, waits until polls hold, and starts it again by the same command. */
    private void restart(ProcessHandle server) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("unshare", "-U")); // PostgreSQL does not run as root
        }
        command.add(server.info().command().orElseThrow());
        command.addAll(List.of(server.info().arguments().orElseThrow()));
        List<ProcessHandle> family = server.descendants().toList();
        server.destroyForcibly();
        family.forEach(ProcessHandle::destroyForcibly);
        while (server.isAlive() || family.stream().anyMatch(ProcessHandle::isAlive)) {
            Thread.sleep(5);
        }
        awaitAllStatus(503, 20);
        new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
