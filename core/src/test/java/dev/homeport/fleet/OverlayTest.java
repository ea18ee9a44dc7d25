package dev.homeport.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.document.Body;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import dev.homeport.support.AllAnswers;
import dev.homeport.support.FleetTest;
import dev.homeport.support.TestFleet;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OverlayTest extends FleetTest {
    @BeforeEach
    void oneCluster() {
        fleet.component("grafana");
        fleet.cluster("c1", "dev", GRAFANA);
    }

    private static Document changed(Document document, String field, String value) {
        return Document.of(
                document.key(), Body.of(document.tree().put(field, value)), document.created(), document.updated());
    }

    private Overlay over(DocumentKey key, Optional<Document> document) {
        return new Overlay(fleet.snapshot(), fleet.snapshot().types(), Map.of(key, document));
    }

    @Test
    void whatIsPutOverTheViewIsResolvedAgainst() {
        AllAnswers before = AllAnswers.of(fleet.snapshot());
        Document grafana = fleet.document(Types.PLATFORM_COMPONENT, "grafana");
        Overlay overlay = over(grafana.key(), Optional.of(changed(grafana, "oci_tag", "v2.0.0")));
        Answer.Served answer = (Answer.Served) TestFleet.answer(overlay, "c1", COMPONENTS);
        assertThat(StrictJson.read(Rendering.render(answer, WireShape.SET).body())
                        .toString())
                .contains("v2.0.0");
        assertThat(AllAnswers.of(fleet.snapshot())).as("the view below").isEqualTo(before);
    }

    @Test
    void anOverlayGivesWhatTheCommitWillGive() {
        Document cluster = fleet.document(Types.CLUSTER, "c1");
        Overlay overlay = over(cluster.key(), Optional.of(changed(cluster, "environment", "qa")));
        byte[] preview = Rendering.render((Answer.Served) TestFleet.answer(overlay, "c1", COMPONENTS), WireShape.FLAT)
                .body();
        fleet.confirm(TestFleet.edit(Types.CLUSTER, "c1", body -> body.put("environment", "qa")));
        assertThat(fleet.rendered("c1", COMPONENTS, WireShape.FLAT).body()).isEqualTo(preview);
    }

    @Test
    void whatIsTakenAwayIsGoneAndTheRestShinesThrough() {
        DocumentKey key = new DocumentKey(Types.PLATFORM_COMPONENT, "grafana");
        Overlay overlay = over(key, Optional.empty());
        assertThat(overlay.document(key.type(), key.id())).isNull();
        assertThat(overlay.document(Types.CLUSTER, "c1")).isSameAs(fleet.document(Types.CLUSTER, "c1"));
        assertThat(overlay.document(Types.PLATFORM_COMPONENT, "nothing")).isNull();
    }

    @Test
    void overlaysStack() {
        Document grafana = fleet.document(Types.PLATFORM_COMPONENT, "grafana");
        Overlay first = over(grafana.key(), Optional.empty());
        Overlay second = new Overlay(first, first.types(), Map.of(grafana.key(), Optional.of(grafana)));
        assertThat(TestFleet.answer(first, "c1", COMPONENTS)).isInstanceOf(Answer.Hold.class);
        assertThat(TestFleet.answer(second, "c1", COMPONENTS)).isInstanceOf(Answer.Inputs.class);
    }
}
