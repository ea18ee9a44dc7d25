package dev.homeport.fleet;

import static dev.homeport.support.TestFleet.edit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.homeport.api.ErrorCode;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.problem.ProblemException;
import dev.homeport.support.AllAnswers;
import dev.homeport.support.FleetTest;
import dev.homeport.support.TestFleet;
import dev.homeport.testing.Requirement;
import dev.homeport.write.Operation;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where Homeport is not sure, it answers with an error, and only there. */
class HoldTest extends FleetTest {
    @BeforeEach
    void threeClusters() {
        fleet.component("grafana");
        fleet.component("loki");
        fleet.create(Types.NAMESPACE, "apps", "{}");
        fleet.create(Types.WORKSPACE, "retail", "{\"platform_components\": [{\"id\": \"loki\"}]}");
        fleet.create(Types.WORKSPACE, "search", "{\"namespaces\": [{\"id\": \"apps\"}]}");
        fleet.cluster("c1", "dev", "{\"workspace\": \"retail\", \"platform_components\": [{\"id\": \"grafana\"}]}");
        fleet.cluster("c2", "qa", "{\"workspace\": \"search\", \"platform_components\": [{\"id\": \"grafana\"}]}");
        fleet.cluster("c3", "uat", "{\"namespaces\": [{\"id\": \"apps\"}]}");
    }

    /** The places that hold after the damage; everything else must be what it was, to the byte. */
    private String held(String type, String id) {
        SortedMap<String, String> before = AllAnswers.of(fleet.snapshot()).texts();
        damage(type, id);
        AllAnswers after = AllAnswers.of(fleet.snapshot());
        SortedMap<String, String> held = new TreeMap<>();
        after.texts().forEach((place, text) -> {
            if (after.answers().get(place) instanceof Answer.Hold) {
                held.put(place, text);
            } else {
                assertThat(text).as(place).isEqualTo(before.get(place));
            }
        });
        assertThat(after.texts().keySet()).isEqualTo(before.keySet());
        return String.join(" ", held.keySet());
    }

    @Test
    @Requirement("A9")
    void aBrokenComponentHoldsTheComponentsOfItsClusters() {
        assertThat(held(Types.PLATFORM_COMPONENT, "loki")).isEqualTo("c1/platform_component");
    }

    @Test
    @Requirement("A9")
    void aBrokenNamespaceHoldsTheNamespacesOfItsClusters() {
        assertThat(held(Types.NAMESPACE, "apps")).isEqualTo("c2/namespace c3/namespace");
    }

    @Test
    @Requirement("A9")
    void aBrokenClusterHoldsItselfAlone() {
        assertThat(held(Types.CLUSTER, "c1")).isEqualTo("c1/namespace c1/platform_component c1/rolebinding");
    }

    @Test
    @Requirement("A9")
    void aBrokenLayerHoldsItsClusters() {
        assertThat(held(Types.WORKSPACE, "retail")).isEqualTo("c1/namespace c1/platform_component c1/rolebinding");
    }

    @Test
    @Requirement("A9")
    void aBrokenEnvironmentHoldsItsClusters() {
        assertThat(held(Types.ENVIRONMENT, "uat")).isEqualTo("c3/namespace c3/platform_component c3/rolebinding");
    }

    @Test
    @Requirement("A9")
    void aBrokenLifeHoldsItsCluster() {
        assertThat(held(Types.CLUSTER_LIFE, "c1")).isEqualTo("c1/namespace c1/platform_component c1/rolebinding");
    }

    @Test
    void brokenSettingsHoldAndDoNotCrash() {
        fleet.settings("{\"answer_format\": 1}");
        damage(Types.SETTINGS, "fleet");
        assertThat(fleet.answer("c1", COMPONENTS)).isInstanceOf(Answer.Hold.class);
    }

    @Test
    void otherClustersCanBeWrittenToMeanwhile() {
        damage(Types.CLUSTER, "c1");
        fleet.write(edit(Types.CLUSTER, "c2", body -> body.put("description", "Words.")));
        fleet.write(edit(Types.PLATFORM_COMPONENT, "grafana", body -> body.put("oci_tag", "v2.0.0")));
        fleet.write(edit(Types.WORKSPACE, "retail", body -> body.put("description", "Words.")));
        assertThat(fleet.json("c2", COMPONENTS, WireShape.SET).toString()).contains("v2.0.0");
        assertThat(fleet.answer("c1", COMPONENTS)).isInstanceOf(Answer.Hold.class);
    }

    @Test
    void writesAroundABrokenFreezeAreRefusedInWords() {
        fleet.create(Types.FREEZE, "xmas", "{\"scope\": {\"cluster\": \"c3\"}, \"reason\": \"holidays\"}");
        damage(Types.FREEZE, "xmas");
        Throwable thrown = catchThrowable(
                () -> fleet.write(edit(Types.PLATFORM_COMPONENT, "grafana", body -> body.put("oci_tag", "v2.0.0"))));
        // What it froze cannot be known; but that is a refusal, not a crash.
        if (thrown != null) {
            assertThat(thrown).isInstanceOf(ProblemException.class);
        }
    }

    @Test
    void aBrokenDocumentIsRepairedByWritingItAnew() {
        SortedMap<String, String> before = AllAnswers.of(fleet.snapshot()).texts();
        var loki = fleet.document(Types.PLATFORM_COMPONENT, "loki").tree();
        damage(Types.PLATFORM_COMPONENT, "loki");
        assertThat(catchThrowable(() ->
                        fleet.write(edit(Types.PLATFORM_COMPONENT, "loki", body -> body.put("oci_tag", "v2.0.0")))))
                .as("an edit of what cannot be read")
                .isInstanceOf(ProblemException.class);
        fleet.confirm(new Operation.Put(new DocumentKey(Types.PLATFORM_COMPONENT, "loki"), loki));
        assertThat(AllAnswers.of(fleet.snapshot()).texts()).isEqualTo(before);
    }

