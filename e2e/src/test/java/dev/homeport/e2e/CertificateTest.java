package dev.homeport.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.e2e.stack.Kind;
import dev.homeport.e2e.stack.KubeCluster;
import dev.homeport.e2e.stack.Stack;
import dev.homeport.testing.OutsideIn;
import dev.homeport.testing.Requirement;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A cluster that shows a certificate of its own and has no token. */
@OutsideIn
@Order(6)
@Execution(ExecutionMode.CONCURRENT)
class CertificateTest {
    private final Managed managed = Managed.second();

    @Test
    @Requirement(value = "A15", part = "mTLS")
    @ResourceLock(value = Stack.EMBEDDED, mode = ResourceAccessMode.READ)
    @ResourceLock(value = Stack.SECOND, mode = ResourceAccessMode.READ)
    void aCertificateIsAllThatAClusterNeeds() {
        assertThat(managed.kube
                        .client()
                        .secrets()
                        .inNamespace(KubeCluster.NAMESPACE)
                        .withName("homeport-token")
                        .get())
                .isNull();
        assertThat(managed.homeport
                        .get("/api/v2/tokens?filter=subject=" + managed.id)
                        .expect(200)
                        .at("/items"))
                .as("Homeport knows no token of it either")
                .isEmpty();
        managed.helm("certified", "{}");
        managed.assign("platform_components", "certified");
        managed.awaitHealthy("certified");

        managed.showCertificateOf(managed.id);
        managed.kube.reconcileEverything();
        managed.kube.awaitEachReady(Kind.PROVIDER);
        managed.unassign("platform_components", "certified");
        managed.awaitGone("certified");
    }

    @Test
    @ResourceLock(value = Stack.EMBEDDED, mode = ResourceAccessMode.READ)
    @ResourceLock(Stack.SECOND)
    void theCertificateOfAnotherClusterOpensNothingAndDeletesNothing() {
        managed.awaitHealthy("first-" + managed.id);
        Map<String, String> before = managed.kube.settledBelongings();
        managed.homeport.create("clusters", "certified-too", """
                {"cluster_name": "certified-too", "cluster_dns": "certified-too.k8s.example.com",
                 "environment": "dev", "owner": "team-a"}""");
        managed.showCertificateOf("certified-too");
        managed.kube.awaitEachRefused(404);
        managed.kube.reconcileEverything();
        assertThat(managed.kube.belongings()).isEqualTo(before);
        managed.showCertificateOf(managed.id);
        managed.kube.reconcileEverything();
        managed.kube.awaitEachReady(Kind.PROVIDER);
        assertThat(managed.kube.belongings()).isEqualTo(before);
    }
}
