package dev.homeport.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import dev.homeport.server.storage.Storage;
import dev.homeport.store.Opening;
import dev.homeport.store.SqlStore;
import dev.homeport.write.Operation;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** The commands one by one, on an embedded store. */
class AdminCommandsTest {
    @TempDir
    private Path folder;

    private String data;
    private Storage storage;

    @BeforeEach
    void init() {
        data = folder.resolve("data").toString();
        storage = SeededFleet.storage("--data", data);
        AdminRun made = run("init");
        assertThat(made.code()).as(made.err()).isZero();
        assertThat(made.out()).contains("admin token (shown this once): hpp_");
    }

    @Test
    void initRefusesWhereThereIsAStoreOrWasOne() throws Exception {
        assertThat(run("init").code()).isEqualTo(2);
        assertThat(run("init").err()).contains("there is a store already");
        Files.delete(Path.of(data, "homeport.db"));
        AdminRun lost = run("init");
        assertThat(lost.code()).isEqualTo(2);
        assertThat(lost.err()).contains("there was a store");
        assertThat(run("init", "--init", "true").code()).isZero();
    }

    @Test
    void statusShowsTheStoreAsTextAndAsJson() {
        seed(3);
        AdminRun text = run("status");
        assertThat(text.code()).isZero();
        assertThat(text.out()).contains("revision 3 of epoch 1", "cluster=3", "state        good");
        ObjectNode json = StrictJson.read(run("status", "-o", "json").out());
        assertThat(json.at("/revision").longValue()).isEqualTo(3);
        assertThat(json.at("/documents/cluster").longValue()).isEqualTo(3);
        assertThat(json.at("/high_water/revision").longValue()).isEqualTo(3);
        assertThat(json.at("/bytes").longValue()).isPositive();
        assertThat(json.at("/last_30_days/commits").longValue()).isEqualTo(3);
        assertThat(run("status", "-o", "yaml").code()).isEqualTo(2);
    }

    @Test
    void inQuarantineStatusStillPrintsJsonAndNothingElse() throws Exception {
        seed(1);
        try (SeededFleet fleet = SeededFleet.in(storage)) {
            fleet.store().raiseEpoch();
        }
        try (ServerProcess status = ServerProcess.run("admin", "status", "-o", "json", "--data", data)) {
            assertThat(status.awaitExit()).isEqualTo(1);
            assertThat(StrictJson.read(String.join("\n", status.lines()))
                            .at("/quarantine")
                            .stringValue())
                    .contains("epoch 2, not 1");
        }
    }

    @Test
    void verifyFindsAnAlteredRow() throws Exception {
        seed(2);
        AdminRun good = run("verify");
        assertThat(good.code()).isZero();
        assertThat(good.out()).contains("good: 3 commits");
        sql("UPDATE changes SET payload = replace(payload, 'team-a', 'team-b') WHERE id = 'c1'");
        AdminRun bad = run("verify");
        assertThat(bad.code()).isEqualTo(1);
        assertThat(bad.err()).contains("cluster/c1 in revision 3 does not match its digest");
    }

