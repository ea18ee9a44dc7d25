package dev.homeport.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.e2e.stack.Await;
import dev.homeport.e2e.stack.Kind;
import dev.homeport.testing.OutsideIn;
import dev.homeport.testing.Requirement;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** A cluster leaves for good; so no test comes after this that needs it. */
@OutsideIn
@Isolated
@Order(Integer.MAX_VALUE - 1)
class FarewellTest {
    private final Managed managed = Managed.onPostgres();

    @Test
    @Requirement("C6")
    void whatIsDrainedCanBePurgedAndItsTokenEnds() {
        String name = "first-" + managed.id;
        managed.awaitHealthy(name);
        managed.kube.await(Kind.NAMESPACE, "", name);
        managed.homeport
                .send("POST", "/api/v2/clusters/" + managed.id + ":decommission?delete_namespaces=true", "", Map.of())
                .expect(200);
        // There is something left on it.
        managed.homeport
                .send("POST", "/api/v2/clusters/" + managed.id + ":purge", "", Map.of())
                .expect(409);
        Await.until(
                "the cluster has reported that everything is gone",
                () -> managed.homeport.cluster(managed.id).at("/status/drained").asBoolean(false),
                () -> managed.homeport
                                .get("/api/v2/clusters/" + managed.id + "/delivery")
                                .text()
                        + managed.kube.describe());
        // Flux reports it a moment before the last finalizer is off.
        Await.until(
                "what was reported gone is gone",
                () -> managed.kube.list(Kind.HELM_RELEASE).isEmpty()
                        && managed.kube.list(Kind.KUSTOMIZATION).isEmpty()
                        && managed.kube
                                .find(Kind.CLUSTER_ROLE_BINDING, "", name)
                                .isEmpty(),
                managed.kube::describe);
        Await.until(
                "the sets that made them have gone, with what they were made from",
                () -> managed.kube.list(Kind.OCI_REPOSITORY).isEmpty()
                        && managed.kube.list(Kind.RESOURCE_SET).stream()
                                .noneMatch(set -> set.getMetadata().getName().startsWith("c-")),
                managed.kube::describe);
        Await.until(
                "its namespaces are gone too, as was asked for",
                () -> managed.kube.find(Kind.NAMESPACE, "", name).isEmpty(),
                managed.kube::describe);
        Map<String, String> left = managed.kube.settledBelongings();

        managed.homeport.verb(managed.id, "purge");
        managed.homeport.get("/api/v2/clusters/" + managed.id).expect(404);
        managed.kube.awaitEachRefused(401);
        managed.kube.reconcileEverything();
        assertThat(managed.kube.belongings()).isEqualTo(left);
    }
}