    @Test
    void aDanglingReferenceHolds() {
        Overlay without = new Overlay(
                fleet.snapshot(),
                fleet.snapshot().types(),
                Map.of(new DocumentKey(Types.PLATFORM_COMPONENT, "loki"), Optional.empty()));
        assertThat(TestFleet.answer(without, "c1", COMPONENTS))
                .isInstanceOfSatisfying(
                        Answer.Hold.class, hold -> assertThat(hold.reason()).contains("platform_component/loki"));
        assertThat(TestFleet.answer(without, "c2", COMPONENTS)).isInstanceOf(Answer.Inputs.class);
        Overlay noLayer = new Overlay(
                fleet.snapshot(),
                fleet.snapshot().types(),
                Map.of(new DocumentKey(Types.WORKSPACE, "search"), Optional.empty()));
        assertThat(TestFleet.answer(noLayer, "c2", "namespaces")).isInstanceOf(Answer.Hold.class);
        assertThat(TestFleet.answer(noLayer, "c2", COMPONENTS)).isInstanceOf(Answer.Hold.class);
    }

    private void emptyBehindTheWriter() {
        fleet.appendBehind(edit(Types.CLUSTER, "c3", body -> {
            body.remove("namespaces");
            return body;
        }));
    }

    @Test
    void anEmptinessThatNobodyConfirmedHolds() {
        emptyBehindTheWriter();
        assertThat(fleet.answer("c3", "namespaces"))
                .isInstanceOfSatisfying(
                        Answer.Hold.class, hold -> assertThat(hold.reason()).contains("no confirmed change"));
        assertThat(fleet.answer("c3", COMPONENTS)).isInstanceOf(Answer.ConfirmedEmpty.class);
        restart();
        assertThat(fleet.answer("c3", "namespaces")).isInstanceOf(Answer.Hold.class);
    }

    @Test
    void anUnrelatedEditDoesNotConfirmIt() {
        emptyBehindTheWriter();
        fleet.write(edit(Types.CLUSTER, "c3", body -> body.put("description", "Words.")));
        assertThat(fleet.answer("c3", "namespaces")).isInstanceOf(Answer.Hold.class);
    }

    @Test
    void aFormatFromTheFutureHoldsEverybody() {
        fleet.settings("{\"answer_format\": 1}");
        fleet.appendBehind(
                edit(Types.SETTINGS, "fleet", body -> body.put("answer_format", Rendering.NEWEST_FORMAT + 1)));
        for (String cluster : new String[] {"c1", "c2", "c3"}) {
            assertThat(fleet.answer(cluster, COMPONENTS))
                    .isInstanceOfSatisfying(
                            Answer.Hold.class, hold -> assertThat(hold.reason()).contains("newer"));
        }
    }

    @Test
    void aFormatThatThisServerCannotRenderIsNotAccepted() {
        refused(ErrorCode.INVALID, () -> fleet.settings("{\"answer_format\": " + (Rendering.NEWEST_FORMAT + 1) + "}"));
    }

    private static final String TYPE = """
            {"id": "NAME", "plural": "quotas", "schema": {"type": "object", "properties": {"cpu": {"type": "integer"}}}}""";

    private void quotas() {
        fleet.create(Types.TYPE, "quota", TYPE.replace("NAME", "quota"));
        fleet.create("quota", "small", "{\"cpu\": 1}");
        fleet.write(edit(Types.CLUSTER, "c1", body -> {
            body.putObject("refs").putArray("quotas").addObject().put("id", "small");
            return body;
        }));
        assertThat(served("c1", "quotas")).isEqualTo("small");
    }

    @Test
    @Requirement("H1")
    void aSecondTypeCannotTakeThePluralOfTheFirst() {
        quotas();
        assertThat(catchThrowable(() -> fleet.create(Types.TYPE, "ratio", TYPE.replace("NAME", "ratio"))))
                .isInstanceOf(ProblemException.class);
        assertThat(served("c1", "quotas")).isEqualTo("small");
    }

    @Test
    @Requirement("H1")
    void aTypesPluralStaysWhileSomebodyRefersToIt() {
        quotas();
        Throwable thrown =
                catchThrowable(() -> fleet.confirm(edit(Types.TYPE, "quota", body -> body.put("plural", "limits"))));
        assertThat(thrown).isInstanceOf(ProblemException.class);
        assertThat(served("c1", "quotas")).isEqualTo("small");
    }

    @Test
    @Requirement("H1")
    void aTypeThatIsMadeAgainIsNewToEverybody() {
        quotas();
        fleet.confirm(
                edit(Types.CLUSTER, "c1", body -> {
                    body.remove("refs");
                    return body;
                }),
                TestFleet.delete("quota", "small"),
                TestFleet.delete(Types.TYPE, "quota"));
        fleet.create(Types.TYPE, "quota", TYPE.replace("NAME", "quota"));
        assertThat(fleet.answer("c1", "quotas")).isInstanceOf(Answer.ConfirmedEmpty.class);
    }

    @Test
    @Requirement("A1")
    void aTypeCannotBringFieldsThatTheWireNeeds() {
        for (String field : new String[] {"cluster", "provider"}) {
            assertThat(catchThrowable(() -> fleet.create(
                            Types.TYPE, "quota", TYPE.replace("NAME", "quota").replace("cpu", field))))
                    .as(field)
                    .isInstanceOf(ProblemException.class);
        }
    }
}
