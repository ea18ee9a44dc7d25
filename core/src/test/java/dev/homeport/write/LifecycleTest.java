package dev.homeport.write;

import static dev.homeport.support.TestFleet.creation;
import static dev.homeport.support.TestFleet.delete;
import static dev.homeport.support.TestFleet.edit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.api.ErrorCode;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.Answer;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.fleet.Note;
import dev.homeport.fleet.Proof;
import dev.homeport.fleet.WireShape;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.ProblemException;
import dev.homeport.support.AllAnswers;
import dev.homeport.support.FleetTest;
import dev.homeport.testing.Requirement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A cluster's life, as model.md has it. */
class LifecycleTest extends FleetTest {
    private static final Note NOTE = new Note("alice", "an incident", null);
    private static final Operation DECOMMISSION = new Operation.Decommission("c1", Optional.empty());
    private static final Operation UNDELETE = new Operation.Undelete("c1");
    private static final Operation DETACH = new Operation.Detach("c1");
    private static final Operation PURGE = new Operation.Purge("c1", false);
    private static final Operation FORCED_PURGE = new Operation.Purge("c1", true);
    private static final Operation PAUSE = new Operation.Pause("c1", NOTE);
    private static final Operation RESUME = new Operation.Resume("c1");
    private static final Operation RELABEL = edit(Types.CLUSTER, "c1", body -> body.put("description", "Another one."));

    @BeforeEach
    void grafanaOnC1() {
        fleet.component("grafana");
        fleet.cluster("c1", "dev", GRAFANA);
    }

    private ClusterLife.Phase phase() {
        return ClusterLife.of(fleet.snapshot().document(Types.CLUSTER_LIFE, "c1"))
                .phase();
    }

    private Answer answer() {
        return fleet.answer("c1", COMPONENTS);
    }

    record Step(String name, List<Operation> first, Operation then, boolean allowed) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Step> steps() {
        List<Operation> active = List.of();
        List<Operation> paused = List.of(PAUSE);
        List<Operation> leaving = List.of(DECOMMISSION);
        List<Operation> detached = List.of(DETACH);
        return Stream.of(
                new Step("an active cluster cannot be undeleted", active, UNDELETE, false),
                new Step("an active cluster cannot be purged", active, PURGE, false),
                new Step("an active cluster cannot be purged by force", active, FORCED_PURGE, false),
                new Step("an active cluster cannot be resumed", active, RESUME, false),
                new Step("an active cluster can be edited", active, RELABEL, true),
                new Step("an active cluster can be paused", active, PAUSE, true),
                new Step("an active cluster can be detached", active, DETACH, true),
                new Step("an active cluster can be decommissioned", active, DECOMMISSION, true),
                new Step("a paused cluster cannot be paused", paused, PAUSE, false),
                new Step("a paused cluster can be resumed", paused, RESUME, true),
                new Step("a paused cluster can be decommissioned", paused, DECOMMISSION, true),
                new Step("a paused cluster can be detached", paused, DETACH, true),
                new Step("a leaving cluster cannot be decommissioned", leaving, DECOMMISSION, false),
                new Step("a leaving cluster cannot be deleted", leaving, delete(Types.CLUSTER, "c1"), false),
                new Step("a leaving cluster cannot be detached", leaving, DETACH, false),
                new Step("a leaving cluster cannot be paused", leaving, PAUSE, false),
                new Step("a leaving cluster cannot be edited", leaving, RELABEL, false),
                new Step("a leaving cluster cannot be purged before it is drained", leaving, PURGE, false),
                new Step("a leaving cluster can be purged by force", leaving, FORCED_PURGE, true),
                new Step("a leaving cluster can be undeleted", leaving, UNDELETE, true),
                new Step("a detached cluster cannot be decommissioned", detached, DECOMMISSION, false),
                new Step("a detached cluster cannot be detached", detached, DETACH, false),
                new Step("a detached cluster cannot be paused", detached, PAUSE, false),
                new Step("a detached cluster can be undeleted", detached, UNDELETE, true),
                new Step("a detached cluster can be purged", detached, PURGE, true));
    }

