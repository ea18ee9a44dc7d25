package dev.homeport.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.e2e.stack.Await;
import dev.homeport.e2e.stack.Kind;
import dev.homeport.testing.OutsideIn;
import dev.homeport.testing.Requirement;
import java.time.Duration;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** From nothing to a managed cluster, on each store. The other tests use the same clusters, so this one comes first. */
@OutsideIn
@Order(1)
class AdoptionTest {
    @Test
    @Requirement("C1")
    void onTheEmbeddedStore() {
        everythingAppears(Managed.first());
    }

    @Test
    @Requirement("C1")
    void onPostgresql() {
        everythingAppears(Managed.onPostgres());
    }

    private static void everythingAppears(Managed managed) {
        Await.until("every type was polled and is what it shall be", () -> {
            JsonNode types = managed.homeport
                    .get("/api/v2/clusters/" + managed.id + "/delivery")
                    .expect(200)
                    .at("/types");
            return types.size() == Managed.TYPES.size()
                    && Managed.TYPES.stream()
                            .allMatch(type -> types.path(type).path("current").asBoolean());
        });
        assertThat(Duration.ofNanos(System.nanoTime() - managed.created))
                .as("from the document to the first right poll")
                .isLessThan(Duration.ofMinutes(1));

        String name = "first-" + managed.id;
        assertThat(managed.kube.await(Kind.NAMESPACE, "", name).getMetadata().getLabels())
                .containsEntry("team", "a");
        managed.kube.await(Kind.CLUSTER_ROLE_BINDING, "", name);
        managed.awaitHealthy(name);
        Await.holds(
                "the chart's defaults are running",
                () -> assertThat(managed.running(name).path("replicas").asInt()).isEqualTo(1));
    }
}
