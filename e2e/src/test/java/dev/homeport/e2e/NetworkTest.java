package dev.homeport.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.homeport.e2e.stack.KubeCluster;
import dev.homeport.e2e.stack.OwnNetwork;
import dev.homeport.e2e.stack.Stack;
import dev.homeport.testing.OutsideIn;
import dev.homeport.testing.Requirement;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Who spoke to whom in all that the other tests did: this one comes last. */
@OutsideIn
@Isolated
@Order(Integer.MAX_VALUE)
class NetworkTest {
    private static final Managed MANAGED = Managed.first();

    @BeforeAll
    static void atLeastSomethingHappened() {
        MANAGED.helm("silent", "{}");
        MANAGED.assign("platform_components", "silent");
        MANAGED.awaitHealthy("silent");
    }

    @Test
    @Requirement("A10")
    void homeportConnectsToNobody() {
        OwnNetwork network = Stack.network()
                .orElseGet(() -> abort("NOT SHOWN: that Homeport opens no connections. For the kernel to count its"
                        + " connections it needs a network of its own, which takes root, unshare, nsenter and ip"));
        assertThat(network.connectionsTaken())
                .as("all that the other tests did was in this network")
                .isGreaterThan(500);
        assertThat(network.connectionsAskedFor()).isZero();
        assertThat(network.datagramsSent()).isZero();
    }

    @Test
    @Requirement(value = "A15", part = "two hosts: Homeport and the registry")
    void aClusterNeedsHomeportAndTheRegistryAlone() {
        Set<String> outside = new TreeSet<>();
        for (String program : KubeCluster.PROGRAMS) {
            Set<String> reached = Stack.connections().openedBy("a " + program);
            assertThat(reached).as(program + " was seen at all").isNotEmpty();
            outside.addAll(reached);
        }
        outside.removeAll(MANAGED.kube.insideAddresses());
        assertThat(outside)
                .isSubsetOf(
                        Stack.gateway().url().substring("https://".length()),
                        Catalog.chart().substring("oci://".length()).replaceAll("/.*", ""));
        assertThat(outside)
                .as("Homeport was seen")
                .contains(Stack.gateway().url().substring("https://".length()));
    }
}