    @ParameterizedTest
    @MethodSource("steps")
    void aStepIsTakenOrRefused(Step step) {
        step.first().forEach(operation -> fleet.write(operation));
        long head = fleet.snapshot().revision();
        if (step.allowed()) {
            assertThat(fleet.confirm(step.then())).isInstanceOf(Outcome.Committed.class);
        } else {
            ProblemException problem = org.assertj.core.api.Assertions.catchThrowableOfType(
                    ProblemException.class, () -> fleet.write(step.then()));
            assertThat(problem).isNotNull().isNotInstanceOf(ConfirmationRequired.class);
            assertThat(problem.problem().code().httpStatus()).isEqualTo(409);
            assertThat(fleet.store.head().revision()).isEqualTo(head);
        }
    }

    @Test
    @Requirement({"C5", "C6"})
    void aDecommissionEmptiesEveryAnswerAndSaysWhy() {
        Outcome.Committed done = committed(DECOMMISSION);
        for (String plural : List.of(COMPONENTS, "namespaces", "rolebindings")) {
            assertThat(fleet.answer("c1", plural)).isInstanceOfSatisfying(Answer.ConfirmedEmpty.class, empty -> {
                assertThat(empty.items()).isEmpty();
                assertThat(empty.proof())
                        .isEqualTo(new Proof.Decommissioned(done.commit().revision()));
            });
        }
        assertThat(fleet.json("c1", COMPONENTS, WireShape.SET)
                        .get("inputs")
                        .get(0)
                        .get("drain")
                        .booleanValue())
                .isTrue();
        assertThat(fleet.json("c1", COMPONENTS, WireShape.FLAT).toString()).isEqualTo("{\"inputs\":[]}");
        restart();
        assertThat(answer()).isInstanceOf(Answer.ConfirmedEmpty.class);
    }

    @Test
    void aGraceLeavesTheAnswersAsTheyAre() {
        byte[] before = fleet.rendered("c1", COMPONENTS, WireShape.SET).body();
        committed(new Operation.Decommission("c1", Optional.of(fleet.now.plus(Duration.ofHours(4)))));
        assertThat(phase()).isEqualTo(ClusterLife.Phase.ACTIVE);
        assertThat(fleet.rendered("c1", COMPONENTS, WireShape.SET).body()).isEqualTo(before);
        assertThat(fleet.snapshot().expiries())
                .anySatisfy(entry -> assertThat(entry.getValue().toString()).isEqualTo("cluster_life/c1"));
        committed(UNDELETE);
        assertThat(fleet.snapshot().expiries()).isEmpty();
        refused(ErrorCode.CONFLICT, () -> fleet.write(UNDELETE));
    }

    @Test
    @Requirement("C5")
    void deletingTheRecordIsADecommission() {
        committed(delete(Types.CLUSTER, "c1"));
        assertThat(phase()).isEqualTo(ClusterLife.Phase.LEAVING);
        assertThat(answer()).isInstanceOf(Answer.ConfirmedEmpty.class);
    }

    @Test
    void aDetachedClusterKeepsWhatItHas() {
        Outcome.Committed done = committed(DETACH);
        assertThat(answer()).isEqualTo(new Answer.Detached(done.commit().revision()));
        assertThat(done.plan().groups()).isEmpty();
        refused(ErrorCode.CONFIRMATION_REQUIRED, () -> fleet.write(UNDELETE));
        fleet.confirm(UNDELETE);
        assertThat(served("c1", COMPONENTS)).isEqualTo("grafana");
    }

    @Test
    void aDetachedClusterStaysDetachedWhenItsRecordIsDeleted() {
        committed(DETACH);
        try {
            fleet.confirm(delete(Types.CLUSTER, "c1"));
        } catch (ProblemException e) {
            assertThat(e.problem().code().httpStatus()).isEqualTo(409);
        }
        // Refused, or forgotten (404): but never an empty list, which would delete what detaching promised to keep.
        if (fleet.snapshot().find(new DocumentKey(Types.CLUSTER, "c1")).isPresent()) {
            assertThat(answer()).isInstanceOf(Answer.Detached.class);
        }
    }

    @Test
    void comingBackFromDetachedTakesNothingAwayUnseen() {
        fleet.create(Types.WORKSPACE, "retail", GRAFANA);
        fleet.cluster("p1", "prod", "{\"workspace\": \"retail\"}");
        fleet.confirm(new Operation.Detach("p1"));
        fleet.confirm(edit(Types.WORKSPACE, "retail", body -> {
            body.remove("platform_components");
            return body;
        }));
        // What runs on the cluster would all be deleted.
        refused(ErrorCode.CONFIRMATION_REQUIRED, () -> fleet.write(new Operation.Undelete("p1")));
    }

