package dev.homeport.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.e2e.stack.Await;
import dev.homeport.e2e.stack.Kind;
import dev.homeport.e2e.stack.Stack;
import dev.homeport.testing.OutsideIn;
import dev.homeport.testing.Requirement;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** From nothing to a managed cluster, on each store. The other tests use the same clusters. */
@OutsideIn
@Order(1)
@Execution(ExecutionMode.CONCURRENT)
class AdoptionTest {
    @Test
    @Requirement("C1")
    @ResourceLock(value = Stack.EMBEDDED, mode = ResourceAccessMode.READ)
    @ResourceLock(value = Stack.FIRST, mode = ResourceAccessMode.READ)
    void onTheEmbeddedStore() {
        everythingAppears(Managed.first());
    }

    @Test
    @Requirement("C1")
    @ResourceLock(value = Stack.EMBEDDED, mode = ResourceAccessMode.READ)
    @ResourceLock(value = Stack.SECOND, mode = ResourceAccessMode.READ)
    void onTheEmbeddedStoreWithACertificate() {
        everythingAppears(Managed.second());
    }

    @Test
    @Requirement("C1")
    @ResourceLock(Stack.POSTGRES)
    void onPostgresql() {
        everythingAppears(Managed.onPostgres());
    }

    private static void everythingAppears(Managed managed) {
        assertThat(managed.homeport
                        .cluster(managed.id)
                        .at("/status/flux_operator_version")
                        .asString(""))
                .as("what polls says which version it is")
                .isNotBlank();

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
