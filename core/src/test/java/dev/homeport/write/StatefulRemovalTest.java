package dev.homeport.write;

import static dev.homeport.support.TestFleet.ALICE;
import static dev.homeport.support.TestFleet.delete;
import static dev.homeport.support.TestFleet.direct;
import static dev.homeport.support.TestFleet.edit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.ProblemException;
import dev.homeport.support.FleetTest;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds data is removed only by a confirmed change, on every path, and a plan says what stays on the cluster. */
class StatefulRemovalTest extends FleetTest {
    private static final String STATEFUL = "which is stateful";

    @BeforeEach
    void vault() {
        fleet.component("grafana");
        fleet.component("vault", "{\"stateful\": true}");
        fleet.component("store", "{\"stateful\": true, \"target_namespace\": \"data\"}");
        fleet.component("files", "{\"stateful\": true, \"kind\": \"kustomize\"}");
        for (String id : List.of("apps", "data", "vault")) {
            fleet.create(Types.NAMESPACE, id, "{}");
        }
        fleet.create(Types.NAMESPACE, "scratch", "{\"keep\": false}");
        fleet.create(Types.WORKSPACE, "retail", "{\"platform_components\": [{\"id\": \"vault\"}]}");
        fleet.create(Types.WORKSPACE, "bank", "{}");
        fleet.create(Types.CLUSTER_TEMPLATE, "small", "{\"platform_components\": [{\"id\": \"vault\"}]}");
        fleet.cluster("own", "dev", "{\"platform_components\": [{\"id\": \"vault\"}, {\"id\": \"grafana\"}]}");
        fleet.cluster("member", "dev", "{\"workspace\": \"retail\", \"platform_components\": [{\"id\": \"grafana\"}]}");
        fleet.cluster("made", "dev", "{\"template\": \"small\", \"platform_components\": [{\"id\": \"grafana\"}]}");
    }

    private ConfirmationRequired asked(Operation operation) {
        ConfirmationRequired asked = catchThrowableOfType(ConfirmationRequired.class, () -> fleet.write(operation));
        assertThat(asked).as("%s", operation).isNotNull();
        return asked;
    }

    private static Operation components(String type, String id, String list) {
        return edit(type, id, body -> {
            body.set(
                    "platform_components",
                    StrictJson.read("{\"l\": " + list + "}").get("l"));
            return body;
        });
    }

    private static Operation namespaces(String cluster, String list) {
        return edit(Types.CLUSTER, cluster, body -> {
            body.set("namespaces", StrictJson.read("{\"l\": " + list + "}").get("l"));
            return body;
        });
    }

    static Stream<Operation> removals() {
        return Stream.of(
                components(Types.CLUSTER, "own", "[{\"id\": \"grafana\"}]"),
                components(Types.CLUSTER, "own", "[{\"id\": \"vault\", \"enabled\": false}, {\"id\": \"grafana\"}]"),
                components(Types.CLUSTER, "member", "[{\"id\": \"vault\", \"remove\": true}, {\"id\": \"grafana\"}]"),
                components(Types.CLUSTER, "member", "[{\"id\": \"vault\", \"enabled\": false}, {\"id\": \"grafana\"}]"),
                components(Types.WORKSPACE, "retail", "[]"),
                components(Types.CLUSTER_TEMPLATE, "small", "[]"),
                edit(Types.CLUSTER, "member", body -> body.put("workspace", "bank")),
                edit(Types.CLUSTER, "made", body -> {
                    body.remove("template");
                    return body;
                }));
    }

    @ParameterizedTest
    @MethodSource("removals")
    void everyWayToTakeSomethingStatefulIsAskedForAndKeepsIt(Operation removal) {
        ConfirmationRequired asked = asked(removal);
        assertThat(asked).hasMessageContaining("loses platform_component/vault, " + STATEFUL);
        assertThat(asked.plan().groups().getFirst().changes()).singleElement().satisfies(change -> {
            assertThat(change.kind()).isEqualTo(ItemChange.Kind.REMOVED);
            assertThat(change.kept()).isTrue();
        });
        assertThat(fleet.writer.write(direct(removal).confirmedBy(asked.token())))
                .isInstanceOf(Outcome.Committed.class);
    }

    @Test
    void clustersThatLoseTheSameShareALine() {
        fleet.cluster("second", "dev", "{\"workspace\": \"retail\"}");
        assertThat(asked(components(Types.WORKSPACE, "retail", "[]")).plan().guards())
                .contains("cluster/member and 1 more lose platform_component/vault, " + STATEFUL);
    }

    @Test
    void whatIsNotStatefulGoesWithoutAQuestionAndIsNotKept() {
        Outcome.Committed done = committed(components(Types.CLUSTER, "own", "[{\"id\": \"vault\"}]"));
        assertThat(done.plan().groups().getFirst().changes())
                .singleElement()
                .satisfies(change -> assertThat(change.kept()).isFalse());
    }