    @Test
    void aBackupIsRestoredIntoQuarantineUntilItIsAccepted() throws Exception {
        seed(2);
        Path file = folder.resolve("backup");
        AdminRun backup = run("backup", file.toString(), "--with-key");
        assertThat(backup.code()).as(backup.err()).isZero();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(folder.resolve("backup.key")).hasSameTextualContentAs(Path.of(data, "master.key"));
        assertThat(run("backup", file.toString()).code()).isEqualTo(2);
        try (SeededFleet fleet = SeededFleet.in(storage)) {
            fleet.write(SeededFleet.create(Types.NAMESPACE, "late", "{\"id\": \"late\"}"));
        }

        AdminRun shown = run("restore", file.toString());
        assertThat(shown.code()).isEqualTo(2);
        assertThat(shown.out()).contains("1 would disappear:", "namespace/late");
        assertThat(head().revision()).isEqualTo(4);

        AdminRun forced = run("restore", file.toString(), "--force");
        assertThat(forced.code()).as(forced.err()).isZero();
        assertThat(head().revision()).isEqualTo(3);
        assertThat(head().epoch()).isEqualTo(2);
        assertThat(run("status").code()).isEqualTo(1);
        assertThat(run("token").err()).contains("quarantine");

        AdminRun asked = run("accept");
        assertThat(asked.code()).isEqualTo(2);
        assertThat(asked.out())
                .contains(
                        "the store was restored", "revision 3 of epoch 2", "unknown: c0, c1", "no answer is on record");
        assertThat(run("status").code()).isEqualTo(1);
        assertThat(run("accept", "--yes").code()).isZero();
        assertThat(run("status").code()).isZero();
        assertThat(run("accept").out()).contains("no quarantine");
    }

    @Test
    void aBackupIsRestoredIntoAnotherFolderWithItsKey() {
        seed(2);
        Path file = folder.resolve("backup");
        assertThat(run("backup", file.toString(), "--with-key").code()).isZero();
        String elsewhere = folder.resolve("elsewhere").toString();
        AdminRun restored = AdminRun.of(
                "restore",
                file.toString(),
                "--data",
                elsewhere,
                "--key",
                folder.resolve("backup.key").toString());
        assertThat(restored.code()).as(restored.err()).isZero();
        assertThat(AdminRun.of("status", "--data", elsewhere).code()).isEqualTo(1);
        assertThat(AdminRun.of("verify", "--data", elsewhere).code()).isZero();
        assertThat(AdminRun.of("accept", "--data", elsewhere, "--yes").code()).isZero();
        assertThat(AdminRun.of("token", "--data", elsewhere).code()).isZero();
    }

    @Test
    void aDamagedBackupIsRefusedAndChangesNothing() throws Exception {
        seed(2);
        Path file = folder.resolve("backup");
        assertThat(run("backup", file.toString()).code()).isZero();
        try (RandomAccessFile raw = new RandomAccessFile(file.toFile(), "rw")) {
            raw.setLength(raw.length() / 2);
        }
        AdminRun cut = run("restore", file.toString(), "--force");
        assertThat(cut.code()).isEqualTo(2);
        assertThat(cut.err()).contains("cut off");
        assertThat(head().epoch()).isEqualTo(1);
        Files.writeString(file, "not a backup");
        assertThat(run("restore", file.toString(), "--force").code()).isEqualTo(2);
    }

    @Test
    void redactBlanksAPastValueOnly() {
        seed(1);
        AdminRun present = run("redact", "3", "cluster/c0", "/owner", "--reason", "a secret");
        assertThat(present.code()).isEqualTo(2);
        assertThat(present.err()).contains("current version");
        try (SeededFleet fleet = SeededFleet.in(storage)) {
            fleet.write(new Operation.Edit(
                    new DocumentKey(Types.CLUSTER, "c0"),
                    body -> body.put("owner", "team-b"),
                    dev.homeport.write.Expected.ANY));
        }
        assertThat(run("redact", "3", "cluster/c0", "/owner", "--reason", "a secret")
                        .code())
                .isZero();
        AdminRun after = run("verify");
        assertThat(after.code()).isZero();
        assertThat(after.out()).contains("1 redacted");
        assertThat(run("redact", "3", "c0", "/owner", "--reason", "a secret").code())
                .isEqualTo(2);
        assertThat(run("redact", "3", "cluster/c0", "/owner").err()).contains("--reason");
        assertThat(run("redact", "3", "commit", "/reason", "--reason", "a secret")
                        .code())
                .isZero();
        assertThat(run("verify").out()).contains("2 redacted");
    }

