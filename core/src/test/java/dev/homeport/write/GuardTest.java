package dev.homeport.write;

import static dev.homeport.support.TestFleet.ALICE;
import static dev.homeport.support.TestFleet.edit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.homeport.api.ErrorCode;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.Answer;
import dev.homeport.json.StrictJson;
import dev.homeport.support.FleetTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** Safety rule 7: what needs a confirmation, what just does not, and what a confirmation is worth. */
class GuardTest extends FleetTest {
    @BeforeEach
    void catalog() {
        fleet.component("grafana");
        fleet.component("loki");
        fleet.component("vault", "{\"stateful\": true}");
        fleet.create(Types.NAMESPACE, "apps", "{}");
        fleet.create(Types.NAMESPACE, "logs", "{}");
        fleet.create(Types.WORKSPACE, "retail", """
                {"platform_components": [{"id": "grafana"}, {"id": "loki"}, {"id": "vault"}],
                 "namespaces": [{"id": "apps"}, {"id": "logs"}]}""");
    }

    private void clusters(int count) {
        List<Operation> batch = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            batch.add(new Operation.Create(
                    new DocumentKey(Types.CLUSTER, "c" + i),
                    StrictJson.object()
                            .put("cluster_name", "c" + i)
                            .put("cluster_dns", "c" + i + ".example.com")
                            .put("environment", "dev")
                            .put("owner", "a")
                            .put("workspace", "retail")));
            fleet.contact.polled.add("c" + i);
        }
        fleet.write(batch.toArray(Operation[]::new));
    }

    private static Operation without(String type, String id, String list, String item) {
        return edit(type, id, body -> {
            ArrayNode kept = StrictJson.object().putArray(list);
            for (JsonNode entry : body.get(list)) {
                if (!entry.get("id").stringValue().equals(item)) {
                    kept.add(entry);
                }
            }
            body.set(list, kept);
            return body;
        });
    }

    private ConfirmationRequired asked(Operation... operations) {
        return asked(WriteRequest.of(ALICE, "a test", operations));
    }

    private ConfirmationRequired asked(WriteRequest request) {
        ConfirmationRequired asked =
                catchThrowableOfType(ConfirmationRequired.class, () -> fleet.writer.write(request));
        assertThat(asked).isNotNull();
        return asked;
    }

    @Test
    void fiveClustersMayLoseAnItemAndSixAreAskedFor() {
        clusters(6);
        committed(edit(Types.CLUSTER, "c0", body -> {
            body.putArray("platform_components").addObject().put("id", "loki").put("remove", true);
            return body;
        }));
        // Five are left that lose something.
        committed(without(Types.WORKSPACE, "retail", "platform_components", "loki"));
        assertThat(asked(without(Types.WORKSPACE, "retail", "platform_components", "grafana")))
                .hasMessageContaining("6 clusters lose items");
    }

    @Test
    void aShareOfALargeFleetMayLoseItemsToo() {
        clusters(6);
        fleet.settings("{\"guards\": {\"max_clusters_losing\": 0, \"max_share_losing\": 1}}");
        committed(without(Types.WORKSPACE, "retail", "platform_components", "loki"));
        fleet.write(edit(Types.SETTINGS, "fleet", body -> {
            body.putObject("guards").put("max_clusters_losing", 2).put("max_share_losing", 0.99);
            return body;
        }));
        assertThat(asked(without(Types.WORKSPACE, "retail", "platform_components", "grafana")))
                .hasMessageContaining("more than the 5");
    }

    @Test
    void aLimitOfNoneAsksForEveryLoss() {
        clusters(1);
        fleet.settings("{\"guards\": {\"max_clusters_losing\": 0, \"max_share_losing\": 0}}");
        asked(without(Types.WORKSPACE, "retail", "platform_components", "loki"));
    }

    @Test
    void aNamespaceIsAskedForOnASingleCluster() {
        clusters(1);
        assertThat(asked(without(Types.WORKSPACE, "retail", "namespaces", "logs")))
                .hasMessageContaining("namespace");
    }

    @Test
    void somethingStatefulIsAskedForOnASingleCluster() {
        clusters(1);
        assertThat(asked(without(Types.WORKSPACE, "retail", "platform_components", "vault")))
                .hasMessageContaining("stateful");
        asked(edit(Types.WORKSPACE, "retail", body -> {
            ((ArrayNode) body.get("platform_components"))
                    .set(2, StrictJson.object().put("id", "vault").put("enabled", false));
            return body;
        }));
        // It was stateful when it was installed, whatever it is called on the way out.
        asked(
                edit(Types.PLATFORM_COMPONENT, "vault", body -> body.put("stateful", false)),
                without(Types.WORKSPACE, "retail", "platform_components", "vault"));
    }

    @Test
    void anEmptiedPairIsAskedForOnASingleCluster() {
        clusters(1);
        fleet.confirm(without(Types.WORKSPACE, "retail", "platform_components", "vault"));
        committed(without(Types.WORKSPACE, "retail", "platform_components", "loki"));
        ConfirmationRequired asked = asked(without(Types.WORKSPACE, "retail", "platform_components", "grafana"));
        assertThat(asked).hasMessageContaining("left with nothing of type platform_component");
        assertThat(asked.plan().groups()).singleElement().satisfies(group -> {
            assertThat(group.empties()).isTrue();
            assertThat(group.clusters()).containsExactly("c0");
        });
    }

    @Test
    void disablingTheLastOneEmptiesToo() {
        clusters(1);
        Operation disable = edit(Types.WORKSPACE, "retail", body -> {
            for (JsonNode entry : body.get("platform_components")) {
                ((tools.jackson.databind.node.ObjectNode) entry).put("enabled", false);
            }
            return body;
        });
        assertThat(asked(disable)).hasMessageContaining("left with nothing");
        fleet.confirm(disable);
        assertThat(fleet.answer("c0", COMPONENTS))
                .isInstanceOfSatisfying(
                        Answer.ConfirmedEmpty.class,
                        empty -> assertThat(empty.items()).hasSize(3));
    }

    @Test
    void anEditOfOneUnprotectedClusterIsItsOwnConfirmation() {
        fleet.cluster(
                "c1", "dev", "{\"namespaces\": [{\"id\": \"apps\"}], \"platform_components\": [{\"id\": \"loki\"}]}");
        committed(edit(Types.CLUSTER, "c1", body -> {
            body.remove(List.of("namespaces", "platform_components"));
            return body;
        }));
        assertThat(fleet.answer("c1", "namespaces")).isInstanceOf(Answer.ConfirmedEmpty.class);
    }

    @Test
    void anEditOfAProtectedClusterIsNot() {
        fleet.cluster("p1", "prod", "{\"namespaces\": [{\"id\": \"apps\"}, {\"id\": \"logs\"}]}");
        asked(without(Types.CLUSTER, "p1", "namespaces", "apps"));
        fleet.cluster("p2", "prod", "{\"protected\": false, \"namespaces\": [{\"id\": \"apps\"}]}");
        committed(without(Types.CLUSTER, "p2", "namespaces", "apps"));
    }

    @Test
    void twoClustersInOneRequestAreNoDirectEdit() {
        fleet.cluster("c1", "dev", "{\"namespaces\": [{\"id\": \"apps\"}]}");
        fleet.cluster("c2", "dev", "{\"namespaces\": [{\"id\": \"apps\"}]}");
        asked(without(Types.CLUSTER, "c1", "namespaces", "apps"), without(Types.CLUSTER, "c2", "namespaces", "apps"));
    }

    @Test
    void addingAndChangingIsNeverAskedFor() {
        clusters(20);
        committed(edit(Types.PLATFORM_COMPONENT, "vault", body -> body.put("oci_tag", "v2.0.0")));
        fleet.component("tempo");
        Outcome.Committed added = committed(edit(Types.WORKSPACE, "retail", body -> {
            ((ArrayNode) body.get("platform_components")).addObject().put("id", "tempo");
            return body;
        }));
        assertThat(added.plan().guards()).isEmpty();
        assertThat(added.plan().groups())
                .singleElement()
                .satisfies(group -> assertThat(group.clusters()).hasSize(20));
    }

    @Test
    void aFixThatTakesAwayWhatWasHeldIsAskedForToo() {
        fleet.cluster("p1", "prod", "{\"platform_components\": [{\"id\": \"grafana\"}, {\"id\": \"loki\"}]}");
        damage(Types.PLATFORM_COMPONENT, "grafana");
        assertThat(fleet.answer("p1", COMPONENTS)).isInstanceOf(Answer.Hold.class);
        // The cluster still runs both; after this it would run nothing.
        asked(edit(Types.CLUSTER, "p1", body -> {
            body.remove("platform_components");
            return body;
        }));
    }

    @Test
    void aWrongTokenConfirmsNothing() {
        clusters(1);
        WriteRequest request =
                WriteRequest.of(ALICE, "a test", without(Types.WORKSPACE, "retail", "namespaces", "logs"));
        String good = asked(request).token();
        for (String wrong : List.of(
                "", ".", "..", "x", "1.2.3", good + "0", good.substring(1), "9" + good, good.replace('.', ','))) {
            ConfirmationRequired again = asked(request.confirmedBy(wrong));
            assertThat(again.problem().code()).isEqualTo(ErrorCode.CONFIRMATION_REQUIRED);
        }
        String foreign = new Confirmation("another key".getBytes(java.nio.charset.StandardCharsets.UTF_8))
                .issue(good.substring(good.indexOf('.') + 1, good.lastIndexOf('.')), fleet.now);
        asked(request.confirmedBy(foreign));
        assertThat(fleet.writer.write(request.confirmedBy(good))).isInstanceOf(Outcome.Committed.class);
    }

    @Test
    void aTokenIsGoodForFifteenMinutes() {
        clusters(1);
        WriteRequest request =
                WriteRequest.of(ALICE, "a test", without(Types.WORKSPACE, "retail", "namespaces", "logs"));
        String token = asked(request).token();
        fleet.advance(Duration.ofMinutes(15).plusSeconds(1));
        ConfirmationRequired late = asked(request.confirmedBy(token));
        assertThat(late).hasMessageContaining("expired");
        fleet.advance(Duration.ofMinutes(15));
        assertThat(fleet.writer.write(request.confirmedBy(late.token()))).isInstanceOf(Outcome.Committed.class);
    }

    @Test
    void anotherEffectNeedsAnotherConfirmation() {
        clusters(1);
        WriteRequest request =
                WriteRequest.of(ALICE, "a test", without(Types.WORKSPACE, "retail", "namespaces", "logs"));
        String token = asked(request).token();
        fleet.cluster("late", "dev", "{\"workspace\": \"retail\"}");
        ConfirmationRequired changed = asked(request.confirmedBy(token));
        assertThat(changed.problem().code()).isEqualTo(ErrorCode.PLAN_CHANGED);
        assertThat(changed.plan().groups())
                .singleElement()
                .satisfies(group -> assertThat(group.clusters()).containsExactly("c0", "late"));
        assertThat(fleet.writer.write(request.confirmedBy(changed.token()))).isInstanceOf(Outcome.Committed.class);
    }

    @Test
    void aConfirmationOutlivesCommitsThatDoNotMatter() {
        clusters(1);
        WriteRequest request =
                WriteRequest.of(ALICE, "a test", without(Types.WORKSPACE, "retail", "namespaces", "logs"));
        String token = asked(request).token();
        fleet.component("tempo");
        fleet.cluster("elsewhere", "dev", "{}");
        assertThat(fleet.writer.write(request.confirmedBy(token))).isInstanceOf(Outcome.Committed.class);
    }

    @Test
    void theConfirmationOfADecommissionOutlivesThemToo() {
        fleet.cluster("p1", "prod", GRAFANA);
        for (Operation operation : List.of(
                new Operation.Detach("p1"),
                new Operation.Undelete("p1"),
                new Operation.Decommission("p1", Optional.empty()))) {
            WriteRequest request = WriteRequest.of(ALICE, "a test", operation);
            ConfirmationRequired asked =
                    catchThrowableOfType(ConfirmationRequired.class, () -> fleet.writer.write(request));
            if (asked != null) {
                fleet.component("tempo-" + fleet.snapshot().revision());
                assertThat(fleet.writer.write(request.confirmedBy(asked.token())))
                        .isInstanceOf(Outcome.Committed.class);
            }
        }
    }

    @Test
    void aDryRunGivesATokenThatConfirms() {
        clusters(1);
        WriteRequest request =
                WriteRequest.of(ALICE, "a test", without(Types.WORKSPACE, "retail", "namespaces", "logs"));
        long head = fleet.snapshot().revision();
        Outcome.Planned planned = (Outcome.Planned) fleet.writer.write(request.with(WriteRequest.Flag.DRY_RUN));
        assertThat(planned.plan().guards()).isNotEmpty();
        assertThat(fleet.store.head().revision()).isEqualTo(head);
        Outcome.Committed done = (Outcome.Committed) fleet.writer.write(request.confirmedBy(planned.token()));
        assertThat(done.commit().marks())
                .containsEntry("confirmed", planned.plan().hash());
        assertThat(done.plan().hash()).isEqualTo(planned.plan().hash());
    }

    @Test
    void whatHappensLaterIsPlannedWhenItIsSet() {
        fleet.cluster("p1", "prod", GRAFANA);
        Operation expiry = edit(Types.CLUSTER, "p1", body -> body.put("expires_at", "2026-06-01T00:00:00Z"));
        ConfirmationRequired asked = asked(expiry);
        assertThat(asked.plan().later()).isNotEmpty();
    }
}
