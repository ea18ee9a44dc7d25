package dev.homeport.write;

import static dev.homeport.support.TestFleet.creation;
import static dev.homeport.support.TestFleet.delete;
import static dev.homeport.support.TestFleet.edit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.support.FleetTest;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** That a cluster cannot have polled is known from the log, or not at all. */
class UnservedTest extends FleetTest {
    private static final String TOKEN = """
            {"kind": "cluster", "subject": "c1", "hash": "%s" }""".formatted("0".repeat(64));

    @BeforeEach
    void oneClusterThatTheObservedStoreKnowsNothingOf() {
        fleet.component("grafana");
        fleet.cluster("c1", "dev", GRAFANA);
        fleet.contact.polled.clear();
    }

    private Optional<ClusterLife.Phase> deleted() {
        fleet.confirm(delete(Types.CLUSTER, "c1"));
        return fleet.snapshot()
                .find(new DocumentKey(Types.CLUSTER, "c1"))
                .map(cluster -> ClusterLife.of(fleet.snapshot().document(Types.CLUSTER_LIFE, "c1"))
                        .phase());
    }

    @Test
    void aClusterWithoutTokenAndPollGoesAtOnce() {
        assertThat(deleted()).isEmpty();
    }

    @Test
    void aClusterThatHadATokenMayHavePolled() {
        committed(creation(Types.TOKEN, "t1", TOKEN));
        assertThat(deleted()).contains(ClusterLife.Phase.LEAVING);
    }

    @Test
    void aTokenThatIsGoneAgainWasStillThere() {
        committed(creation(Types.TOKEN, "t1", TOKEN));
        committed(delete(Types.TOKEN, "t1"));
        assertThat(deleted()).contains(ClusterLife.Phase.LEAVING);
    }

    @Test
    void aClusterOfWhichNothingIsNotedMayHavePolled() {
        fleet.appendBehind(edit(Types.CLUSTER_LIFE, "c1", body -> {
            body.remove("unserved");
            return body;
        }));
        assertThat(deleted()).contains(ClusterLife.Phase.LEAVING);
    }

    @Test
    void neitherIsItPurgedWithoutForce() {
        committed(creation(Types.TOKEN, "t1", TOKEN));
        fleet.confirm(delete(Types.CLUSTER, "c1"));
        refused(dev.homeport.api.ErrorCode.CONFLICT, () -> fleet.write(new Operation.Purge("c1", false)));
    }
}