    @Test
    @Requirement("C6")
    void aDrainedClusterCanBePurgedAndItsNamesUsedAgain() {
        committed(DECOMMISSION);
        fleet.contact.drained.add("c1");
        committed(PURGE);
        assertThat(fleet.snapshot().find(new DocumentKey(Types.CLUSTER, "c1"))).isEmpty();
        assertThat(fleet.snapshot().find(new DocumentKey(Types.CLUSTER_LIFE, "c1")))
                .isEmpty();
        assertThat(fleet.snapshot().clusterByDns("c1.k8s.example.com")).isEmpty();
        fleet.cluster("c1", "dev", "{}");
        assertThat(answer())
                .isInstanceOfSatisfying(
                        Answer.ConfirmedEmpty.class,
                        empty -> assertThat(empty.proof()).isInstanceOf(Proof.SinceBirth.class));
    }

    @Test
    void theIdOfATombstoneIsTaken() {
        committed(DECOMMISSION);
        ProblemException problem = refused(ErrorCode.TOMBSTONED, () -> fleet.cluster("c1", "dev", "{}"));
        assertThat(problem.problem().next()).contains("undelete").contains("purge");
        refused(
                ErrorCode.TOMBSTONED,
                () -> fleet.write(new Operation.Put(
                        new DocumentKey(Types.CLUSTER, "c1"),
                        fleet.document(Types.CLUSTER, "c1").tree())));
    }

    @Test
    void theDnsNameOfATombstoneIsTaken() {
        committed(DECOMMISSION);
        ProblemException problem = refused(
                ErrorCode.TOMBSTONED, () -> fleet.cluster("c2", "dev", "{\"cluster_dns\": \"c1.k8s.example.com\"}"));
        assertThat(problem.problem().next()).contains("undelete").contains("purge");
        assertThat(problem.problem().detail()).contains("cluster/c1");
        refused(
                ErrorCode.TOMBSTONED,
                () -> fleet.cluster(
                        "c3",
                        "dev",
                        "{\"dns_aliases\": [{\"dns\": \"c1.k8s.example.com\","
                                + " \"expires_at\": \"2027-01-01T00:00:00Z\"}]}"));
    }

    @Test
    void theDnsNameOfAnActiveClusterIsTakenToo() {
        refused(ErrorCode.CONFLICT, () -> fleet.cluster("c2", "dev", "{\"cluster_dns\": \"c1.k8s.example.com\"}"));
        refused(ErrorCode.ALREADY_EXISTS, () -> fleet.cluster("c1", "dev", "{}"));
    }

    @Test
    void clustersMaySwapNamesInOneRequest() {
        fleet.cluster("c2", "dev", "{}");
        fleet.confirm(
                edit(Types.CLUSTER, "c1", body -> body.put("cluster_dns", "c2.k8s.example.com")),
                edit(Types.CLUSTER, "c2", body -> body.put("cluster_dns", "c1.k8s.example.com")));
        assertThat(fleet.snapshot()
                        .clusterByDns("c2.k8s.example.com")
                        .orElseThrow()
                        .id())
                .isEqualTo("c1");
        assertThat(fleet.snapshot()
                        .clusterByDns("c1.k8s.example.com")
                        .orElseThrow()
                        .id())
                .isEqualTo("c2");
    }

    @Test
    void aClusterThatNeverPolledIsPurgedOnDelete() {
        fleet.contact.polled.clear();
        committed(delete(Types.CLUSTER, "c1"));
        assertThat(fleet.snapshot().find(new DocumentKey(Types.CLUSTER, "c1"))).isEmpty();
        assertThat(fleet.snapshot().find(new DocumentKey(Types.CLUSTER_LIFE, "c1")))
                .isEmpty();
    }

