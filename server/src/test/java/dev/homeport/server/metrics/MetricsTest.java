package dev.homeport.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestClient;
import dev.homeport.server.TestServer;
import dev.homeport.testing.OutsideIn;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@OutsideIn
class MetricsTest {
    @Test
    void countsWhatHappenedAndNamesNoCluster(@TempDir Path folder) throws InterruptedException {
        try (TestServer server = TestServer.in(folder)) {
            server.admin().post("/clusters", """
                            {"id": "telltale", "cluster_name": "telltale", "cluster_dns": "telltale.example.com",
                             "environment": "dev"}""").expect(200);
            String polls = "/api/v2/flux/clusters/telltale.example.com/";
            server.poll(server.adminToken()).get(polls + "namespaces").expect(200);
            server.poll(server.adminToken()).get(polls + "namespaces").expect(200);
            server.poll(server.adminToken()).get(polls + "sets/namespaces").expect(200);
            server.poll(server.adminToken()).get(polls + "made-up-type").expect(404);
            server.poll("wrong").get(polls + "rolebindings").expect(401);
            server.admin("").get("/metrics").expect(401);

            TestClient.Answer page = server.admin().get("/metrics").expect(200);
            for (int i = 0; i < 1_000 && !page.text().contains("state=\"in-sync\""); i++) {
                Thread.sleep(50); // states follow a moment later
                page = server.admin().get("/metrics").expect(200);
            }
            assertThat(page.header("Content-Type")).startsWith("text/plain");
            String text = page.text();
            assertThat(text)
                    .contains("homeport_polls_total{outcome=\"ok\",resource=\"namespaces\",shape=\"flat\"} 2.0")
                    .contains("homeport_polls_total{outcome=\"ok\",resource=\"namespaces\",shape=\"set\"} 1.0")
                    .contains("homeport_polls_total{outcome=\"not_found\",resource=\"other\",shape=\"flat\"} 1.0")
                    .contains("homeport_polls_total{outcome=\"unauthenticated\",resource=\"rolebindings\"")
                    .contains("homeport_poll_duration_seconds_bucket")
                    .contains("homeport_payload_bytes_count 3")
                    .contains("homeport_clusters{environment=\"dev\",state=\"in-sync\"} 1.0")
                    .contains("homeport_documents{type=\"cluster\"} 1.0")
                    .contains("homeport_admin_request_duration_seconds_count{route=\"root_clusters_create\","
                            + "status=\"200\"} 1")
                    .contains("homeport_plan_duration_seconds_count")
                    .contains("homeport_commits_total")
                    .contains("homeport_revision")
                    .contains("homeport_follower_age_seconds")
                    .contains("homeport_answer_cache_bytes")
                    .contains("homeport_stream_clients 0")
                    .contains("homeport_build_info")
                    .contains("jvm_memory_used_bytes");
            assertThat(text).doesNotContain("telltale").doesNotContain("made-up-type");
        }
    }
}
