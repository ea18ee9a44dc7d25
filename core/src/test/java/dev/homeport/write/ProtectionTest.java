package dev.homeport.write;

import static dev.homeport.support.TestFleet.creation;
import static dev.homeport.support.TestFleet.delete;
import static dev.homeport.support.TestFleet.edit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.homeport.api.ErrorCode;
import dev.homeport.document.Types;
import dev.homeport.support.FleetTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Taking protection away needs a confirmation that lists the clusters. */
class ProtectionTest extends FleetTest {
    @BeforeEach
    void twoTiers() {
        fleet.cluster("d1", "dev", "{}");
        fleet.cluster("p1", "prod", "{}");
        fleet.cluster("p2", "prod", "{}");
        fleet.cluster("p3", "prod", "{\"protected\": true}");
        fleet.cluster("p4", "prod", "{\"protected\": false}");
    }

    private ConfirmationRequired asked(Operation... operations) {
        ConfirmationRequired asked = catchThrowableOfType(ConfirmationRequired.class, () -> fleet.write(operations));
        assertThat(asked).isNotNull();
        return asked;
    }

    @Test
    void anEnvironmentBehindTheLastOneIsAskedFor() {
        Operation dr = creation(Types.ENVIRONMENT, "dr", "{\"order\": 50}");
        assertThat(asked(dr).plan().guards())
                .containsExactly("cluster/p1 is no longer protected", "cluster/p2 is no longer protected");
        fleet.confirm(dr);
        assertThat(asked(edit(Types.CLUSTER, "p3", body -> body.put("protected", false)))
                        .plan()
                        .guards())
                .containsExactly("cluster/p3 is no longer protected");
    }

    @Test
    void anotherOrderIsAskedFor() {
        assertThat(asked(edit(Types.ENVIRONMENT, "prod", body -> body.put("order", 1)))
                        .plan()
                        .guards())
                .hasSize(2);
        assertThat(asked(edit(Types.ENVIRONMENT, "dev", body -> body.put("order", 99)))
                        .plan()
                        .guards())
                .hasSize(2);
    }

    @Test
    void environmentsThatShareTheLastPlaceAreBothProtected() {
        committed(creation(Types.ENVIRONMENT, "dr", "{\"order\": 40}"));
        committed(creation(Types.ENVIRONMENT, "alpha", "{\"order\": 40}"));
        assertThat(new dev.homeport.fleet.Tiers(
                                fleet.snapshot().all(Types.ENVIRONMENT).values())
                        .isProtected(dev.homeport.fleet.Cluster.of(fleet.document(Types.CLUSTER, "p1"))))
                .isTrue();
    }

    @Test
    void aClusterThatMovesOrSaysSoItselfIsAskedFor() {
        asked(edit(Types.CLUSTER, "p1", body -> body.put("environment", "dev")));
        asked(edit(Types.CLUSTER, "p1", body -> body.put("protected", false)));
        asked(edit(Types.CLUSTER, "p3", body -> body.put("protected", false).put("environment", "dev")));
        committed(edit(Types.CLUSTER, "p4", body -> body.put("environment", "dev")));
        committed(edit(Types.CLUSTER, "d1", body -> body.put("protected", true)));
        asked(edit(Types.CLUSTER, "d1", body -> {
            body.remove("protected");
            return body;
        }));
    }

    @Test
    void theConfirmationIsForTheClustersThatWereShown() {
        Operation dr = creation(Types.ENVIRONMENT, "dr", "{\"order\": 50}");
        String token = asked(dr).token();
        fleet.cluster("p5", "prod", "{}");
        ConfirmationRequired changed = catchThrowableOfType(
                ConfirmationRequired.class,
                () -> fleet.writer.write(
                        dev.homeport.support.TestFleet.direct(dr).confirmedBy(token)));
        assertThat(changed.problem().code()).isEqualTo(ErrorCode.PLAN_CHANGED);
        assertThat(changed.plan().guards()).contains("cluster/p5 is no longer protected");
    }

    @Test
    void whatProtectsMoreIsNotAskedFor() {
        fleet.confirm(creation(Types.ENVIRONMENT, "dr", "{\"order\": 50}"));
        committed(delete(Types.ENVIRONMENT, "dr"));
        committed(creation(Types.ENVIRONMENT, "sandbox", "{\"order\": 1}"));
    }
}
