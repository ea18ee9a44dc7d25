package dev.homeport.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.document.Types;
import dev.homeport.fleet.Explanation.ExplainedItem;
import dev.homeport.fleet.Explanation.ExplainedValue;
import dev.homeport.support.TestFleet;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplainTest {
    @TempDir
    Path directory;

    TestFleet fleet;

    @BeforeEach
    void open() {
        fleet = TestFleet.sqlite(directory);
        fleet.component("grafana", "{\"values\": {\"ui\": {\"message\": \"hello\"}, \"replicas\": 1}}");
        fleet.component("loki");
        fleet.create(Types.WORKSPACE, "retail", """
                {"platform_components": [{"id": "grafana", "oci_tag": "v1.1.0"}, {"id": "loki"}],
                 "patches": {"grafana": {"replicas": 2}}}""");
        fleet.cluster("c1", "dev", """
                {"workspace": "retail",
                 "platform_components": [
                    {"id": "grafana", "assign": false, "oci_tag": "v1.2.0", "owner": "sre", "reason": "a fix",
                     "expires_at": "2026-06-01T00:00:00Z"},
                    {"id": "loki", "remove": true}],
                 "patches": {"grafana": {"ui": {"message": "hi"}}},
                 "patch_info": {"grafana": {"ui.message": {"reason": "a greeting"}}}}""");
    }

    @AfterEach
    void close() {
        fleet.close();
    }

    ExplainedItem item(String id) {
        return Explain.of(
                        fleet.snapshot(),
                        fleet.document(Types.CLUSTER, "c1"),
                        fleet.snapshot().types().named(Types.PLATFORM_COMPONENT).orElseThrow())
                .items()
                .stream()
                .filter(one -> one.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    ExplainedValue value(String path) {
        return item("grafana").values().stream()
                .filter(one -> one.path().equals(path))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void anOverrideNamesItsNoteAndWhatItShadows() {
        ExplainedValue tag = value("oci_tag");
        assertThat(tag.value().stringValue()).isEqualTo("v1.2.0");
        assertThat(tag.origin().layer()).isEqualTo(LayerSource.Kind.CLUSTER);
        assertThat(tag.origin().document()).hasToString("cluster/c1");
        assertThat(tag.origin().author()).isEqualTo("person:alice");
        assertThat(tag.origin().reason()).isEqualTo("a fix");
        assertThat(tag.origin().owner()).isEqualTo("sre");
        assertThat(tag.origin().expiresAt()).isEqualTo(Instant.parse("2026-06-01T00:00:00Z"));
        assertThat(tag.shadowed().stream()
                        .map(one -> one.origin().layer() + " " + one.value().stringValue()))
                .containsExactly("WORKSPACE v1.1.0", "CATALOG v1.0.0");
    }

    @Test
    void everyLeafOfThePatchesHasItsLayer() {
        assertThat(value("patches/replicas").origin().layer()).isEqualTo(LayerSource.Kind.WORKSPACE);
        assertThat(value("patches/replicas").shadowed().getFirst().value().intValue())
                .isEqualTo(1);
        assertThat(value("patches/ui.message").origin().reason()).isEqualTo("a greeting");
    }

    @Test
    void aRemovedItemSaysWhoRemovedIt() {
        assertThat(item("loki").assigned()).isFalse();
        assertThat(item("loki").assignment().layer()).isEqualTo(LayerSource.Kind.CLUSTER);
        assertThat(item("grafana").assigned()).isTrue();
        assertThat(item("grafana").assignment().layer()).isEqualTo(LayerSource.Kind.WORKSPACE);
    }
}
