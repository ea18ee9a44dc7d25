package dev.homeport.server.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import dev.homeport.observe.GivenAnswer;
import dev.homeport.observe.Observations;
import dev.homeport.server.storage.Storage;
import dev.homeport.store.Opening;
import dev.homeport.write.Expected;
import dev.homeport.write.Operation;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** What `accept` says about clusters after a restore is what then happens to them, or that it is not known. */
class RestoreReviewTest {
    private static final List<String> TYPES = List.of("platform-components", "namespaces", "rolebindings");

    @TempDir
    private Path folder;

    private String data;
    private Path backup;
    private Storage storage;
    private List<String> tokens;

    @BeforeEach
    void aFleetWithABackup() throws Exception {
        data = folder.resolve("data").toString();
        storage = SeededFleet.storage("--data", data);
        assertThat(AdminRun.of("init", "--data", data).code()).isZero();
        try (SeededFleet fleet = SeededFleet.in(storage)) {
            tokens = fleet.clusters(3);
        }
        try (ServerProcess server = ServerProcess.serve(Path.of(data))) {
            poll(server, 0);
            poll(server, 1);
            awaitGiven(6);
        }
        backup = folder.resolve("backup");
        assertThat(AdminRun.of("backup", backup.toString(), "--data", data, "--with-key")
                        .code())
                .isZero();
    }

    private static String path(int cluster, String plural) {
        return "/api/v2/flux/clusters/c" + cluster + ".k8s.example.com/sets/" + plural;
    }

    private void poll(ServerProcess server, int cluster) {
        for (String plural : TYPES) {
            assertThat(RawPoll.get(server.poll(), path(cluster, plural), tokens.get(cluster))
                            .status())
                    .isEqualTo(200);
        }
    }

    private List<GivenAnswer> given() {
        try (Observations observed = storage.observed(Opening.Mode.FOLLOWER)) {
            return observed.given();
        }
    }

    private void awaitGiven(int rows) throws InterruptedException {
        for (int tries = 0; given().size() < rows; tries++) {
            assertThat(tries).as("waiting for answers to be recorded").isLessThan(600);
            Thread.sleep(100);
        }
    }

    /** After the backup c0 gets a component, a stateful one, and two namespaces of which one is kept. */
    private void changeAndPoll() throws Exception {
        try (SeededFleet fleet = SeededFleet.in(storage)) {
            fleet.write(
                    component("late", "{}"),
                    component("late-db", "{\"stateful\": true}"),
                    SeededFleet.create(Types.NAMESPACE, "late-kept", "{}"),
                    SeededFleet.create(Types.NAMESPACE, "late-short", "{\"keep\": false}"),
                    new Operation.Edit(
                            new DocumentKey(Types.CLUSTER, "c0"),
                            body -> body.setAll(StrictJson.read("""
                                    {"platform_components": [{"id": "podinfo"}, {"id": "late"}, {"id": "late-db"}],
                                     "namespaces": [{"id": "late-kept"}, {"id": "late-short"}]}""")),
                            Expected.ANY));
        }
        try (ServerProcess server = ServerProcess.serve(Path.of(data))) {
            poll(server, 0);
            for (int tries = 0; given().stream().noneMatch(RestoreReviewTest::hasLate); tries++) {
                assertThat(tries)
                        .as("waiting for the new answer to be recorded")
                        .isLessThan(600);
                Thread.sleep(100);
            }
        }
    }

    private static boolean hasLate(GivenAnswer answer) {
        return answer.items()
                .map(items -> items.removed().contains("late-short"))
                .orElse(false);
    }

    private static Operation component(String id, String more) {
        ObjectNode body = StrictJson.read("""
                {"component_path": "apps/x/1.0.0", "component_version": "1.0.0", "kind": "helm",
                 "oci_url": "oci://registry.example.com/platform/x", "oci_tag": "v1.0.0"}""");
        body.setAll(StrictJson.read(more));
        return new Operation.Create(new DocumentKey(Types.PLATFORM_COMPONENT, id), body);
    }

    @Test
    void whatGoesIsListedAndNothingElse() throws Exception {
        changeAndPoll();
        assertThat(AdminRun.of("restore", backup.toString(), "--force", "--data", data)
                        .code())
                .isZero();
        // A server that ran in quarantine changes nothing in what is known.
        try (ServerProcess server = ServerProcess.serve(Path.of(data))) {
            assertThat(RawPoll.get(server.poll(), path(0, "namespaces"), tokens.getFirst())
                            .status())
                    .isEqualTo(503);
            awaitRefused(1);
        }
        String out = AdminRun.of("accept", "--data", data).out();
        assertThat(out)
                .contains("1 clusters keep the answer they have; 1 would get another one; of 1 it is unknown")
                .contains("other answer: c0\n")
                .contains("unknown: c2\n")
                .contains("  deletes platform-components/late; stops managing platform-components/late-db\n")
                .contains("  deletes namespaces/late-short; stops managing namespaces/late-kept\n")
                .contains("1 polls of 1 names in quarantine");
        assertThat(out.lines().filter(line -> line.contains("deletes"))).hasSize(2);
        assertThat(AdminRun.of("accept", "--yes", "--data", data).code()).isZero();
        assertThat(AdminRun.of("status", "--data", data).out()).doesNotContain("in quarantine");
    }

