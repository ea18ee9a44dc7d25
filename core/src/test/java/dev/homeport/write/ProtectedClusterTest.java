package dev.homeport.write;

import static dev.homeport.support.TestFleet.delete;
import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.api.ErrorCode;
import dev.homeport.document.Types;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.support.FleetTest;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Whatever takes a protected cluster away needs a confirmation, also where the cluster loses nothing by it. */
class ProtectedClusterTest extends FleetTest {
    private static final List<Operation> TAKEN_AWAY = List.of(
            delete(Types.CLUSTER, "guarded"),
            new Operation.Decommission("guarded", Optional.empty()),
            new Operation.Detach("guarded"));

    @Test
    void itNeedsAConfirmationAloneAndAmongOthers() {
        fleet.cluster("guarded", "dev", "{\"protected\": true}");
        fleet.cluster("other", "dev", "{}");
        for (Operation operation : TAKEN_AWAY) {
            refused(ErrorCode.CONFIRMATION_REQUIRED, () -> fleet.write(operation));
            refused(ErrorCode.CONFIRMATION_REQUIRED, () -> fleet.write(operation, delete(Types.CLUSTER, "other")));
        }
        assertThat(ClusterLife.of(fleet.document(Types.CLUSTER_LIFE, "guarded")).phase())
                .isEqualTo(ClusterLife.Phase.ACTIVE);
        fleet.confirm(new Operation.Detach("guarded"));
        refused(ErrorCode.CONFIRMATION_REQUIRED, () -> fleet.write(new Operation.Purge("guarded", true)));
    }

    @Test
    void theLastEnvironmentIsProtectedWithoutSayingSo() {
        fleet.cluster("guarded", "prod", "{}");
        for (Operation operation : TAKEN_AWAY) {
            refused(ErrorCode.CONFIRMATION_REQUIRED, () -> fleet.write(operation));
        }
    }
}
