package dev.homeport.store;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server that forces its log to disk is killed while eight threads write. They go on when it is back.
 */
@Tag("slow")
class PostgresKillTest {
    private static final int KILLS = Depth.of(1, 3, 200);

    @TempDir
    private Path parent;

    @Test
    void noAcknowledgedCommitIsLostOrDoneTwice() throws Exception {
        try (EmbeddedPostgres server = start();
                SqlStore store = Stores.postgres(
                        new PostgresSettings(server.getJdbcUrl("postgres", "postgres"), "postgres", "postgres"),
                        Opening.writer(() -> "store-1").initialising());
                AcknowledgedWrites writes = new AcknowledgedWrites(store)) {
            for (int kill = 0; kill < KILLS; kill++) {
                writes.awaitMore(100);
                killAndRestart();
            }
            writes.awaitMore(100);
            writes.check();
        }
    }

    private EmbeddedPostgres start() throws IOException {
        return EmbeddedPostgres.builder()
                .setDataDirectory(parent.resolve("data"))
                .setServerConfig("fsync", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("synchronous_commit", "off") // the store must ask for more by itself
                .start();
    }

    /** Kills the whole family at once, as a power cut would, and starts it again by the same command. */
    private void killAndRestart() throws IOException, InterruptedException {
        Path file = parent.resolve("data").resolve("postmaster.pid");
        ProcessHandle server = ProcessHandle.of(
                        Long.parseLong(Files.readAllLines(file).getFirst()))
                .orElseThrow();
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
        new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