    @Test
    void rekeyOverlapsUntilTheOldKeyIsForgotten() throws Exception {
        String old = run("token").out().strip();
        assertThat(run("rekey").code()).isZero();
        assertThat(Files.readAllLines(Path.of(data, "master.key"))).hasSize(2);
        String fresh = run("token").out().strip();
        assertThat(accepted(old)).isTrue();
        assertThat(accepted(fresh)).isTrue();
        AdminRun refused = run("rekey", "--forget-old");
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.out()).contains("made under an old key");
        assertThat(run("rekey", "--forget-old", "--force").code()).isZero();
        assertThat(accepted(old)).isFalse();
        assertThat(accepted(fresh)).isTrue();
        assertThat(run("rekey", "--lost").code()).isEqualTo(2);
        Files.delete(Path.of(data, "master.key"));
        assertThat(run("rekey").code()).isEqualTo(2);
        assertThat(run("rekey", "--lost").code()).isZero();
        assertThat(accepted(fresh)).isFalse();
    }

    @Test
    void aKeyFileThatIsNotTheStoresIsTakenOnlyWhenThatIsSaid() throws Exception {
        Path key = Path.of(data, "master.key");
        String own = Files.readString(key);
        Files.writeString(key, "ab".repeat(32) + "\n");
        AdminRun refused = run("token");
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains(key + " is not the key of this store", "rekey --lost --force");
        assertThat(run("rekey").err()).contains("is not the key of this store");
        assertThat(run("rekey", "--lost").err()).contains("--lost --force");
        assertThat(Files.readAllLines(key)).hasSize(1);
        assertThat(run("rekey", "--lost", "--force").code()).isZero();
        assertThat(accepted(run("token").out().strip())).isTrue();
        Files.writeString(key, own);
        assertThat(run("token").code()).isEqualTo(2);
    }

    @Test
    void anInterruptedRekeyLeavesAKeyThatFits() throws Exception {
        String before = run("token").out().strip();
        assertThat(run("rekey").code()).isZero();
        // No writer has used the new key yet, so the store still knows the old one.
        assertThat(accepted(before)).isTrue();
        assertThat(run("rekey", "--forget-old", "--force").code()).isZero();
        assertThat(run("token").code()).isZero();
    }

    @Test
    void aTokenIsMadeOnlyWhereNoServerWrites() throws Exception {
        try (SeededFleet running = SeededFleet.in(storage)) {
            AdminRun refused = run("token");
            assertThat(refused.code()).isEqualTo(2);
            assertThat(refused.err()).contains("another process writes", "/api/v2/tokens");
            assertThat(run("token", "--print-only").code()).isZero();
            assertThat(run("verify").code()).isZero();
            assertThat(run("backup", folder.resolve("b").toString()).code()).isZero();
            assertThat(run("restore", folder.resolve("b").toString(), "--force").code())
                    .isEqualTo(2);
        }
        String token =
                run("token", "--kind", "service", "--access", "reader").out().strip();
        assertThat(token).startsWith("hps_");
        assertThat(accepted(token)).isTrue();
    }

    /** Whether a server lets its bearer list clusters. */
    private boolean accepted(String token) throws Exception {
        try (ServerProcess server = ServerProcess.serve(Path.of(data))) {
            return RawPoll.get(server.poll(), "/api/v2/flux/clusters", token).status() == 200;
        }
    }

    private AdminRun run(String... arguments) {
        List<String> all = new java.util.ArrayList<>(List.of(arguments));
        all.addAll(List.of("--data", data));
        return AdminRun.of(all.toArray(String[]::new));
    }

    private void seed(int clusters) {
        try (SeededFleet fleet = SeededFleet.in(storage)) {
            fleet.clusters(clusters);
        }
    }

    private dev.homeport.change.Head head() {
        try (SqlStore store = storage.open(Opening.follower())) {
            return store.head();
        }
    }

    private void sql(String statement) throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + Path.of(data, "homeport.db"));
                Statement run = connection.createStatement()) {
            run.execute(statement);
        }
    }
}
