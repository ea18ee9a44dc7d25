package dev.homeport.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestServer;
import dev.homeport.testing.OutsideIn;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The observed store may be lost; what clusters are no longer given is found again in the log. */
@OutsideIn
class ForgottenRemovalTest {
    @TempDir
    Path folder;

    @Test
    void aRemovalThatWasGoingOnIsFollowedAgain() throws IOException {
        try (TestServer server = TestServer.in(folder)) {
            Flux flux = Flux.adopt(server, "forgets", "stays", "goes");
            flux.poll();
            server.admin()
                    .send(
                            "PATCH",
                            "/api/v2/clusters/forgets",
                            "{\"spec\":{\"platform_components\":[{\"id\":\"stays\"}]}}",
                            Map.of("Content-Type", "application/merge-patch+json"))
                    .expect(200);
            flux.poll();
            server.admin()
                    .patch("/api/v2/clusters/forgets", "{\"spec\":{\"labels\":{\"tier\":\"one\"}}}")
                    .expect(200);
            server.stop();
            try (DirectoryStream<Path> files = Files.newDirectoryStream(server.data(), "observed.db*")) {
                for (Path file : files) {
                    Files.delete(file);
                }
            }
            server.startAgain();

            Await.until(() -> removal(server), "pending"::equals);
            Flux again = flux.at(server.poll("").base());
            again.post(again.witness("type/namespaces", "ResourceSet", "True", "", ""))
                    .expect(202);
            again.poll();
            assertThat(removal(server)).isEqualTo("removing");
            again.post(again.absent("component/goes")).expect(202);
            again.post(again.absent("removal/platform-components/goes")).expect(202);
            assertThat(removal(server)).isEmpty();
        }
    }

    private static String removal(TestServer server) {
        return server.admin()
                .get("/api/v2/clusters/forgets/delivery")
                .expect(200)
                .at("/removals/0/state")
                .asString("");
    }
}