    @Test
    void aStatefulComponentThatIsInstalledAgainIsNotKept() {
        Operation move = edit(Types.PLATFORM_COMPONENT, "vault", body -> body.put("target_namespace", "elsewhere"));
        assertThat(asked(move).plan().groups().getFirst().changes())
                .extracting(ItemChange::kind, ItemChange::kept)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(ItemChange.Kind.REMOVED, false),
                        org.assertj.core.groups.Tuple.tuple(ItemChange.Kind.ADDED, false));
    }

    @Test
    void aClusterWithTemplatesOfItsOwnKeepsNothing() {
        fleet.contact.flat.add("own");
        assertThat(asked(components(Types.CLUSTER, "own", "[{\"id\": \"grafana\"}]"))
                        .plan()
                        .groups()
                        .getFirst()
                        .changes())
                .singleElement()
                .satisfies(change -> assertThat(change.kept()).isFalse());
        // Its data would go with it, so naming the cluster is not enough.
        assertThat(asked(delete(Types.CLUSTER, "own"))).hasMessageContaining(STATEFUL);
    }

    @Test
    void aNamespaceInWhichSomethingStatefulLivesIsAskedFor() {
        fleet.cluster("c1", "dev", """
                {"platform_components": [{"id": "vault"}, {"id": "store"}, {"id": "files"}],
                 "namespaces": [{"id": "apps"}, {"id": "data"}, {"id": "vault"}, {"id": "scratch"}]}""");
        // A chart without a target namespace lives in the one of its own name.
        assertThat(asked(namespaces("c1", "[{\"id\": \"apps\"}, {\"id\": \"data\"}, {\"id\": \"scratch\"}]")))
                .hasMessageContaining("namespace/vault, in which the stateful platform_component/vault lives");
        assertThat(asked(namespaces("c1", "[{\"id\": \"apps\"}, {\"id\": \"vault\"}, {\"id\": \"scratch\"}]")))
                .hasMessageContaining("namespace/data, in which the stateful platform_component/store lives");
        // Where a kustomize component lives is not known, and this namespace would be deleted.
        assertThat(asked(namespaces("c1", "[{\"id\": \"apps\"}, {\"id\": \"data\"}, {\"id\": \"vault\"}]")))
                .hasMessageContaining("namespace/scratch, in which the stateful platform_component/files lives");
        Outcome.Committed done =
                committed(namespaces("c1", "[{\"id\": \"data\"}, {\"id\": \"vault\"}, {\"id\": \"scratch\"}]"));
        assertThat(done.plan().groups().getFirst().changes())
                .singleElement()
                .satisfies(change -> assertThat(change.kept()).isTrue());
    }

    @Test
    void aDecommissionNamesWhatKeepsItFromDraining() {
        Outcome.Committed done = committed(new Operation.Decommission("own", Optional.empty()));
        assertThat(done.plan().warnings())
                .singleElement()
                .asString()
                .contains("cluster/own does not drain while it keeps platform_component/vault (stateful)");
    }

    @Test
    void aDecommissionThatDeletesNamespacesWithDataIsAskedFor() {
        fleet.cluster(
                "c1",
                "dev",
                "{\"platform_components\": [{\"id\": \"store\"}], \"namespaces\": [{\"id\": \"apps\"}, {\"id\": \"data\"}]}");
        Operation decommission =
                new Operation.Decommission("c1", Optional.empty(), Operation.Decommission.Namespaces.DELETE);
        assertThat(asked(decommission))
                .hasMessageContaining("namespace/data, in which the stateful platform_component/store lives");
    }

    @Test
    void anAssignmentThatEndsIsAskedForWhenItIsSet() {
        Operation assign = components(
                Types.CLUSTER,
                "member",
                "[{\"id\": \"store\", \"expires_at\": \"2026-03-01T00:00:00Z\"}, {\"id\": \"grafana\"}]");
        assertThat(asked(assign)).hasMessageContaining("expires: cluster/member loses platform_component/store");
    }

    @Test
    void aPurgeNamesWhatIsLeft() {
        fleet.write(new Operation.Decommission("own", Optional.empty()));
        fleet.contact.left.add("platform_component/vault: it is stateful");
        ProblemException refused =
                catchThrowableOfType(ProblemException.class, () -> fleet.write(new Operation.Purge("own", false)));
        assertThat(refused)
                .hasMessageContaining("cluster/own is not drained: platform_component/vault: it is stateful");
    }

    @Test
    void aRevertThatTakesSomethingStatefulIsAskedFor() {
        fleet.write(components(Types.CLUSTER, "member", "[{\"id\": \"store\"}, {\"id\": \"grafana\"}]"));
        Operation undo =
                Undoing.commit(fleet.store, fleet.snapshot().revision()).getFirst();
        assertThat(catchThrowableOfType(
                        ConfirmationRequired.class, () -> fleet.writer.write(WriteRequest.of(ALICE, "a test", undo))))
                .hasMessageContaining("platform_component/store, " + STATEFUL);
    }

    @Test
    void aCatalogEntryThatIsInUseCannotBeDeleted() {
        assertThat(catchThrowableOfType(
                        ProblemException.class, () -> fleet.write(delete(Types.PLATFORM_COMPONENT, "vault"))))
                .hasMessageContaining("vault");
        assertThat(fleet.snapshot().find(new DocumentKey(Types.PLATFORM_COMPONENT, "vault")))
                .isPresent();
    }
}
