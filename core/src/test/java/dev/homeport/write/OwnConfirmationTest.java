package dev.homeport.write;

import static dev.homeport.support.TestFleet.ALICE;
import static dev.homeport.support.TestFleet.delete;
import static dev.homeport.support.TestFleet.edit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.homeport.access.Actor;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.Answer;
import dev.homeport.json.StrictJson;
import dev.homeport.support.FleetTest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/** Only a direct edit of one unprotected cluster, which names it, is its own confirmation. */
class OwnConfirmationTest extends FleetTest {
    @BeforeEach
    void oneUnprotectedCluster() {
        fleet.component("grafana");
        fleet.create(Types.NAMESPACE, "apps", "{}");
        fleet.cluster("c1", "dev", GRAFANA);
    }

    private static final Operation EMPTY = edit(Types.CLUSTER, "c1", OwnConfirmationTest::emptied);

    private static ObjectNode emptied(ObjectNode body) {
        body.remove("platform_components");
        return body;
    }

    private static Operation put(OwnConfirmationTest test) {
        DocumentKey key = new DocumentKey(Types.CLUSTER, "c1");
        return new Operation.Put(
                key, emptied(test.fleet.document(Types.CLUSTER, "c1").tree()));
    }

    static Stream<Operation> operations() {
        return Stream.of(EMPTY, delete(Types.CLUSTER, "c1"), new Operation.Decommission("c1", Optional.empty()));
    }

    @ParameterizedTest
    @MethodSource("operations")
    void theSameOperationMadeFromSomethingElseIsAskedFor(Operation operation) {
        WriteRequest request = WriteRequest.of(ALICE, "a test", operation);
        assertThatThrownBy(() -> fleet.writer.write(request)).isInstanceOf(ConfirmationRequired.class);
        assertThat(fleet.writer.write(request.with(WriteRequest.Flag.DIRECT))).isInstanceOf(Outcome.Committed.class);
    }

    @Test
    void aRestoreIsAskedFor() {
        assertThatThrownBy(() -> fleet.writer.write(WriteRequest.of(ALICE, "a test", put(this))))
                .isInstanceOf(ConfirmationRequired.class)
                .hasMessageContaining("left with nothing");
        assertThat(fleet.write(put(this))).isInstanceOf(Outcome.Committed.class);
    }

    @Test
    void theRevertOfACreationIsAskedFor() {
        long creation = fleet.snapshot().revision();
        List<Operation> undo = Undoing.commit(fleet.store, creation);
        assertThatThrownBy(() -> fleet.writer.write(
                        WriteRequest.of(ALICE, "a test", undo).with(WriteRequest.Flag.DIRECT)))
                .isInstanceOf(ConfirmationRequired.class);
        assertThat(fleet.answer("c1", COMPONENTS)).isInstanceOf(Answer.Inputs.class);
    }

    @Test
    void theRevertOfAnAssignmentIsAskedFor() {
        committed(edit(Types.CLUSTER, "c1", body -> {
            body.putArray("namespaces").addObject().put("id", "apps");
            return body;
        }));
        Operation undo =
                Undoing.commit(fleet.store, fleet.snapshot().revision()).getFirst();
        assertThatThrownBy(() -> fleet.write(undo)).isInstanceOf(ConfirmationRequired.class);
    }

    @Test
    void twoOperationsAreNeverDirect() {
        WriteRequest request = WriteRequest.of(
                        ALICE, "a test", EMPTY, edit(Types.NAMESPACE, "apps", body -> body.put("owner", "team-b")))
                .with(WriteRequest.Flag.DIRECT);
        assertThatThrownBy(() -> fleet.writer.write(request)).isInstanceOf(ConfirmationRequired.class);
    }

    @Test
    void aLimitOfZeroHoldsForDirectEditsToo() {
        fleet.settings("{\"guards\": {\"max_clusters_losing\": 0, \"max_share_losing\": 0}}");
        assertThatThrownBy(() -> fleet.write(EMPTY))
                .isInstanceOf(ConfirmationRequired.class)
                .hasMessageContaining("more than the 0");
    }

    @Test
    void anEndThatComesNearerIsAskedForAndAnImmediateOneToo() {
        for (String end : List.of("2026-06-01T00:00:00Z", "2025-01-01T00:00:00Z")) {
            Operation expire = edit(Types.CLUSTER, "c1", body -> body.put("expires_at", end));
            assertThatThrownBy(() -> fleet.write(expire))
                    .isInstanceOf(ConfirmationRequired.class)
                    .hasMessageContaining("is decommissioned");
        }
        fleet.confirm(edit(Types.CLUSTER, "c1", body -> body.put("expires_at", "2026-06-01T00:00:00Z")));
        committed(edit(Types.CLUSTER, "c1", body -> body.put("expires_at", "2026-07-01T00:00:00Z")));
        assertThatThrownBy(() ->
                        fleet.write(edit(Types.CLUSTER, "c1", body -> body.put("expires_at", "2026-06-15T00:00:00Z"))))
                .isInstanceOf(ConfirmationRequired.class);
    }

    @Test
    void anEndThatAnImportBringsIsAskedForAlthoughTheClusterIsEmpty() {
        ObjectNode body = StrictJson.read(
                "{\"cluster_name\": \"c9\", \"cluster_dns\": \"c9.example.com\", \"environment\": \"dev\","
                        + " \"owner\": \"team-a\", \"expires_at\": \"2026-06-01T00:00:00Z\"}");
        Operation put = new Operation.Put(new DocumentKey(Types.CLUSTER, "c9"), body);
        assertThat(catchThrowable(() -> fleet.writer.write(WriteRequest.of(ALICE, "a test", put))))
                .isInstanceOf(ConfirmationRequired.class);
        assertThat(fleet.write(put)).isInstanceOf(Outcome.Committed.class);
    }

    @Test
    void aGraceThatIsNotDirectIsAskedFor() {
        Operation later = new Operation.Decommission("c1", Optional.of(fleet.now.plus(Duration.ofHours(1))));
        assertThat(catchThrowable(() -> fleet.writer.write(WriteRequest.of(Actor.SYSTEM, "a loop", later))))
                .isInstanceOf(ConfirmationRequired.class);
        committed(later);
    }

    @Test
    void anOverrideThatEndsIsRemovedAsItWasSet() {
        committed(edit(Types.CLUSTER, "c1", body -> {
            body.putArray("namespaces").addObject().put("id", "apps").put("expires_at", "2026-01-02T00:00:00Z");
            return body;
        }));
        fleet.advance(Duration.ofDays(2));
        ExpirySweep sweep = new ExpirySweep(fleet.writer, fleet.store, fleet.contact);
        assertThat(sweep.sweep(fleet.snapshot(), fleet.now).held()).isEmpty();
        assertThat(fleet.answer("c1", "namespaces")).isInstanceOf(Answer.ConfirmedEmpty.class);
    }
}