    private void awaitRefused(int polls) throws InterruptedException {
        for (int tries = 0;
                !AdminRun.of("status", "-o", "json", "--data", data)
                        .out()
                        .contains("\"polls_refused_in_quarantine\" : " + polls);
                tries++) {
            assertThat(tries).as("waiting for refused polls to be counted").isLessThan(600);
            Thread.sleep(100);
        }
    }

    @Test
    void inANewFolderNothingCountsAsUnchanged() throws Exception {
        changeAndPoll();
        String other = folder.resolve("other").toString();
        assertThat(AdminRun.of("restore", backup.toString(), "--data", other, "--key", backup + ".key")
                        .code())
                .isZero();
        try (ServerProcess server = ServerProcess.serve(Path.of(other))) {
            assertThat(RawPoll.get(server.poll(), path(0, "namespaces"), tokens.getFirst())
                            .status())
                    .isEqualTo(503);
        }
        assertThat(AdminRun.of("accept", "--data", other).out())
                .contains("0 clusters keep the answer they have; 0 would get another one; of 3 it is unknown")
                .contains("unknown: c0, c1\n  answers are on record up to the backup")
                .contains("unknown: c2\n  no answer is on record");
    }

    @Test
    void aBackupOfAnOlderReleaseIsRestoredAndOneThatIsCutOffIsNot() throws Exception {
        List<String> lines = lines();
        int end = 0;
        while (!lines.get(end).startsWith("{\"end\"")) {
            end++;
        }
        assertThat(lines.subList(end + 1, lines.size())).hasSize(7);
        Path old = write("old", lines.subList(0, end + 1));
        Path cut = write("cut", lines.subList(0, lines.size() - 1));
        String other = folder.resolve("other").toString();
        AdminRun refused = AdminRun.of("restore", cut.toString(), "--data", other, "--key", backup + ".key");
        assertThat(refused.code()).isNotZero();
        assertThat(refused.err()).contains("cut off");
        assertThat(Files.exists(Path.of(other, "homeport.db"))).isFalse();
        assertThat(AdminRun.of("restore", old.toString(), "--data", other, "--key", backup + ".key")
                        .code())
                .isZero();
        assertThat(AdminRun.of("accept", "--data", other).out()).contains("unknown: c0, c1, c2");
    }

    /** As after an older release. */
    @Test
    void whatWasPolledBeforeAnswersWereRecordedIsRecordedAtTheStart() throws Exception {
        List<GivenAnswer> before = given();
        observed("DELETE FROM given_answer");
        try (ServerProcess server = ServerProcess.serve(Path.of(data))) {
            assertThat(server.poll()).isNotNull();
            awaitGiven(before.size());
        }
        assertThat(given())
                .extracting(GivenAnswer::digest, GivenAnswer::items)
                .containsExactlyElementsOf(before.stream()
                        .map(answer -> tuple(answer.digest(), answer.items()))
                        .toList());
        assertThat(before).allMatch(answer -> answer.items().isPresent());
    }

    private void observed(String statement) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + Path.of(data, "observed.db"));
                Statement one = connection.createStatement()) {
            one.execute(statement);
        }
    }

    /** As an observed store is that no server of this release has opened yet. */
    @Test
    void withoutTheRecordOfAnswersABackupIsMadeAndTheLastPollsCount() throws Exception {
        observed("DROP TABLE given_answer");
        Path other = folder.resolve("without");
        AdminRun made = AdminRun.of("backup", other.toString(), "--data", data);
        assertThat(made.code()).as(made.err()).isZero();
        assertThat(made.err()).contains("does not say what clusters were given");
        AdminRun restored = AdminRun.of("restore", other.toString(), "--force", "--data", data);
        assertThat(restored.code()).as(restored.err()).isZero();
        assertThat(AdminRun.of("accept", "--data", data).out())
                .contains("2 clusters keep the answer they have; 0 would get another one; of 1 it is unknown")
                .contains("unknown: c2\n");
    }

    private List<String> lines() throws IOException {
        try (BufferedReader in = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(backup)), StandardCharsets.UTF_8))) {
            return in.lines().toList();
        }
    }

    private Path write(String name, List<String> lines) throws IOException {
        Path file = folder.resolve(name);
        try (Writer out =
                new OutputStreamWriter(new GZIPOutputStream(Files.newOutputStream(file)), StandardCharsets.UTF_8)) {
            for (String line : lines) {
                out.write(line + "\n");
            }
        }
        return file;
    }
}
