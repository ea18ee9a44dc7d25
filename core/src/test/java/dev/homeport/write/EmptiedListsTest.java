package dev.homeport.write;

import static dev.homeport.support.TestFleet.ALICE;
import static dev.homeport.support.TestFleet.creation;
import static dev.homeport.support.TestFleet.delete;
import static dev.homeport.support.TestFleet.edit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.support.FleetTest;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A cluster list that becomes empty needs a confirmation of the plan, however few clusters leave it. */
class EmptiedListsTest extends FleetTest {
    @BeforeEach
    void threeClusters() {
        fleet.create(Types.WORKSPACE, "pay", "{}");
        fleet.create(Types.WORKSPACE, "shop", "{}");
        fleet.cluster("c1", "dev", "{\"workspace\": \"pay\"}");
        fleet.cluster("c2", "dev", "{\"workspace\": \"shop\"}");
        fleet.cluster("c3", "qa", "{\"workspace\": \"shop\"}");
    }

    private static Operation move(String cluster, String field, String to) {
        return edit(Types.CLUSTER, cluster, body -> body.put(field, to));
    }

    private List<String> lists(Operation... operations) {
        ConfirmationRequired asked = catchThrowableOfType(ConfirmationRequired.class, () -> fleet.write(operations));
        return asked == null ? List.of() : lists(asked.plan());
    }

    private static List<String> lists(Plan plan) {
        return plan.guards().stream()
                .filter(guard -> guard.endsWith(" becomes empty"))
                .map(guard -> guard.replace("the cluster list of ", "").replace(" becomes empty", ""))
                .toList();
    }

    @Test
    void theMoveOfTheOnlyClusterNamesTheListThatBecomesEmpty() {
        assertThat(lists(move("c3", "environment", "dev"))).containsExactly("environment/qa");
        assertThat(lists(move("c1", "workspace", "shop"))).containsExactly("workspace/pay");
        assertThat(lists(edit(Types.CLUSTER, "c1", body -> {
                    body.remove("workspace");
                    return body;
                })))
                .containsExactly("workspace/pay");
        assertThat(lists(move("c2", "workspace", "pay"))).containsExactly("workspace/shop in environment/dev");
    }

    @Test
    void theConfirmationIsInTheLog() {
        Outcome.Committed done = (Outcome.Committed) fleet.confirm(move("c3", "environment", "dev"));
        assertThat(done.commit().marks()).containsEntry("confirmed", done.plan().hash());
    }

    @Test
    void aListThatKeepsOrGetsAClusterNeedsNone() {
        fleet.cluster("c4", "qa", "{\"workspace\": \"shop\"}");
        committed(move("c4", "environment", "dev"));
        assertThat(lists(move("c3", "environment", "dev"), move("c2", "environment", "qa")))
                .isEmpty();
    }

    @Test
    void allClustersOfAListInOneRequestAreCountedTogether() {
        assertThat(lists(move("c1", "environment", "qa"), move("c2", "environment", "qa")))
                .containsExactly("environment/dev");
    }

    @Test
    void aConfirmationFromBeforeTheListBecameEmptyIsNotEnough() {
        fleet.cluster("c4", "qa", "{\"workspace\": \"shop\", \"protected\": true}");
        WriteRequest request = WriteRequest.of(ALICE, "a test", move("c4", "environment", "dev"))
                .with(WriteRequest.Flag.DIRECT);
        ConfirmationRequired asked =
                catchThrowableOfType(ConfirmationRequired.class, () -> fleet.writer.write(request));
        assertThat(lists(asked.plan())).isEmpty();
        fleet.confirm(move("c3", "environment", "dev"));
        ConfirmationRequired again = catchThrowableOfType(
                ConfirmationRequired.class, () -> fleet.writer.write(request.confirmedBy(asked.token())));
        assertThat(lists(again.plan())).containsExactly("environment/qa");
    }

    @Test
    void removalsThatDoNotNameTheClusterNeedOne() {
        fleet.contact.polled.clear(); // so that the documents go at once
        assertThat(lists(delete(Types.CLUSTER, "c1"), delete(Types.CLUSTER, "c2"), delete(Types.CLUSTER, "c3")))
                .containsExactly("the fleet");
        WriteRequest pruned =
                WriteRequest.of(ALICE, "a test", delete(Types.CLUSTER, "c3")).with(WriteRequest.Flag.IMPORTED);
        assertThat(lists(catchThrowableOfType(ConfirmationRequired.class, () -> fleet.writer.write(pruned))
                        .plan()))
                .containsExactly("environment/qa");
    }

    @Test
    void theRevertOfACreationNeedsOne() {
        Outcome.Committed made = committed(
                creation(
                        Types.CLUSTER,
                        "u1",
                        "{\"cluster_name\": \"u1\", \"cluster_dns\": \"u1.example.com\", \"environment\": \"uat\", \"owner\": \"a\"}"));
        Operation undo = Undoing.commit(fleet.store, made.commit().revision()).stream()
                .filter(operation -> operation.key().type().equals(Types.CLUSTER))
                .findFirst()
                .orElseThrow();
        assertThat(lists(undo)).containsExactly("environment/uat");
    }

    @Test
    void aDirectRemovalThatNamesTheOnlyClusterIsItsOwnConfirmation() {
        fleet.contact.polled.clear();
        committed(delete(Types.CLUSTER, "c3"));
    }

    @Test
    void theListsOfAClusterThatCannotBeReadAreUnknown() {
        Operation replace = new Operation.Replace(
                new DocumentKey(Types.CLUSTER, "c3"),
                fleet.document(Types.CLUSTER, "c3").tree().put("environment", "dev"),
                Expected.ANY);
        damage(Types.CLUSTER, "c3");
        assertThat(catchThrowableOfType(ConfirmationRequired.class, () -> fleet.write(replace)))
                .hasMessageContaining("cluster/c3 cannot be read");
    }
}
