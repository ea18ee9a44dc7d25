package dev.homeport.write;

import static dev.homeport.support.TestFleet.edit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.homeport.api.ErrorCode;
import dev.homeport.document.Types;
import dev.homeport.fleet.Answer;
import dev.homeport.fleet.Note;
import dev.homeport.fleet.WireShape;
import dev.homeport.support.FleetTest;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A cluster whose record cannot be read is held, and repaired to the answers that it had or to none at all. */
class RepairTest extends FleetTest {
    @BeforeEach
    void oneCluster() {
        fleet.component("grafana");
        fleet.component("loki");
        fleet.cluster("c1", "dev", GRAFANA);
    }

    private Operation repair() {
        return Repair.cluster(fleet.snapshot(), fleet.store, "c1");
    }

    /** A record that is whole, and yet says nothing that could be understood. */
    private void garble() {
        fleet.appendBehind(edit(Types.CLUSTER_LIFE, "c1", body -> body.put("phase", "asleep")));
        assertThat(fleet.answer("c1", COMPONENTS)).isInstanceOf(Answer.Hold.class);
    }

    @Test
    void aDamagedRowIsWrittenAsTheLogHasIt() {
        committed(new Operation.Pause("c1", new Note("alice", "an incident", null)));
        fleet.write(edit(Types.CLUSTER, "c1", body -> {
            body.putArray("platform_components").addObject().put("id", "loki");
            return body;
        }));
        byte[] before = fleet.rendered("c1", COMPONENTS, WireShape.SET).body();
        damage(Types.CLUSTER_LIFE, "c1");
        assertThat(fleet.answer("c1", COMPONENTS)).isInstanceOf(Answer.Hold.class);
        ConfirmationRequired asked = catchThrowableOfType(ConfirmationRequired.class, () -> fleet.write(repair()));
        assertThat(asked).hasMessageContaining("as the log has it");
        fleet.confirm(repair());
        assertThat(fleet.rendered("c1", COMPONENTS, WireShape.SET).body()).isEqualTo(before);
        restart();
        assertThat(fleet.rendered("c1", COMPONENTS, WireShape.SET).body()).isEqualTo(before);
    }

    @Test
    void aRecordThatNobodyCanReadBecomesDetached() {
        garble();
        assertThat(catchThrowableOfType(ConfirmationRequired.class, () -> fleet.write(repair())))
                .hasMessageContaining("is detached");
        fleet.confirm(repair());
        for (String plural : java.util.List.of(COMPONENTS, "namespaces", "rolebindings")) {
            assertThat(fleet.answer("c1", plural)).isInstanceOf(Answer.Detached.class);
        }
    }

    /** A pause ends by itself, so its time is indexed; nothing is carried out on a record that cannot be read. */
    @Test
    void aPausedRecordThatCannotBeReadStopsNoOther() {
        fleet.cluster("c2", "dev", GRAFANA);
        committed(new Operation.Pause("c1", new Note("alice", "an incident", fleet.now.plusSeconds(60))));
        garble();
        fleet.write(edit(Types.PLATFORM_COMPONENT, "grafana", body -> body.put("oci_tag", "v9.9.9")));
        assertThat(fleet.rendered("c2", COMPONENTS, WireShape.SET).body())
                .asString()
                .contains("v9.9.9");
        restart();
        assertThat(fleet.answer("c1", COMPONENTS)).isInstanceOf(Answer.Hold.class);
        assertThat(fleet.rendered("c2", COMPONENTS, WireShape.SET).body())
                .asString()
                .contains("v9.9.9");
    }

    @Test
    void whatItHadIsNotKnownWhenItComesBack() {
        garble();
        fleet.confirm(repair());
        fleet.write(edit(Types.CLUSTER, "c1", body -> {
            body.remove("platform_components");
            return body;
        }));
        assertThatThrownBy(() -> fleet.write(new Operation.Undelete("c1")))
                .isInstanceOf(ConfirmationRequired.class)
                .hasMessageContaining("is not known");
    }

    @Test
    void aRecordThatCanBeReadIsLeftAlone() {
        assertThat(refused(ErrorCode.CONFLICT, () -> fleet.write(repair()))).hasMessageContaining("can be read");
    }

    @Test
    void otherOperationsSayWhatToDo() {
        garble();
        for (Operation operation : java.util.List.of(
                new Operation.Decommission("c1", Optional.empty()),
                new Operation.Detach("c1"),
                new Operation.Pause("c1", Note.NONE),
                edit(Types.CLUSTER, "c1", body -> body.put("description", "Another.")))) {
            assertThat(refused(ErrorCode.CONFLICT, () -> fleet.confirm(operation)))
                    .hasMessageContaining("cluster_life/c1 cannot be read");
        }
    }

    @Test
    void whatARedactionLeftIsNotReverted() {
        fleet.write(edit(Types.CLUSTER, "c1", body -> body.put("owner", "team-b")));
        long revision = fleet.store
                .redact(new dev.homeport.change.RedactionRequest(
                        fleet.snapshot().revision(),
                        Optional.empty(),
                        "/reason",
                        dev.homeport.support.TestFleet.ALICE,
                        "a secret",
                        fleet.now))
                .revision();
        fleet.follower.catchUp();
        java.util.List<Operation> undo = Undoing.commit(fleet.store, revision);
        refused(ErrorCode.CONFLICT, () -> fleet.write(undo.toArray(Operation[]::new)));
        fleet.store.verify(at -> {});
    }

    @Test
    void oneBrokenRecordStopsNeitherOthersNorTheSweep() {
        fleet.cluster("c2", "dev", "{\"expires_at\": \"2026-01-02T00:00:00Z\"}");
        fleet.cluster("c3", "dev", "{\"expires_at\": \"2026-01-02T00:00:00Z\"}");
        fleet.appendBehind(edit(Types.CLUSTER_LIFE, "c2", body -> body.put("phase", "asleep")));
        fleet.advance(java.time.Duration.ofDays(2));
        ExpirySweep.Swept swept =
                new ExpirySweep(fleet.writer, fleet.store, fleet.contact).sweep(fleet.snapshot(), fleet.now);
        assertThat(swept.held()).extracting(held -> held.key().id()).containsExactly("c2");
        assertThat(swept.removed()).extracting(key -> key.id()).containsExactly("c3");
    }
}
