package dev.homeport.fleet;

import static dev.homeport.support.TestFleet.edit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.api.ErrorCode;
import dev.homeport.document.Types;
import dev.homeport.support.FleetTest;
import dev.homeport.support.FluxClientRules;
import dev.homeport.write.Operation;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** From format 3 on a digest is the one that a template on the cluster computes; before, it stays what it was. */
class AnswerDigestTest extends FleetTest {
    private static final String SEPARATED = "a\u2028b\u2029c";

    @BeforeEach
    void aCluster() {
        fleet.component("grafana");
        fleet.cluster("c1", "dev", GRAFANA);
    }

    private String digest() {
        return FluxClientRules.checkSet(fleet.rendered("c1", COMPONENTS, WireShape.SET))
                .get("digest")
                .stringValue();
    }

    private static Operation value(String key, String value) {
        return edit(Types.PLATFORM_COMPONENT, "grafana", body -> {
            body.withObjectProperty("values").put(key, value);
            return body;
        });
    }

    @Test
    void keysThatGoSortsOtherwiseHaveGosDigest() {
        fleet.write(value("\ud83d\ude00", "first in UTF-16"));
        fleet.write(value("\ufb00", "first in UTF-8"));
        String newest = digest();
        fleet.settings("{\"answer_format\": 2}");
        assertThat(digest()).isNotEqualTo(newest);
    }

    @Test
    void lineSeparatorsAreRefused() {
        assertThat(refused(ErrorCode.INVALID, () -> fleet.write(value("text", SEPARATED))))
                .hasMessageContaining("U+2028");
        refused(ErrorCode.INVALID, () -> fleet.write(value("key" + SEPARATED, "x")));
        refused(
                ErrorCode.INVALID,
                () -> fleet.write(edit(Types.CLUSTER, "c1", body -> {
                    body.withObjectProperty("patches").putObject("grafana").put("ui.text", SEPARATED);
                    return body;
                })));
    }

    @Test
    void thoseOfAnOlderReleaseAreServedWithADigestThatClustersCompute() {
        fleet.appendBehind(value("text", SEPARATED));
        fleet.appendBehind(value("key" + SEPARATED, "x"));
        assertThat(served("c1", COMPONENTS)).isEqualTo("grafana");
        assertThat(digest()).hasSize(32);
        // Everything else in the document can be changed, such as what expires.
        committed(edit(Types.PLATFORM_COMPONENT, "grafana", body -> body.put("description", "Words.")));
        refused(ErrorCode.INVALID, () -> fleet.write(value("text", SEPARATED + "d")));
        refused(ErrorCode.INVALID, () -> fleet.write(value("other", SEPARATED)));
        committed(value("text", "abc"));
    }
}