    @Test
    void clustersOfTheLastTierAreProtected() {
        fleet.cluster("p1", "prod", "{}");
        fleet.cluster("open", "prod", "{\"protected\": false}");
        fleet.cluster("shut", "dev", "{\"protected\": true}");
        for (String id : List.of("p1", "shut")) {
            for (Operation operation : List.of(
                    delete(Types.CLUSTER, id),
                    new Operation.Decommission(id, Optional.empty()),
                    new Operation.Detach(id))) {
                assertThat(refused(ErrorCode.CONFIRMATION_REQUIRED, () -> fleet.write(operation)))
                        .hasMessageContaining("cluster/" + id + " is protected");
            }
        }
        committed(new Operation.Decommission("open", Optional.empty()));
        assertThat(fleet.confirm(new Operation.Decommission("p1", Optional.empty())))
                .isInstanceOf(Outcome.Committed.class);
        refused(ErrorCode.CONFIRMATION_REQUIRED, () -> fleet.write(new Operation.Purge("p1", true)));
    }

    @Test
    void aNewLastTierTakesTheProtectionOver() {
        fleet.create(Types.ENVIRONMENT, "vault", "{\"order\": 99}");
        fleet.cluster("p1", "prod", "{}");
        fleet.cluster("v1", "vault", "{}");
        refused(ErrorCode.CONFIRMATION_REQUIRED, () -> fleet.write(new Operation.Decommission("v1", Optional.empty())));
        committed(new Operation.Decommission("p1", Optional.empty()));
    }

    @Test
    void protectionCannotBeDroppedAndUsedInOneRequest() {
        fleet.cluster("p1", "prod", GRAFANA);
        refused(
                ErrorCode.CONFIRMATION_REQUIRED,
                () -> fleet.write(edit(Types.CLUSTER, "p1", body -> {
                    body.remove("platform_components");
                    return body.put("protected", false);
                })));
        refused(
                ErrorCode.CONFIRMATION_REQUIRED,
                () -> fleet.write(
                        edit(Types.CLUSTER, "p1", body -> body.put("protected", false)), delete(Types.CLUSTER, "p1")));
    }

    @Test
    void undeletingGivesTheSameBytes() {
        AllAnswers before = AllAnswers.of(fleet.snapshot());
        committed(DECOMMISSION);
        committed(UNDELETE);
        assertThat(AllAnswers.of(fleet.snapshot())).isEqualTo(before);
    }

    @Test
    void whatALeavingClusterNamedMayGoAndThenItCannotComeBack() {
        committed(DECOMMISSION);
        committed(delete(Types.PLATFORM_COMPONENT, "grafana"));
        refused(ErrorCode.INVALID, () -> fleet.write(UNDELETE));
        assertThat(answer()).isInstanceOf(Answer.ConfirmedEmpty.class);
    }

    @Test
    void revertingTheCreationOfAClusterThatPolledIsADecommission() {
        Outcome.Committed made = committed(creation(Types.CLUSTER, "c2", """
                {"cluster_name": "c2", "cluster_dns": "c2.example.com", "environment": "dev", "owner": "a",
                 "platform_components": [{"id": "grafana"}]}"""));
        fleet.contact.polled.add("c2");
        Operation[] undo = Undoing.commit(fleet.store, made.commit().revision()).toArray(Operation[]::new);
        fleet.confirm(undo);
        assertThat(fleet.snapshot().find(new DocumentKey(Types.CLUSTER, "c2"))).isPresent();
        assertThat(fleet.answer("c2", COMPONENTS)).isInstanceOf(Answer.ConfirmedEmpty.class);
    }

    @Test
    void revertingTheCreationOfAClusterThatNeverPolledLeavesNothingBehind() {
        fleet.contact.polled.clear();
        Outcome.Committed made = committed(creation(Types.CLUSTER, "c2", """
                {"cluster_name": "c2", "cluster_dns": "c2.example.com", "environment": "dev", "owner": "a",
                 "platform_components": [{"id": "grafana"}]}"""));
        fleet.confirm(Undoing.commit(fleet.store, made.commit().revision()).toArray(Operation[]::new));
        assertThat(fleet.snapshot().find(new DocumentKey(Types.CLUSTER, "c2"))).isEmpty();
        assertThat(fleet.snapshot().find(new DocumentKey(Types.CLUSTER_LIFE, "c2")))
                .isEmpty();
    }

