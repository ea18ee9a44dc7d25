package dev.homeport.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.access.Actor;
import dev.homeport.change.AppendResult;
import dev.homeport.change.Change;
import dev.homeport.change.Proposal;
import dev.homeport.document.Body;
import dev.homeport.document.Document;
import dev.homeport.document.Types;
import dev.homeport.server.TestClient;
import dev.homeport.server.TestServer;
import dev.homeport.server.storage.Storage;
import dev.homeport.store.SqlStore;
import dev.homeport.store.Stores;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** Polls of a server that only reads, while one commit changes the whole fleet. {@code ./bench/run poll --only commit} does it with 50,000. */
@Timeout(120)
class LargeCommitTest {
    private static final int CLUSTERS = 1_000;
    private static final int COMMITS = 3;
    private static final String PATH = "/api/v2/flux/clusters/c-%d.example.com/platform-components";

    @TempDir
    private Path folder;

    private String token = "";

    private static String operations() {
        return IntStream.range(0, CLUSTERS)
                .mapToObj(
                        i -> "{\"op\": \"create\", \"type\": \"cluster\", \"id\": \"c-" + i
                                + "\", \"spec\": {\"cluster_name\": \"c-" + i + "\", \"cluster_dns\": \"c-" + i
                                + ".example.com\", \"environment\": \"dev\", \"owner\": \"team\", \"platform_components\": [{\"id\": \"part\"}]}}")
                .collect(Collectors.joining(","));
    }

    private void fill() {
        try (TestServer crud = TestServer.in(folder)) {
            token = crud.adminToken();
            String component = "{\"op\": \"create\", \"type\": \"platform_component\", \"id\": \"part\", \"spec\":"
                    + " {\"component_path\": \"apps/part\", \"component_version\": \"1.0.0\", \"kind\": \"kustomize\","
                    + " \"oci_url\": \"oci://registry.example.com/part\", \"oci_tag\": \"1.0.0\"}},";
            crud.admin()
                    .post(
                            "/api/v2/changes",
                            "{\"reason\": \"a fleet\", \"operations\": [" + component + operations() + "]}")
                    .expect(201);
        }
    }

    private static long changeAll(SqlStore store, int round) {
        List<Change> changes = new ArrayList<>();
        for (Document cluster : store.documentsAt(Types.CLUSTER, store.head().revision())) {
            ObjectNode body = cluster.tree();
            body.putObject("patches").putObject("part").put("ROUND", "round-" + round);
            changes.add(new Change.Put(cluster.key(), Body.of(body)));
        }
        assertThat(changes).hasSize(CLUSTERS);
        AppendResult result = store.append(new Proposal(
                store.head(), Actor.SYSTEM, "one", Instant.now(), "", Optional.empty(), Map.of(), changes));
        assertThat(result).isInstanceOf(AppendResult.Appended.class);
        return store.head().revision();
    }

    @Test
    void noPollIsRefusedWhileACommitThatChangesEveryClusterIsApplied() throws Exception {
        fill();
        AtomicBoolean over = new AtomicBoolean();
        List<String> refused = new ArrayList<>();
        // More than a busy machine needs; what is confirmed too late, or never, is noticed all the same.
        Map<String, String> flags = Map.of("--mode", "read-only", "--poll-rate", "0", "--freshness-ms", "15000");
        try (TestServer reader = TestServer.in(folder, flags);
                SqlStore store = Stores.sqlite(reader.data(), Storage.writer())) {
            TestClient client = reader.poll(token);
            Thread polls = Thread.ofPlatform().start(() -> {
                for (int i = 0; !over.get(); i++) {
                    TestClient.Answer answer = client.get(PATH.formatted(i % CLUSTERS));
                    if (answer.status() != 200) {
                        refused.add(answer.status() + " " + answer.text());
                    }
                }
            });
            for (int round = 0; round < COMMITS; round++) {
                long revision = changeAll(store, round);
                TestClient.Answer answer = client.get(PATH.formatted(1));
                while (Long.parseLong(answer.header("Homeport-Revision")) < revision) {
                    answer = client.get(PATH.formatted(1));
                }
                assertThat(answer.text()).contains("round-" + round);
            }
            over.set(true);
            polls.join();
            assertThat(refused).isEmpty();
        }
    }
}
