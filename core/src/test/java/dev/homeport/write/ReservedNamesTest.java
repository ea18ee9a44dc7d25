package dev.homeport.write;

import static dev.homeport.support.TestFleet.edit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.Answer;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.json.StrictJson;
import dev.homeport.support.FleetTest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A name that something may still run and poll under is not given to a new cluster as if it had never been used. */
class ReservedNamesTest extends FleetTest {
    private static final String DNS = "c1.k8s.example.com";

    @BeforeEach
    void oneCluster() {
        fleet.component("grafana");
        fleet.cluster("c1", "dev", GRAFANA);
    }

    private static Operation cluster(String id, String dns) {
        return new Operation.Create(
                new DocumentKey(Types.CLUSTER, id),
                StrictJson.object()
                        .put("cluster_name", id)
                        .put("cluster_dns", dns)
                        .put("environment", "dev")
                        .put("owner", "team-a"));
    }

    private void asked(Operation operation, String name) {
        ConfirmationRequired asked = catchThrowableOfType(ConfirmationRequired.class, () -> fleet.write(operation));
        assertThat(asked)
                .as(operation.toString())
                .isNotNull()
                .hasMessageContaining("the name " + name + " was another");
    }

    @Test
    void theNamesOfADetachedClusterStayReservedWhenItIsPurged() {
        committed(new Operation.Detach("c1"));
        fleet.confirm(new Operation.Purge("c1", false));
        asked(cluster("c1", "new.example.com"), "c1");
        asked(cluster("c2", DNS), DNS);
        restart();
        asked(cluster("c1", "new.example.com"), "c1");
        fleet.confirm(cluster("c2", DNS));
        fleet.contact.polled.add("c2");
        assertThat(fleet.answer("c2", COMPONENTS)).isInstanceOf(Answer.ConfirmedEmpty.class);
        fleet.confirm(new Operation.Decommission("c2", Optional.empty()));
        fleet.confirm(new Operation.Purge("c2", true));
        asked(cluster("c3", DNS), DNS);
    }

    @Test
    void theNamesOfAPurgeByForceStayReserved() {
        committed(new Operation.Decommission("c1", Optional.empty()));
        fleet.confirm(new Operation.Purge("c1", true));
        asked(cluster("c1", "new.example.com"), "c1");
    }

    @Test
    void theNamesOfADrainedClusterAreFree() {
        committed(edit(Types.CLUSTER, "c1", body -> body.put("cluster_dns", "moved.example.com")));
        committed(new Operation.Decommission("c1", Optional.empty()));
        fleet.contact.drained.add("c1");
        committed(new Operation.Purge("c1", false));
        committed(cluster("c1", "moved.example.com"));
        committed(cluster("c2", DNS));
    }

    @Test
    void aNameThatAClusterGaveUpIsReservedForIt() {
        committed(edit(Types.CLUSTER, "c1", body -> body.put("cluster_dns", "moved.example.com")));
        asked(cluster("c2", DNS), DNS);
        committed(edit(Types.CLUSTER, "c1", body -> body.put("cluster_dns", DNS)));
        committed(cluster("c2", "other.example.com"));
        asked(edit(Types.CLUSTER, "c2", body -> body.put("cluster_dns", "moved.example.com")), "moved.example.com");
    }

    @Test
    void theOrderOfOperationsDoesNotMatter() {
        fleet.cluster("c2", "dev", "{}");
        Operation gives = edit(Types.CLUSTER, "c1", body -> body.put("cluster_dns", "moved.example.com"));
        Operation takes = edit(Types.CLUSTER, "c2", body -> body.put("cluster_dns", DNS));
        for (List<Operation> order : List.of(List.of(gives, takes), List.of(takes, gives))) {
            assertThat(catchThrowableOfType(
                            ConfirmationRequired.class, () -> fleet.write(order.toArray(Operation[]::new))))
                    .hasMessageContaining("the name " + DNS);
        }
        committed(new Operation.Detach("c1"));
        assertThat(catchThrowableOfType(
                        ConfirmationRequired.class,
                        () -> fleet.write(new Operation.Purge("c1", false), cluster("c1", "new.example.com"))))
                .hasMessageContaining("the name c1");
    }

    @Test
    void anAliasThatRanOutIsReservedToo() {
        committed(edit(Types.CLUSTER, "c1", body -> {
            body.put("cluster_dns", "moved.example.com");
            body.putArray("dns_aliases").addObject().put("dns", DNS).put("expires_at", "2026-01-02T00:00:00Z");
            return body;
        }));
        fleet.advance(Duration.ofDays(2));
        ExpirySweep sweep = new ExpirySweep(fleet.writer, fleet.store, fleet.contact);
        assertThat(sweep.sweep(fleet.snapshot(), fleet.now).removed()).hasSize(1);
        asked(cluster("c2", DNS), DNS);
    }

    @Test
    void aClusterThatWasNeverServedLeavesNothingBehind() {
        committed(cluster("c2", "two.example.com"));
        committed(edit(Types.CLUSTER, "c2", body -> body.put("cluster_dns", "deux.example.com")));
        committed(cluster("c3", "two.example.com"));
        committed(dev.homeport.support.TestFleet.delete(Types.CLUSTER, "c2"));
        committed(cluster("c2", "deux.example.com"));
    }

    @Test
    void aPurgeThatIsRevertedBringsBackWhatTheClusterHad() {
        fleet.confirm(edit(Types.CLUSTER, "c1", body -> {
            body.remove("platform_components");
            return body;
        }));
        fleet.confirm(edit(Types.CLUSTER, "c1", body -> body.setAll(StrictJson.read(GRAFANA))));
        committed(new Operation.Detach("c1"));
        fleet.confirm(edit(Types.CLUSTER, "c1", body -> {
            body.remove("platform_components");
            return body;
        }));
        fleet.confirm(new Operation.Purge("c1", false));
        List<Operation> undo = Undoing.commit(fleet.store, fleet.snapshot().revision());
        fleet.confirm(undo.toArray(Operation[]::new));
        ClusterLife life = ClusterLife.of(fleet.snapshot().document(Types.CLUSTER_LIFE, "c1"));
        assertThat(life.phase()).isEqualTo(ClusterLife.Phase.DETACHED);
        assertThat(life.filled()).contains(Types.PLATFORM_COMPONENT);
        assertThat(fleet.snapshot().all(Types.RESERVED_NAME).values()).isEmpty();
        ConfirmationRequired asked =
                catchThrowableOfType(ConfirmationRequired.class, () -> fleet.write(new Operation.Undelete("c1")));
        assertThat(asked).hasMessageContaining("is not known");
    }

    @Test
    void anIdThatWasServedBeforeTheLogKnewItIsAskedFor() {
        fleet.contact.served.add("known");
        committed(cluster("known", "known.example.com"));
        fleet.store.raiseEpoch();
        restart();
        fleet.contact.served.add("lost");
        asked(cluster("lost", "lost.example.com"), "lost");
    }
}
