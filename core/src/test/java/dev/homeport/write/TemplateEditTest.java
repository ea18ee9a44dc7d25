package dev.homeport.write;

import static dev.homeport.support.TestFleet.creation;
import static dev.homeport.support.TestFleet.delete;
import static dev.homeport.support.TestFleet.direct;
import static dev.homeport.support.TestFleet.edit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.homeport.api.ErrorCode;
import dev.homeport.document.Types;
import dev.homeport.fleet.Answer;
import dev.homeport.fleet.Note;
import dev.homeport.fleet.Rendering;
import dev.homeport.fleet.WireShape;
import dev.homeport.flux.TypesAnswer;
import dev.homeport.support.FleetTest;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A template is part of the answers, so a change of it is planned like any other. */
class TemplateEditTest extends FleetTest {
    private static final String TEMPLATE =
            "<<- range $i := inputs.items >>\n---\napiVersion: \"v1\"\nkind: \"ConfigMap\"\nmetadata:\n  name: << $i.id | toJson >>\n<<- end >>\n";
    private static final Operation RENAME =
            edit(Types.TYPE, "bucket", body -> body.put("template", TEMPLATE.replace("ConfigMap", "Secret")));

    @BeforeEach
    void oneType() {
        fleet.write(new Operation.Create(
                new dev.homeport.document.DocumentKey(Types.TYPE, "bucket"),
                dev.homeport.json.StrictJson.read(
                                "{\"plural\": \"buckets\", \"schema\": {\"type\": \"object\", \"properties\": {\"stateful\": {\"type\": \"boolean\"}}}}")
                        .put("template", TEMPLATE)));
        fleet.create("bucket", "logs", "{}");
        fleet.create(Types.CLUSTER_TEMPLATE, "base", "{\"refs\": {\"buckets\": [{\"id\": \"logs\"}]}}");
        fleet.cluster("c1", "dev", "{\"template\": \"base\"}");
        fleet.cluster("c2", "dev", "{\"refs\": {\"buckets\": [{\"id\": \"logs\"}]}}");
        fleet.cluster("none", "dev", "{}");
    }

    private ConfirmationRequired asked(Operation operation) {
        ConfirmationRequired asked = catchThrowableOfType(ConfirmationRequired.class, () -> fleet.write(operation));
        assertThat(asked).isNotNull();
        return asked;
    }

    private String types(String cluster) {
        Answer answer = TypesAnswer.of(fleet.snapshot(), fleet.document(Types.CLUSTER, cluster));
        return new String(
                Rendering.render((Answer.Served) answer, WireShape.SET).body(), StandardCharsets.UTF_8);
    }

    @Test
    void theClustersThatHaveItemsOfTheTypeAreInThePlan() {
        Plan plan = committed(RENAME).plan();
        assertThat(plan.clustersChanged()).isEqualTo(2);
        assertThat(plan.groups()).singleElement().satisfies(group -> {
            assertThat(group.type()).isEqualTo("bucket");
            assertThat(group.clusters()).containsExactly("c1", "c2");
        });
    }

    @Test
    void withoutTheTemplateItIsAnotherOneToo() {
        Plan plan = committed(edit(Types.TYPE, "bucket", body -> {
                    body.remove("template");
                    return body;
                }))
                .plan();
        assertThat(plan.clustersChanged()).isEqualTo(2);
    }

    @Test
    void whatClustersAreNotToldChangesNothing() {
        Plan plan = committed(edit(Types.TYPE, "bucket", body -> body.put("description", "For logs.")))
                .plan();
        assertThat(plan.clustersChanged()).isZero();
    }

    @Test
    void aProtectedClusterIsAskedFor() {
        fleet.cluster("p1", "prod", "{\"template\": \"base\"}");
        assertThat(asked(RENAME)).hasMessageContaining("cluster/p1 is protected");
    }

    @Test
    void moreClustersThanTheLimitAreAskedFor() {
        for (int i = 0; i < 4; i++) {
            fleet.cluster("more-" + i, "dev", "{\"template\": \"base\"}");
        }
        assertThat(asked(RENAME)).hasMessageContaining("6 clusters");
    }

    @Test
    void somethingStatefulIsAskedFor() {
        fleet.write(edit("bucket", "logs", body -> body.put("stateful", true)));
        assertThat(asked(RENAME)).hasMessageContaining("something stateful");
    }

    @Test
    void aFreezeHoldsIt() {
        fleet.create(Types.FREEZE, "f1", "{\"scope\": {\"cluster\": \"c1\"}, \"reason\": \"x\"}");
        refused(ErrorCode.FROZEN, () -> fleet.write(RENAME));
        assertThat(fleet.writer.write(direct(RENAME).with(WriteRequest.Flag.HOTFIX)))
                .isInstanceOf(Outcome.Committed.class);
    }

    @Test
    void aFreezeHoldsTheListOfTypesToo() {
        fleet.create(Types.FREEZE, "f1", "{\"scope\": {\"cluster\": \"none\"}, \"reason\": \"x\"}");
        String before = types("none");
        refused(ErrorCode.FROZEN, () -> fleet.write(RENAME));
        assertThat(types("none")).isEqualTo(before);
        committed(edit(Types.TYPE, "bucket", body -> body.put("description", "For logs.")));
        assertThat(types("none")).isEqualTo(before);
    }

    @Test
    void aPausedClusterKeepsItsTemplateAndFormat() {
        committed(new Operation.Pause("c1", new Note("alice", "an incident", null)));
        String types = types("c1");
        String answer = text("c1");
        Plan plan = committed(RENAME).plan();
        assertThat(plan.groups())
                .singleElement()
                .satisfies(group -> assertThat(group.clusters()).containsExactly("c2"));
        assertThat(plan.paused()).containsExactly("c1");
        fleet.settings("{\"answer_format\": 1}");
        assertThat(types("c1")).isEqualTo(types);
        assertThat(text("c1")).isEqualTo(answer);
        restart();
        assertThat(types("c1")).isEqualTo(types);
        Plan resumed = ((Outcome.Committed) fleet.confirm(new Operation.Resume("c1"))).plan();
        assertThat(resumed.clustersChanged()).isEqualTo(1);
        assertThat(types("c1")).contains("Secret").isNotEqualTo(types);
    }

    private String text(String cluster) {
        return new String(fleet.rendered(cluster, "buckets", WireShape.SET).body(), StandardCharsets.UTF_8);
    }

    @Test
    void aTypeThatAPausedClusterHasItemsOfIsInUse() {
        committed(new Operation.Pause("c2", new Note("alice", "an incident", null)));
        fleet.confirm(edit(Types.CLUSTER_TEMPLATE, "base", body -> {
            body.remove("refs");
            return body;
        }));
        fleet.confirm(edit(Types.CLUSTER, "c2", body -> {
            body.remove("refs");
            return body;
        }));
        fleet.confirm(delete("bucket", "logs"));
        assertThat(refused(ErrorCode.REFERENCED, () -> fleet.write(delete(Types.TYPE, "bucket"))))
                .hasMessageContaining("the paused cluster/c2");
        fleet.confirm(new Operation.Resume("c2"));
        committed(delete(Types.TYPE, "bucket"));
    }

    @Test
    void aNewTypeTakesNothingFromAnybody() {
        assertThat(committed(creation(
                                Types.TYPE, "queue", "{\"plural\": \"queues\", \"schema\": {\"type\": \"object\"}}"))
                        .plan()
                        .clustersChanged())
                .isZero();
    }
}