    @Test
    void aClusterMadeAnewIsNotBornLeaving() {
        fleet.contact.polled.clear();
        Outcome.Committed made = committed(creation(Types.CLUSTER, "c2", """
                {"cluster_name": "c2", "cluster_dns": "c2.example.com", "environment": "dev", "owner": "a",
                 "platform_components": [{"id": "grafana"}]}"""));
        committed(new Operation.Decommission("c2", Optional.empty()));
        try {
            fleet.confirm(Undoing.commit(fleet.store, made.commit().revision()).toArray(Operation[]::new));
            fleet.cluster("c2", "dev", GRAFANA);
        } catch (ProblemException e) {
            return; // refused is fine too
        }
        assertThat(served("c2", COMPONENTS)).isEqualTo("grafana");
    }

    @Test
    @Requirement("G5")
    void aPinHoldsWhateverChanges() {
        fleet.create(Types.NAMESPACE, "apps", "{}");
        fleet.create(Types.WORKSPACE, "retail", "{\"namespaces\": [{\"id\": \"apps\"}]}");
        committed(edit(Types.CLUSTER, "c1", body -> {
            body.putObject("patches").putObject("grafana").put("a.b", 1);
            return body.put("workspace", "retail");
        }));
        AllAnswers before = AllAnswers.of(fleet.snapshot());
        Outcome.Committed pause = committed(PAUSE);
        assertThat(pause.plan().groups()).as("pausing changes no answer").isEmpty();
        Outcome.Committed change = (Outcome.Committed) fleet.confirm(edit(Types.CLUSTER, "c1", body -> {
            body.remove(List.of("patches", "workspace"));
            return body.put("cluster_name", "renamed").put("environment", "qa");
        }));
        assertThat(change.plan().groups()).isEmpty();
        assertThat(change.plan().paused()).containsExactly("c1");
        assertThat(AllAnswers.of(fleet.snapshot())).isEqualTo(before);
        restart();
        assertThat(AllAnswers.of(fleet.snapshot())).isEqualTo(before);
        refused(ErrorCode.CONFIRMATION_REQUIRED, () -> fleet.write(RESUME));
        fleet.confirm(RESUME);
        assertThat(AllAnswers.of(fleet.snapshot())).isNotEqualTo(before);
    }

    @Test
    void aPausedClusterWithoutChangesIsNotNamedAsHeldBack() {
        committed(PAUSE);
        Outcome.Committed change = committed(
                edit(Types.PLATFORM_COMPONENT, "grafana", body -> body.put("description", "Only for people.")));
        assertThat(change.plan().paused()).isEmpty();
    }

    @Test
    void aClusterWithDeepValuesCanBePaused() {
        String path = "a" + ".a".repeat(31);
        committed(edit(Types.CLUSTER, "c1", body -> {
            body.putObject("patches").putObject("grafana").put(path, 1);
            return body;
        }));
        AllAnswers before = AllAnswers.of(fleet.snapshot());
        committed(PAUSE);
        assertThat(AllAnswers.of(fleet.snapshot())).isEqualTo(before);
        restart();
        assertThat(AllAnswers.of(fleet.snapshot())).isEqualTo(before);
    }

    @Test
    void aPauseIsRevertedToWhatTheLayersSay() {
        Outcome.Committed pause = committed(PAUSE);
        committed(edit(Types.PLATFORM_COMPONENT, "grafana", body -> body.put("oci_tag", "v2.0.0")));
        fleet.confirm(Undoing.commit(fleet.store, pause.commit().revision()).toArray(Operation[]::new));
        assertThat(fleet.json("c1", COMPONENTS, WireShape.SET).toString()).contains("v2.0.0");
    }

    @Test
    void nobodyWritesALifeByHand() {
        refused(
                ErrorCode.FORBIDDEN,
                () -> fleet.write(new Operation.Put(
                        new DocumentKey(Types.CLUSTER_LIFE, "c1"),
                        StrictJson.object().put("id", "c1").put("phase", "leaving"))));
        refused(ErrorCode.FORBIDDEN, () -> fleet.write(delete(Types.CLUSTER_LIFE, "c1")));
    }

    @Test
    void unknownClustersAreNotFound() {
        for (Operation operation : List.of(
                new Operation.Decommission("c9", Optional.empty()),
                new Operation.Undelete("c9"),
                new Operation.Detach("c9"),
                new Operation.Purge("c9", true),
                new Operation.Pause("c9", NOTE),
                new Operation.Resume("c9"),
                delete(Types.CLUSTER, "c9"))) {
            refused(ErrorCode.NOT_FOUND, () -> fleet.write(operation));
        }
    }
}
