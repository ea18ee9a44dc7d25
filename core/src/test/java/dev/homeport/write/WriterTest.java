package dev.homeport.write;

import static dev.homeport.support.TestFleet.delete;
import static dev.homeport.support.TestFleet.edit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.homeport.access.Caller;
import dev.homeport.api.ErrorCode;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.Answer;
import dev.homeport.fleet.Note;
import dev.homeport.fleet.Proof;
import dev.homeport.fleet.Rendering;
import dev.homeport.fleet.WireShape;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.ProblemException;
import dev.homeport.snapshot.PastView;
import dev.homeport.support.TestFleet;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class WriterTest {
    @TempDir
    Path directory;

    TestFleet fleet;

    @BeforeEach
    void open() {
        fleet = TestFleet.sqlite(directory);
    }

    @AfterEach
    void close() {
        fleet.close();
    }

    @Test
    void aNewStoreHasFourEnvironments() {
        assertThat(fleet.snapshot().all(Types.ENVIRONMENT).size()).isEqualTo(4);
        assertThat(fleet.snapshot().revision()).isEqualTo(1);
    }

    @Test
    void aClusterGetsWhatIsAssignedToIt() {
        fleet.component("grafana");
        fleet.component("loki");
        fleet.cluster("c1", "dev", "{\"platform_components\": [{\"id\": \"grafana\"}]}");
        JsonNode inputs =
                fleet.json("c1", "platform-components", WireShape.FLAT).get("inputs");
        assertThat(inputs.size()).isEqualTo(1);
        assertThat(inputs.get(0).get("id").stringValue()).isEqualTo("grafana");
        assertThat(inputs.get(0).get("cluster").get("environment").stringValue())
                .isEqualTo("dev");
        JsonNode set = fleet.json("c1", "platform-components", WireShape.SET)
                .get("inputs")
                .get(0);
        assertThat(set.get("count").intValue()).isEqualTo(1);
        assertThat(set.get("drain").booleanValue()).isFalse();
        assertThat(set.get("items").get(0).get("source").get("oci_tag").stringValue())
                .isEqualTo("v1.0.0");
    }

    @Test
    void emptyingATypeOfAProtectedClusterNeedsAConfirmationThatFits() {
        fleet.component("grafana");
        fleet.cluster("p1", "prod", "{\"platform_components\": [{\"id\": \"grafana\"}]}");
        Operation empty = edit(Types.CLUSTER, "p1", body -> {
            body.remove("platform_components");
            return body;
        });
        assertThatThrownBy(() -> fleet.write(empty)).isInstanceOfSatisfying(ConfirmationRequired.class, e -> {
            assertThat(e.problem().code()).isEqualTo(ErrorCode.CONFIRMATION_REQUIRED);
            assertThat(e.plan().groups()).hasSize(1);
        });
        assertThat(fleet.answer("p1", "platform-components")).isInstanceOf(Answer.Inputs.class);
        Outcome.Committed done = (Outcome.Committed) fleet.confirm(empty);
        assertThat(fleet.answer("p1", "platform-components"))
                .isInstanceOfSatisfying(
                        Answer.ConfirmedEmpty.class,
                        answer -> assertThat(answer.proof())
                                .isEqualTo(new Proof.Emptied(done.commit().revision())));
    }

    @Test
    void aTypeThatWasNeverFilledIsEmptySinceBirth() {
        fleet.cluster("c1", "dev", "{}");
        assertThat(fleet.answer("c1", "namespaces"))
                .isInstanceOfSatisfying(
                        Answer.ConfirmedEmpty.class,
                        answer -> assertThat(answer.proof()).isInstanceOf(Proof.SinceBirth.class));
    }

    @Test
    void aReferencedDocumentCannotBeDeleted() {
        fleet.component("grafana");
        fleet.cluster("c1", "dev", "{\"platform_components\": [{\"id\": \"grafana\"}]}");
        assertThatThrownBy(() -> fleet.confirm(delete(Types.PLATFORM_COMPONENT, "grafana")))
                .isInstanceOfSatisfying(ProblemException.class, e -> {
                    assertThat(e.problem().code()).isEqualTo(ErrorCode.REFERENCED);
                    assertThat(e.problem().detail()).contains("cluster/c1");
                });
    }

    @Test
    void anUnknownReferenceIsRefusedWithItsPointer() {
        long before = fleet.snapshot().revision();
        assertThatThrownBy(() -> fleet.cluster("c1", "dev", "{\"platform_components\": [{\"id\": \"nothing\"}]}"))
                .hasMessageContaining("/platform_components/0/id")
                .hasMessageContaining("unknown platform component nothing");
        assertThat(fleet.store.head().revision()).isEqualTo(before);
    }

    @Test
    void aDecommissionedClusterGetsEmptyAnswersAndComesBackByUndelete() {
        fleet.component("grafana");
        fleet.cluster("c1", "dev", "{\"platform_components\": [{\"id\": \"grafana\"}]}");
        String before =
                fleet.rendered("c1", "platform-components", WireShape.SET).digest();
        fleet.write(delete(Types.CLUSTER, "c1"));
        assertThat(fleet.answer("c1", "platform-components"))
                .isInstanceOfSatisfying(
                        Answer.ConfirmedEmpty.class,
                        answer -> assertThat(answer.proof()).isInstanceOf(Proof.Decommissioned.class));
        assertThatThrownBy(() -> fleet.cluster("c1", "dev", "{}"))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        e -> assertThat(e.problem().next()).contains("undelete", "purge"));
        fleet.write(new Operation.Undelete("c1"));
        assertThat(fleet.rendered("c1", "platform-components", WireShape.SET).digest())
                .isEqualTo(before);
    }

    @Test
    void aPausedClusterKeepsItsBytesWhateverChangesAroundIt() {
        fleet.component("grafana");
        fleet.cluster(
                "c1",
                "dev",
                "{\"platform_components\": [{\"id\": \"grafana\"}], \"patches\": {\"grafana\": {\"a.b\": 1}}}");
        byte[] flat =
                fleet.rendered("c1", "platform-components", WireShape.FLAT).body();
        byte[] set = fleet.rendered("c1", "platform-components", WireShape.SET).body();
        fleet.write(new Operation.Pause("c1", new Note("alice", "an incident", null)));
        Outcome.Committed change = (Outcome.Committed)
                fleet.write(edit(Types.PLATFORM_COMPONENT, "grafana", body -> body.put("oci_tag", "v2.0.0")));
        assertThat(change.plan().paused()).containsExactly("c1");
        assertThat(fleet.rendered("c1", "platform-components", WireShape.FLAT).body())
                .isEqualTo(flat);
        assertThat(fleet.rendered("c1", "platform-components", WireShape.SET).body())
                .isEqualTo(set);
        fleet.write(new Operation.Resume("c1"));
        assertThat(new String(
                        fleet.rendered("c1", "platform-components", WireShape.SET)
                                .body(),
                        java.nio.charset.StandardCharsets.UTF_8))
                .contains("v2.0.0");
    }

    @Test
    void aClusterThatNeverPolledIsForgottenOnDelete() {
        fleet.cluster("c1", "dev", "{}");
        fleet.contact.polled.clear();
        fleet.write(delete(Types.CLUSTER, "c1"));
        assertThat(fleet.snapshot().find(new DocumentKey(Types.CLUSTER, "c1"))).isEmpty();
    }

    @Test
    void writingWhatIsThereAlreadyMakesNoRevision() {
        fleet.component("grafana");
        long revision = fleet.snapshot().revision();
        assertThat(fleet.write(edit(Types.PLATFORM_COMPONENT, "grafana", body -> body)))
                .isEqualTo(new Outcome.Unchanged(revision));
    }

    @Test
    void whatWasImportedCanBeSentBackAsItIs() {
        DocumentKey key = new DocumentKey(Types.CLUSTER, "old");
        fleet.writer.write(WriteRequest.of(
                        TestFleet.ALICE,
                        "an import",
                        List.of(
                                TestFleet.creation(
                                        Types.CLUSTER,
                                        "old",
                                        "{\"cluster_name\": \"old\", \"cluster_dns\": \"old.example.com\", \"environment\": \"dev\"}")))
                .with(WriteRequest.Flag.IMPORTED));
        long revision = fleet.snapshot().revision();
        var stored = fleet.document(Types.CLUSTER, "old").tree();
        assertThat(fleet.write(new Operation.Put(key, stored))).isEqualTo(new Outcome.Unchanged(revision));
        // A change must name the owner.
        assertThatThrownBy(() ->
                        fleet.write(new Operation.Put(key, stored.deepCopy().put("description", "Words."))))
                .hasMessageContaining("owner");
    }

    @Test
    void aStaleWriteIsRefused() {
        fleet.component("grafana");
        long seen =
                fleet.document(Types.PLATFORM_COMPONENT, "grafana").updated().revision();
        fleet.write(edit(Types.PLATFORM_COMPONENT, "grafana", body -> body.put("oci_tag", "v2.0.0")));
        Operation late = new Operation.Replace(
                new DocumentKey(Types.PLATFORM_COMPONENT, "grafana"),
                StrictJson.read("{}"),
                new Expected.Revision(seen));
        assertThatThrownBy(() -> fleet.write(late)).hasMessageContaining("stale");
    }

    @Test
    void aFrozenClusterTakesHotfixesOnly() {
        fleet.component("grafana");
        fleet.cluster("c1", "dev", "{\"platform_components\": [{\"id\": \"grafana\"}]}");
        fleet.create(Types.FREEZE, "xmas", "{\"scope\": {\"environment\": \"dev\"}, \"reason\": \"holidays\"}");
        Operation change = edit(Types.PLATFORM_COMPONENT, "grafana", body -> body.put("oci_tag", "v2.0.0"));
        assertThatThrownBy(() -> fleet.write(change)).hasMessageContaining("freeze/xmas");
        Outcome outcome = fleet.writer.write(
                WriteRequest.of(TestFleet.ALICE, "a hole", change).with(WriteRequest.Flag.HOTFIX));
        assertThat(((Outcome.Committed) outcome).commit().marks()).containsEntry("hotfix", "true");
    }

    @Test
    void aForbiddenWriteIsRefused() {
        Caller alice = new Caller(TestFleet.ALICE, Caller.Access.GRANTED, Optional.empty(), "t1");
        assertThatThrownBy(() -> fleet.writer.write(
                        WriteRequest.of(alice, "", List.of(TestFleet.creation(Types.NAMESPACE, "apps", "{}")))))
                .hasMessageContaining("alice may not");
    }

    @Test
    void aRevertRestoresTheVeryBytes() {
        fleet.component("grafana");
        fleet.cluster("c1", "dev", "{\"platform_components\": [{\"id\": \"grafana\"}]}");
        byte[] before =
                fleet.rendered("c1", "platform-components", WireShape.SET).body();
        Outcome.Committed change = (Outcome.Committed)
                fleet.write(edit(Types.PLATFORM_COMPONENT, "grafana", body -> body.put("oci_tag", "v2.0.0")));
        assertThat(fleet.rendered("c1", "platform-components", WireShape.SET).body())
                .isNotEqualTo(before);
        fleet.writer.write(WriteRequest.of(
                TestFleet.ALICE,
                "undo",
                Undoing.commit(fleet.store, change.commit().revision())));
        assertThat(fleet.rendered("c1", "platform-components", WireShape.SET).body())
                .isEqualTo(before);
    }

    @Test
    void aRevertKeepsLaterEditsElsewhereAndNamesConflicts() {
        fleet.component("grafana");
        Outcome.Committed change = (Outcome.Committed)
                fleet.write(edit(Types.PLATFORM_COMPONENT, "grafana", body -> body.put("oci_tag", "v2.0.0")));
        fleet.write(edit(Types.PLATFORM_COMPONENT, "grafana", body -> body.put("component_version", "2.0.0")));
        Operation[] undo =
                Undoing.commit(fleet.store, change.commit().revision()).toArray(Operation[]::new);
        fleet.write(undo);
        JsonNode body = fleet.document(Types.PLATFORM_COMPONENT, "grafana").tree();
        assertThat(body.get("oci_tag").stringValue()).isEqualTo("v1.0.0");
        assertThat(body.get("component_version").stringValue()).isEqualTo("2.0.0");
        fleet.write(edit(Types.PLATFORM_COMPONENT, "grafana", b -> b.put("oci_tag", "v3.0.0")));
        assertThatThrownBy(() -> fleet.write(undo)).hasMessageContaining("platform_component/grafana/oci_tag");
    }

    @Test
    void aDecommissionCanBeReverted() {
        fleet.cluster("c1", "dev", "{}");
        Outcome.Committed gone = (Outcome.Committed) fleet.write(delete(Types.CLUSTER, "c1"));
        fleet.write(Undoing.commit(fleet.store, gone.commit().revision()).toArray(Operation[]::new));
        assertThat(fleet.answer("c1", "namespaces"))
                .isInstanceOfSatisfying(
                        Answer.ConfirmedEmpty.class,
                        answer -> assertThat(answer.proof()).isInstanceOf(Proof.SinceBirth.class));
    }

    @Test
    void thePastResolvesAsItWas() {
        fleet.component("grafana");
        fleet.cluster("c1", "dev", "{\"platform_components\": [{\"id\": \"grafana\"}]}");
        long then = fleet.snapshot().revision();
        byte[] before =
                fleet.rendered("c1", "platform-components", WireShape.SET).body();
        fleet.write(edit(Types.PLATFORM_COMPONENT, "grafana", body -> body.put("oci_tag", "v2.0.0")));
        Answer past = TestFleet.answer(new PastView(fleet.store, then), "c1", "platform-components");
        assertThat(Rendering.render((Answer.Served) past, WireShape.SET).body()).isEqualTo(before);
    }
}
