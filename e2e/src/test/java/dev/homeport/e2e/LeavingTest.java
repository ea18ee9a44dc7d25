package dev.homeport.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.e2e.stack.Await;
import dev.homeport.e2e.stack.Kind;
import dev.homeport.e2e.stack.Stack;
import dev.homeport.testing.OutsideIn;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import tools.jackson.databind.JsonNode;

/** The end of a cluster's life with Homeport, and the ways back. */
@OutsideIn
@Order(3)
@ResourceLock(Stack.POSTGRES)
class LeavingTest {
    private final Managed managed = Managed.onPostgres();

    @Test
    void decommissioningEmptiesTheClusterAndUndeletingFillsItAgain() {
        String name = "first-" + managed.id;
        managed.awaitHealthy(name);
        managed.homeport.verb(managed.id, "decommission");
        managed.awaitGone(name);
        Await.until(
                "no component and no role binding is left",
                () -> managed.kube.find(Kind.CLUSTER_ROLE_BINDING, "", name).isEmpty()
                        && managed.kube.list(Kind.HELM_RELEASE).isEmpty()
                        && managed.kube.list(Kind.OCI_REPOSITORY).isEmpty(),
                managed.kube::describe);
        assertThat(managed.kube.find(Kind.NAMESPACE, "", name))
                .as("namespaces are kept by default")
                .isPresent();

        managed.homeport.verb(managed.id, "undelete");
        managed.awaitHealthy(name);
        managed.kube.await(Kind.CLUSTER_ROLE_BINDING, "", name);
    }

    @Test
    void aStatefulComponentIsNamedAsWhatKeepsTheClusterFromDraining() {
        managed.helm("ledger", "{\"stateful\": true}");
        managed.assign("platform_components", "ledger");
        managed.awaitHealthy("ledger");
        managed.homeport.verb(managed.id, "decommission");
        managed.awaitGone("first-" + managed.id);
        Await.until(
                "only what is stateful is left, and named",
                () -> {
                    JsonNode left = managed.homeport.cluster(managed.id).at("/status/left");
                    return left.size() == 1
                            && left.get(0).asString("").contains("platform_component/ledger: it is stateful");
                },
                () -> managed.homeport.cluster(managed.id) + "\n" + managed.kube.describe());
        assertThat(managed.homeport
                        .send("POST", "/api/v2/clusters/" + managed.id + ":purge", "", Map.of())
                        .expect(409)
                        .text())
                .contains("platform_component/ledger: it is stateful");
        assertThat(managed.kube.find(Kind.RESOURCE_SET, "c-ledger")).isPresent();
        managed.homeport.verb(managed.id, "undelete");
        managed.awaitHealthy("first-" + managed.id);
        managed.homeport.patch("platform-components", "ledger", "{\"stateful\": false}");
        Await.until(
                "it may be pruned",
                () -> managed.kube
                        .find(Kind.RESOURCE_SET, "c-ledger")
                        .filter(set -> !set.getMetadata().getAnnotations().containsKey("fluxcd.controlplane.io/prune"))
                        .isPresent(),
                managed.kube::describe);
        managed.unassign("platform_components", "ledger");
        managed.awaitGone("ledger");
    }

    @Test
    void detachingLeavesTheClusterAlone() {
        managed.awaitHealthy("first-" + managed.id);
        Map<String, String> before = managed.kube.settledBelongings();
        managed.homeport.verb(managed.id, "detach");
        managed.kube.awaitEachRefused(410);
        managed.kube.reconcileEverything();
        assertThat(managed.kube.belongings()).isEqualTo(before);
        managed.homeport.verb(managed.id, "undelete");
        managed.kube.reconcileEverything();
        managed.kube.awaitEachReady(Kind.PROVIDER);
        assertThat(managed.kube.belongings()).isEqualTo(before);
    }
}
