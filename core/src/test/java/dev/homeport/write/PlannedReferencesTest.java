package dev.homeport.write;

import static dev.homeport.support.TestFleet.delete;
import static dev.homeport.support.TestFleet.edit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.api.ErrorCode;
import dev.homeport.document.Types;
import dev.homeport.fleet.WireShape;
import dev.homeport.support.FleetTest;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What answers depend on besides the cluster's own references: its labels, and layers that no cluster uses yet. */
class PlannedReferencesTest extends FleetTest {
    @BeforeEach
    void oneComponent() {
        fleet.component("grafana", "{\"values\": {\"region\": {\"$cluster\": \"labels.region\"}}}");
    }

    @Test
    void anEditOfLabelsAloneIsPlannedAndFrozen() {
        fleet.create(Types.WORKSPACE, "retail", GRAFANA);
        fleet.cluster("c1", "dev", "{\"workspace\": \"retail\", \"labels\": {\"region\": \"eu\"}}");
        Operation relabel = edit(Types.CLUSTER, "c1", body -> {
            body.putObject("labels").put("region", "us");
            return body;
        });
        fleet.create(Types.FREEZE, "f1", "{\"scope\": {\"cluster\": \"c1\"}, \"reason\": \"x\"}");
        refused(ErrorCode.FROZEN, () -> fleet.write(relabel));
        fleet.write(delete(Types.FREEZE, "f1"));
        Plan plan = committed(relabel).plan();
        assertThat(plan.clustersChanged()).isEqualTo(1);
        assertThat(plan.groups()).singleElement().satisfies(group -> {
            assertThat(group.clusters()).containsExactly("c1");
            assertThat(group.changes())
                    .extracting(ItemChange::kind, ItemChange::id)
                    .containsExactly(org.assertj.core.groups.Tuple.tuple(ItemChange.Kind.CHANGED, "grafana"));
        });
        assertThat(new String(fleet.rendered("c1", COMPONENTS, WireShape.SET).body(), StandardCharsets.UTF_8))
                .contains("\"us\"");
    }

    @Test
    void aLabelThatNoValueMentionsChangesNoAnswer() {
        fleet.cluster(
                "c1", "dev", "{\"platform_components\": [{\"id\": \"grafana\"}], \"labels\": {\"region\": \"eu\"}}");
        Plan plan = committed(edit(Types.CLUSTER, "c1", body -> {
                    body.withObject("/labels").put("size", "small");
                    return body;
                }))
                .plan();
        assertThat(plan.clustersChanged()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                GRAFANA,
                "{\"by_environment\": {\"dev\": " + GRAFANA + "}}",
                "{\"platform_components\": [{\"id\": \"grafana\", \"assign\": false, \"oci_tag\": \"v2\"}]}",
                "{\"patches\": {\"grafana\": {\"a\": 1}}}"
            })
    void whatOnlyALayerRefersToCannotBeDeleted(String layer) {
        for (String type : new String[] {Types.CLUSTER_TEMPLATE, Types.WORKSPACE}) {
            fleet.create(type, "base", layer);
            assertThat(refused(ErrorCode.REFERENCED, () -> fleet.write(delete(Types.PLATFORM_COMPONENT, "grafana"))))
                    .hasMessageContaining(type + "/base");
            fleet.write(delete(type, "base"));
        }
        committed(delete(Types.PLATFORM_COMPONENT, "grafana"));
    }
}
