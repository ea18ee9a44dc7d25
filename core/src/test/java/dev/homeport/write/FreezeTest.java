package dev.homeport.write;

import static dev.homeport.support.TestFleet.ALICE;
import static dev.homeport.support.TestFleet.delete;
import static dev.homeport.support.TestFleet.edit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.api.ErrorCode;
import dev.homeport.document.Types;
import dev.homeport.fleet.Note;
import dev.homeport.support.FleetTest;
import dev.homeport.testing.Requirement;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Safety rule 12. */
class FreezeTest extends FleetTest {
    private static final Operation NEW_TAG =
            edit(Types.PLATFORM_COMPONENT, "grafana", body -> body.put("oci_tag", "v2.0.0"));

    @BeforeEach
    void twoClusters() {
        fleet.component("grafana");
        fleet.component("loki");
        fleet.create(Types.WORKSPACE, "retail", "{}");
        fleet.cluster("c1", "dev", "{\"workspace\": \"retail\", \"platform_components\": [{\"id\": \"grafana\"}]}");
        fleet.cluster("c2", "qa", "{\"platform_components\": [{\"id\": \"loki\"}]}");
    }

    private void freeze(String scope) {
        fleet.create(Types.FREEZE, "xmas", "{\"scope\": " + scope + ", \"reason\": \"holidays\"}");
    }

    @Test
    void everyScopeHoldsItsClustersAndNoOthers() {
        for (String scope : List.of(
                "{\"fleet\": true}",
                "{\"environment\": \"dev\"}",
                "{\"workspace\": \"retail\"}",
                "{\"cluster\": \"c1\"}")) {
            freeze(scope);
            assertThat(refused(ErrorCode.FROZEN, () -> fleet.write(NEW_TAG)))
                    .hasMessageContaining("freeze/xmas")
                    .hasMessageContaining("holidays")
                    .hasMessageContaining("cluster/c1");
            Operation other =
                    edit(Types.PLATFORM_COMPONENT, "loki", body -> body.put("oci_tag", "v9.0.0-" + scope.length()));
            if (scope.contains("fleet")) {
                refused(ErrorCode.FROZEN, () -> fleet.write(other));
            } else {
                committed(other);
            }
            fleet.write(delete(Types.FREEZE, "xmas"));
        }
        committed(NEW_TAG);
    }

    @Test
    void whatChangesNoAnswerPasses() {
        freeze("{\"fleet\": true}");
        committed(edit(Types.CLUSTER, "c1", body -> body.put("description", "Words.")));
        fleet.component("tempo");
        committed(new Operation.Pause("c1", new Note("alice", "why", null)));
    }

    @Test
    void leavingJoiningAndGoingBackAreChangesToo() {
        Outcome.Committed before = committed(NEW_TAG);
        freeze("{\"environment\": \"dev\"}");
        refused(ErrorCode.FROZEN, () -> fleet.write(new Operation.Decommission("c1", Optional.empty())));
        refused(ErrorCode.FROZEN, () -> fleet.write(delete(Types.CLUSTER, "c1")));
        refused(
                ErrorCode.FROZEN,
                () -> fleet.write(
                        Undoing.commit(fleet.store, before.commit().revision()).toArray(Operation[]::new)));
        // Neither out of the frozen environment nor into it.
        refused(ErrorCode.FROZEN, () -> fleet.write(edit(Types.CLUSTER, "c1", body -> body.put("environment", "uat"))));
        refused(ErrorCode.FROZEN, () -> fleet.write(edit(Types.CLUSTER, "c2", body -> body.put("environment", "dev"))));
    }

    @Test
    void anotherNameIsAnotherAnswer() {
        freeze("{\"cluster\": \"c1\"}");
        byte[] before = fleet.rendered("c1", COMPONENTS, dev.homeport.fleet.WireShape.SET)
                .body();
        refused(
                ErrorCode.FROZEN,
                () -> fleet.write(edit(Types.CLUSTER, "c1", body -> body.put("cluster_name", "renamed"))));
        assertThat(fleet.rendered("c1", COMPONENTS, dev.homeport.fleet.WireShape.SET)
                        .body())
                .isEqualTo(before);
    }

    @Test
    @Requirement("D9")
    void hotfixesPassWithAReason() {
        freeze("{\"fleet\": true}");
        refused(
                ErrorCode.INVALID,
                () -> fleet.writer.write(WriteRequest.of(ALICE, " ", NEW_TAG).with(WriteRequest.Flag.HOTFIX)));
        Outcome.Committed done = (Outcome.Committed)
                fleet.writer.write(WriteRequest.of(ALICE, "CVE", NEW_TAG).with(WriteRequest.Flag.HOTFIX));
        assertThat(done.commit().marks()).containsEntry("hotfix", "true");
        assertThat(done.commit().reason()).isEqualTo("CVE");
    }

    @Test
    void aBatchIsFrozenAsAWhole() {
        freeze("{\"cluster\": \"c1\"}");
        long head = fleet.snapshot().revision();
        refused(
                ErrorCode.FROZEN,
                () -> fleet.write(
                        edit(Types.PLATFORM_COMPONENT, "loki", body -> body.put("oci_tag", "v2.0.0")), NEW_TAG));
        refused(ErrorCode.FROZEN, () -> fleet.write(delete(Types.FREEZE, "xmas"), NEW_TAG));
        assertThat(fleet.store.head().revision()).isEqualTo(head);
    }

    @Test
    void aFreezeNamesWhatExists() {
        refused(ErrorCode.INVALID, () -> freeze("{\"environment\": \"nowhere\"}"));
        refused(ErrorCode.INVALID, () -> freeze("{\"cluster\": \"c9\"}"));
    }

    /** It may have meant anything, so it holds every cluster until it is repaired or deleted. */
    @Test
    void aFreezeThatCannotBeReadHoldsEverything() {
        freeze("{\"cluster\": \"c1\"}");
        Operation elsewhere = edit(Types.PLATFORM_COMPONENT, "loki", body -> body.put("oci_tag", "v3.0.0"));
        assertThat(committed(elsewhere)).isNotNull();
        damage(Types.FREEZE, "xmas");
        refused(
                ErrorCode.FROZEN,
                () -> fleet.write(edit(Types.PLATFORM_COMPONENT, "loki", body -> body.put("oci_tag", "v4.0.0"))));
    }
}
