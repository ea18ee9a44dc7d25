package dev.homeport.write;

import static dev.homeport.support.TestFleet.creation;
import static dev.homeport.support.TestFleet.edit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.api.ErrorCode;
import dev.homeport.document.Types;
import dev.homeport.fleet.Rendering;
import dev.homeport.fleet.WireShape;
import dev.homeport.json.StrictJson;
import dev.homeport.support.FleetTest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Safety rule 8. */
class LimitsTest extends FleetTest {
    @BeforeEach
    void namespaces() {
        List<Operation> batch = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            batch.add(creation(Types.NAMESPACE, "n" + i, "{}"));
        }
        fleet.write(batch.toArray(Operation[]::new));
        fleet.component("grafana");
    }

    private static ObjectNode namespaces(ObjectNode body, int count) {
        ArrayNode list = body.putArray("namespaces");
        for (int i = 0; i < count; i++) {
            list.addObject().put("id", "n" + i);
        }
        return body;
    }

    private static Operation assign(int count) {
        return edit(Types.CLUSTER, "c1", body -> namespaces(body, count));
    }

    private void tooMany() {
        fleet.cluster("c1", "dev", "{\"input_limit\": 3}");
        fleet.write(assign(3));
    }

    @Test
    void theInputLimitIsKeptExactly() {
        tooMany();
        assertThat(refused(codeOfLimits(), () -> fleet.write(assign(4))))
                .hasMessageContaining("cluster/c1")
                .hasMessageContaining("input limit of 3");
        assertThat(served("c1", "namespaces")).isEqualTo("n0 n1 n2");
    }

    private static ErrorCode codeOfLimits() {
        return ErrorCode.LIMIT_EXCEEDED;
    }

    @Test
    void anyWriteCanPassItThroughAnotherDocument() {
        tooMany();
        fleet.create(Types.WORKSPACE, "retail", "{}");
        committed(edit(Types.CLUSTER, "c1", body -> body.put("workspace", "retail")));
        refused(
                codeOfLimits(),
                () -> fleet.write(edit(Types.WORKSPACE, "retail", body -> {
                    body.putArray("namespaces").addObject().put("id", "n7");
                    return body;
                })));
    }

    @Test
    void disabledItemsCountBecauseTheFlatAnswerHoldsThem() {
        fleet.component("loki");
        refused(codeOfLimits(), () -> fleet.cluster("c2", "dev", """
                        {"input_limit": 1,
                         "platform_components": [{"id": "grafana"}, {"id": "loki", "enabled": false}]}"""));
    }

    @Test
    void theLimitCannotBeLoweredBelowWhatIsServed() {
        tooMany();
        refused(codeOfLimits(), () -> fleet.write(edit(Types.CLUSTER, "c1", body -> body.put("input_limit", 2))));
    }

    @Test
    void theLimitCanBeRaisedWithTheAssignment() {
        tooMany();
        committed(edit(Types.CLUSTER, "c1", body -> namespaces(body.put("input_limit", 8), 8)));
    }

    /** An answer that has become too big, for instance by an older release's doing. */
    private void alreadyTooBig() {
        tooMany();
        fleet.appendBehind(edit(Types.CLUSTER, "c1", body -> namespaces(body, 5)));
    }

    @Test
    void whatIsTooBigAlreadyTakesUnrelatedEdits() {
        alreadyTooBig();
        committed(edit(Types.CLUSTER, "c1", body -> body.put("description", "Words.")));
        committed(edit(Types.NAMESPACE, "n1", body -> {
            body.putObject("labels").put("team", "a");
            return body;
        }));
        refused(codeOfLimits(), () -> fleet.write(assign(6)));
        fleet.confirm(assign(4));
        assertThat(served("c1", "namespaces")).isEqualTo("n0 n1 n2 n3");
    }

    private static ObjectNode big(ObjectNode body, int strings) {
        ObjectNode patches = body.putObject("patches").putObject("grafana");
        for (int i = 0; i < strings; i++) {
            patches.put("text" + i, "x".repeat(60 * 1024));
        }
        return body;
    }

    @Test
    void anAnswerStaysBelow800KiB() {
        fleet.cluster("c1", "dev", GRAFANA);
        committed(edit(Types.CLUSTER, "c1", body -> big(body, 13)));
        assertThat(fleet.rendered("c1", COMPONENTS, WireShape.SET).body().length)
                .isLessThan(Rendering.MAX_BYTES);
        assertThat(refused(codeOfLimits(), () -> fleet.write(edit(Types.CLUSTER, "c1", body -> big(body, 14)))))
                .hasMessageContaining("bytes");
    }

    @Test
    void theLargerShapeCounts() {
        fleet.cluster("c1", "dev", "{}");
        // A thousand bindings: the flat shape repeats the cluster block with each of them.
        String dns = "x".repeat(60) + "." + "y".repeat(60) + "." + "z".repeat(60) + ".example.com";
        List<Operation> batch = new ArrayList<>();
        ObjectNode refs = StrictJson.object();
        ArrayNode list = refs.putArray("namespaces");
        for (int i = 0; i < 3_000; i++) {
            batch.add(creation(Types.NAMESPACE, "m" + i, "{}"));
            list.addObject().put("id", "m" + i);
        }
        fleet.write(batch.toArray(Operation[]::new));
        refused(
                codeOfLimits(),
                () -> fleet.write(edit(Types.CLUSTER, "c1", body -> {
                    body.setAll(refs);
                    return body.put("cluster_dns", dns);
                })));
        // With a short name the same list is short enough.
        committed(edit(Types.CLUSTER, "c1", body -> {
            body.setAll(refs);
            return body.put("cluster_dns", "c1.example.com");
        }));
        assertThat(fleet.rendered("c1", "namespaces", WireShape.FLAT).body().length)
                .isLessThan(Rendering.MAX_BYTES);
    }
}
