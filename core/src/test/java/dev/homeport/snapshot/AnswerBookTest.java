package dev.homeport.snapshot;

import static dev.homeport.support.TestFleet.edit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.AnswerCache;
import dev.homeport.fleet.Note;
import dev.homeport.fleet.WireShape;
import dev.homeport.support.FleetTest;
import dev.homeport.write.Operation;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A kept answer is given as long as nothing that it depends on has changed, and never longer. */
class AnswerBookTest extends FleetTest {
    private final AnswerBook book = new AnswerBook(new AnswerCache(1 << 20));

    @BeforeEach
    void build() {
        fleet.component("grafana");
        fleet.component("loki");
        fleet.create(Types.WORKSPACE, "team", "{}");
        fleet.cluster("a", "dev", "{\"workspace\": \"team\", \"platform_components\": [{\"id\": \"grafana\"}]}");
        fleet.cluster("b", "dev", GRAFANA);
        looked("a");
        looked("b");
    }

    private AnswerBook.Page look(String cluster, WireShape shape) {
        TypeDefinition type = fleet.snapshot().types().withPlural(COMPONENTS).orElseThrow();
        return book.look(fleet.snapshot(), fleet.document(Types.CLUSTER, cluster), type, shape);
    }

    /** What the book gives, which must be what is rendered without it, in each shape and both ways to send it. */
    private String looked(String cluster) {
        for (WireShape shape : WireShape.values()) {
            AnswerCache.Entry entry = ((AnswerBook.Page.Ready) look(cluster, shape)).entry();
            byte[] rendered = fleet.rendered(cluster, COMPONENTS, shape).body();
            assertThat(entry.body()).isEqualTo(rendered);
            assertThat(entry.digest())
                    .isEqualTo(fleet.rendered(cluster, COMPONENTS, shape).digest());
        }
        AnswerCache.Entry flat = ((AnswerBook.Page.Ready) look(cluster, WireShape.FLAT)).entry();
        return new String(flat.body(), StandardCharsets.UTF_8);
    }

    @Test
    void anEditOfTheClusterIsSeen() {
        fleet.write(edit(Types.CLUSTER, "a", body -> body.put("cluster_name", "other")));
        assertThat(looked("a")).contains("\"other\"");
        assertThat(looked("b")).doesNotContain("\"other\"");
    }

    @Test
    void anEditOfWhatClustersShareIsSeen() {
        fleet.write(edit(Types.PLATFORM_COMPONENT, "grafana", body -> body.put("oci_tag", "v2.0.0")));
        assertThat(List.of(looked("a"), looked("b"))).allMatch(text -> text.contains("v2.0.0"));
        fleet.confirm(edit(Types.WORKSPACE, "team", body -> {
            body.putArray("platform_components").addObject().put("id", "loki");
            return body;
        }));
        assertThat(looked("a")).contains("\"loki\"");
        assertThat(looked("b")).doesNotContain("\"loki\"");
    }

    @Test
    void aPauseAndItsEndAreSeen() {
        fleet.write(new Operation.Pause("a", Note.NONE));
        fleet.write(edit(Types.PLATFORM_COMPONENT, "grafana", body -> body.put("oci_tag", "v3.0.0")));
        assertThat(looked("a")).doesNotContain("v3.0.0");
        assertThat(looked("b")).contains("v3.0.0");
        fleet.confirm(new Operation.Resume("a"));
        assertThat(looked("a")).contains("v3.0.0");
    }

    @Test
    void aDecommissionAndADetachAreSeen() {
        fleet.confirm(new Operation.Decommission("a", Optional.empty()));
        assertThat(looked("a")).isEqualTo("{\"inputs\":[]}");
        fleet.confirm(new Operation.Undelete("a"));
        assertThat(looked("a")).contains("grafana");
        fleet.confirm(new Operation.Detach("b"));
        assertThat(look("b", WireShape.FLAT)).isInstanceOf(AnswerBook.Page.Detached.class);
    }

    /** Revisions begin again where a log is loaded again, so an entry must not outlive the snapshot that it was made from. */
    @Test
    void anotherLogWithTheSameRevisionsIsSeen() {
        String before = looked("a");
        restart();
        assertThat(looked("a")).isEqualTo(before);
    }
}
