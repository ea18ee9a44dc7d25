package dev.homeport.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.e2e.stack.Kind;
import dev.homeport.e2e.stack.Stack;
import dev.homeport.testing.OutsideIn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Two clusters of one fleet, each with an API server of its own. */
@OutsideIn
@ResourceLock(value = Stack.EMBEDDED, mode = ResourceAccessMode.READ)
@ResourceLock(value = Stack.FIRST, mode = ResourceAccessMode.READ)
@ResourceLock(value = Stack.SECOND, mode = ResourceAccessMode.READ)
class IsolationTest {
    @Test
    void eachSeesItsOwnStateAlone() {
        Managed one = Managed.first();
        Managed other = Managed.second();
        one.awaitHealthy("first-" + one.id);
        other.awaitHealthy("first-" + other.id);
        one.helm("only-one", "{}");
        one.assign("platform_components", "only-one");
        one.awaitHealthy("only-one");
        other.kube.reconcileEverything();
        assertThat(other.kube.find(Kind.RESOURCE_SET, "c-only-one")).isEmpty();
        assertThat(other.kube.belongings().keySet()).noneMatch(object -> object.contains(one.id));
        assertThat(one.kube.belongings().keySet()).noneMatch(object -> object.contains(other.id));
    }
}
