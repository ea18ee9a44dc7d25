package dev.homeport.server.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.homeport.change.StoreRefused;
import dev.homeport.server.Node;
import dev.homeport.server.config.ServerSettings;
import dev.homeport.server.config.SettingSources;
import dev.homeport.server.storage.MasterKeyFile;
import dev.homeport.server.storage.Storage;
import dev.homeport.server.storage.StoreKey;
import dev.homeport.store.SqlStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers with folders of their own on one PostgreSQL: what concerns all of them is in the database. */
@Tag("slow")
class SharedStoreTest {
    @TempDir
    private Path folder;

    private EmbeddedPostgres postgres;
    private String url;

    @BeforeEach
    void start() throws IOException {
        postgres = EmbeddedPostgres.builder()
                .setDataDirectory(folder.resolve("postgres"))
                .start();
        url = "postgresql://postgres:postgres@127.0.0.1:" + postgres.getPort() + "/postgres";
    }

    @AfterEach
    void stop() throws IOException {
        postgres.close();
    }

    @Test
    void aBackupInANewDatabaseIsServedByNobodyBeforeItIsAccepted() throws Exception {
        String old = folder.resolve("old").toString();
        assertThat(AdminRun.of("init", "--data", old).code()).isZero();
        List<String> tokens;
        try (SeededFleet fleet = SeededFleet.in(SeededFleet.storage("--data", old))) {
            tokens = fleet.clusters(1);
        }
        String file = folder.resolve("backup").toString();
        assertThat(AdminRun.of("backup", file, "--with-key", "--data", old).code())
                .isZero();

        String missing = folder.resolve("not/there/yet").toString();
        AdminRun restored =
                AdminRun.of("restore", file, "--key", file + ".key", "--data", missing, "--database-url", url);
        assertThat(restored.code()).as(restored.err()).isZero();

        Path polls = folder.resolve("polls");
        Files.createDirectories(polls);
        Files.copy(Path.of(file + ".key"), polls.resolve("master.key"));
        Path crud = folder.resolve("crud");
        Files.createDirectories(crud);
        Files.copy(Path.of(file + ".key"), crud.resolve("master.key"));
        try (ServerProcess reads = ServerProcess.serve(polls, "--mode", "read-only", "--database-url", url);
                ServerProcess writes = ServerProcess.serve(crud, "--database-url", url)) {
            for (ServerProcess server : List.of(reads, writes)) {
                RawPoll.Answer answer = RawPoll.get(server.poll(), SeededFleet.path(0), tokens.get(0));
                assertThat(answer.status()).isEqualTo(503);
                assertThat(answer.body()).contains("quarantine", "restored from a backup");
            }
            String elsewhere = folder.resolve("elsewhere").toString();
            assertThat(AdminRun.of("status", "--data", elsewhere, "--database-url", url)
                            .code())
                    .isEqualTo(1);
            assertThat(AdminRun.of("token", "--data", crud.toString(), "--database-url", url)
                            .err())
                    .contains("quarantine");
            AdminRun accepted = AdminRun.of("accept", "--yes", "--data", crud.toString(), "--database-url", url);
            assertThat(accepted.code()).as(accepted.err()).isZero();
            for (ServerProcess server : List.of(reads, writes)) {
                await(() -> RawPoll.get(server.poll(), SeededFleet.path(0), tokens.get(0))
                                .status()
                        == 200);
            }
        }
    }

    @Test
    void aKeyThatIsNotTheBackupsIsNoticedBeforeAnythingIsReplaced() {
        String old = folder.resolve("old").toString();
        String other = folder.resolve("other").toString();
        assertThat(AdminRun.of("init", "--data", old).code()).isZero();
        assertThat(AdminRun.of("init", "--data", other).code()).isZero();
        String file = folder.resolve("backup").toString();
        assertThat(AdminRun.of("backup", file, "--data", old).code()).isZero();
        String key = Path.of(other, "master.key").toString();
        String fresh = folder.resolve("fresh").toString();
        AdminRun restored = AdminRun.of("restore", file, "--key", key, "--data", fresh, "--database-url", url);
        assertThat(restored.code()).isEqualTo(2);
        assertThat(restored.err()).contains("is not the one of the backup");
        AdminRun status = AdminRun.of("status", "--data", fresh, "--database-url", url);
        assertThat(status.err()).contains("has no store");
    }

    @Test
    void ofTwoServersThatInitialiseAStoreOneWins() {
        Storage storage = SeededFleet.storage("--data", "unused", "--database-url", url);
        MasterKeyFile first = MasterKeyFile.in(folder.resolve("first"));
        MasterKeyFile second = MasterKeyFile.in(folder.resolve("second"));
        try (SqlStore one = storage.open(Storage.writer().initialising());
                SqlStore two = storage.open(Storage.writer().initialising())) {
            assertThat(one.head().revision()).isEqualTo(two.head().revision()).isZero();
            StoreKey.ofNewStore(one, first, Instant.now());
            assertThatThrownBy(() -> StoreKey.ofNewStore(two, second, Instant.now()))
                    .isInstanceOf(StoreRefused.class)
                    .hasMessageContaining(second.path().toString())
                    .hasMessageContaining("Copy master.key");
            assertThat(second.exists()).as("it is not needed").isFalse();
        }
    }

    @Test
    void aServerThatWritesFindsThePrimaryAmongSeveralHostsAndBeats() throws Exception {
        int closed;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = socket.getLocalPort();
        }
        String several = "postgresql://postgres:postgres@127.0.0.1:" + closed + ",127.0.0.1:" + postgres.getPort()
                + "/postgres?target_session_attrs=read-write";
        Path data = folder.resolve("data");
        try (ServerProcess server = ServerProcess.serve(data, "--init", "true", "--database-url", several)) {
            assertThat(server.lines()).contains("ready");
            long first = heartbeat();
            await(() -> heartbeat() > first);
            long second = heartbeat();
            await(() -> heartbeat() > second);
        }
    }

    private long heartbeat() {
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT at FROM homeport.heartbeat")) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aServerWithAnotherKeyDoesNotStart() {
        String data = folder.resolve("data").toString();
        assertThat(AdminRun.of("init", "--data", data, "--database-url", url).code())
                .isZero();
        Path other = folder.resolve("other");
        MasterKeyFile.in(other).addNew(Instant.now());
        for (String mode : List.of("crud", "read-only")) {
            assertThatThrownBy(() -> Node.start(settings(other, mode)))
                    .isInstanceOf(StoreRefused.class)
                    .hasMessageContaining(other.resolve("master.key") + " is not the key of this store");
        }
    }

    private ServerSettings settings(Path data, String mode) {
        return ServerSettings.of(SettingSources.read(
                Map.of("--data", data.toString(), "--database-url", url, "--mode", mode), Map.of(), Optional.empty()));
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long until = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(until);
            Thread.sleep(100);
        }
    }
}
