package dev.homeport.write;

import static dev.homeport.support.TestFleet.ALICE;
import static dev.homeport.support.TestFleet.creation;
import static dev.homeport.support.TestFleet.edit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.access.Actor;
import dev.homeport.api.ErrorCode;
import dev.homeport.document.Types;
import dev.homeport.support.FleetTest;
import org.junit.jupiter.api.Test;

class IdempotencyTest extends FleetTest {
    private static final Actor BOB = new Actor(Actor.Kind.PERSON, "bob");

    private static WriteRequest request(Actor actor, String id) {
        return WriteRequest.of(actor, "a test", creation(Types.NAMESPACE, id, "{}"));
    }

    @Test
    void aRetryGetsTheFirstResult() {
        WriteRequest request = request(ALICE, "apps").withKey("k1", "digest");
        Outcome.Committed first = (Outcome.Committed) fleet.writer.write(request);
        fleet.component("grafana");
        assertThat(fleet.writer.write(request)).isEqualTo(new Outcome.Replayed(first.commit()));
        restart();
        assertThat(fleet.writer.write(request)).isEqualTo(new Outcome.Replayed(first.commit()));
        assertThat(fleet.store.head().revision()).isEqualTo(first.commit().revision() + 1);
    }

    @Test
    void aRetryNeedsNoSecondConfirmationAndIsNotCheckedAgain() {
        fleet.component("grafana");
        fleet.cluster("p1", "prod", GRAFANA);
        WriteRequest request = WriteRequest.of(ALICE, "a test", edit(Types.CLUSTER, "p1", body -> {
                    body.remove("platform_components");
                    return body;
                }))
                .withKey("k1", "digest");
        ConfirmationRequired asked = org.assertj.core.api.Assertions.catchThrowableOfType(
                ConfirmationRequired.class, () -> fleet.writer.write(request));
        Outcome.Committed done = (Outcome.Committed) fleet.writer.write(request.confirmedBy(asked.token()));
        fleet.create(Types.FREEZE, "xmas", "{\"scope\": {\"fleet\": true}, \"reason\": \"holidays\"}");
        assertThat(fleet.writer.write(request)).isEqualTo(new Outcome.Replayed(done.commit()));
    }

    @Test
    void theSameKeyWithAnotherBodyIsRefused() {
        fleet.writer.write(request(ALICE, "apps").withKey("k1", "digest"));
        long head = fleet.store.head().revision();
        refused(
                ErrorCode.IDEMPOTENCY_MISMATCH,
                () -> fleet.writer.write(request(ALICE, "logs").withKey("k1", "other")));
        assertThat(fleet.store.head().revision()).isEqualTo(head);
    }

    @Test
    void keysBelongToTheirActors() {
        fleet.writer.write(request(ALICE, "apps").withKey("k1", "digest"));
        assertThat(fleet.writer.write(request(BOB, "logs").withKey("k1", "other")))
                .isInstanceOf(Outcome.Committed.class);
    }

    @Test
    void aRefusedRequestDoesNotUseItsKeyUp() {
        WriteRequest bad = request(ALICE, "UPPER").withKey("k1", "digest");
        refused(ErrorCode.INVALID, () -> fleet.writer.write(bad));
        assertThat(fleet.writer.write(request(ALICE, "apps").withKey("k1", "other")))
                .isInstanceOf(Outcome.Committed.class);
    }

    @Test
    void aDryRunNeitherUsesNorSpendsAKey() {
        WriteRequest request = request(ALICE, "apps").withKey("k1", "digest");
        assertThat(fleet.writer.write(request.with(WriteRequest.Flag.DRY_RUN))).isInstanceOf(Outcome.Planned.class);
        assertThat(fleet.writer.write(request)).isInstanceOf(Outcome.Committed.class);
    }
}
