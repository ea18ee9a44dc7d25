package dev.homeport.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.api.HomeportClient;
import dev.homeport.api.ServerAddress;
import dev.homeport.server.TestServer;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clusters are made in packs, and once. */
class EnrolmentTest {
    @TempDir
    Path folder;

    @Test
    void aSecondRunMakesOnlyWhatIsMissing() throws Exception {
        try (TestServer server = TestServer.in(folder, Map.of("--poll-rate", "0"))) {
            HomeportClient admin = new HomeportClient(new ServerAddress(
                    URI.create(server.admin().base()), Optional.of(server.adminToken()), Optional.empty(), line -> {}));
            List<Integer> progress = new ArrayList<>();
            Enrolment enrolment = new Enrolment(admin, server.poll("").base(), "pack");
            List<Identity> first = enrolment.enrol(3, done -> {});
            List<Identity> again = enrolment.enrol(1203, progress::add);
            assertThat(first).extracting(Identity::id).containsExactly("pack-000000", "pack-000001", "pack-000002");
            assertThat(again).hasSize(1203).extracting(Identity::token).doesNotHaveDuplicates();
            assertThat(again.subList(0, 3))
                    .extracting(Identity::eventKey)
                    .containsExactlyElementsOf(
                            first.stream().map(Identity::eventKey).toList());
            assertThat(progress).hasSize(3).contains(1203);
            for (Identity one : List.of(first.getFirst(), again.getFirst(), again.getLast())) {
                server.poll(one.token())
                        .get("/api/v2/flux/clusters/" + one.dns() + "/sets/types")
                        .expect(200);
            }
            assertThat(admin.get("/api/v2/changes?page_size=100")
                            .body()
                            .path("items")
                            .size())
                    .as("a handful of commits, not one for each cluster")
                    .isBetween(5, 30);
        }
    }
}
