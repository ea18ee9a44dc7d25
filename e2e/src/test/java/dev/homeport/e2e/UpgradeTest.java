package dev.homeport.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.e2e.stack.Await;
import dev.homeport.e2e.stack.Stack;
import dev.homeport.testing.OutsideIn;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import tools.jackson.databind.JsonNode;

/** A new version for one cluster, then for all. No other change happens meanwhile. */
@OutsideIn
@Order(6)
@ResourceLock(value = Stack.FIRST, mode = ResourceAccessMode.READ)
@ResourceLock(Stack.SECOND)
@ResourceLock(value = Stack.EMBEDDED, mode = ResourceAccessMode.READ)
class UpgradeTest {
    private final Managed dev = Managed.first();
    private final Managed prod = Managed.second();

    @Test
    void aCanaryAndAHotfixReachOneClusterAndAnUpgradeTheRest() {
        dev.helm("upgraded", "{}");
        dev.assign("platform_components", "upgraded");
        prod.assign("platform_components", "upgraded");
        dev.awaitHealthy("upgraded");
        prod.awaitHealthy("upgraded");
        JsonNode others = prod.homeport.answer(prod.id, "platform-components");
        dev.assign("platform_components", "upgraded", "{\"oci_tag\":\"" + Catalog.NEW + "\"}");
        Await.holds(
                "the canary runs the new version",
                () -> assertThat(dev.runningVersion("upgraded")).isEqualTo(Catalog.NEW));
        assertThat(prod.homeport.answer(prod.id, "platform-components"))
                .as("the other cluster's answer is the same to the byte")
                .isEqualTo(others);
        assertThat(prod.runningVersion("upgraded")).isEqualTo(Catalog.OLD);

        dev.homeport.patch("platform-components", "upgraded", "{\"oci_tag\":\"" + Catalog.NEW + "\"}");
        Await.holds(
                "the rest follows",
                () -> assertThat(prod.runningVersion("upgraded")).isEqualTo(Catalog.NEW));
        assertThat(dev.runningVersion("upgraded")).isEqualTo(Catalog.NEW);
    }
}
