package dev.homeport.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Explain names the change that set a value, and not the last one of the document that it stands in. */
class ProvenanceTest extends AdminTest {

    private long because(String reason, String path, String spec) {
        fleet.confirmed(
                        "PATCH",
                        path,
                        "{\"spec\":" + spec + "}",
                        Map.of("Content-Type", "application/merge-patch+json", "Homeport-Reason", reason))
                .expect(200);
        return fleet.revision();
    }

    private JsonNode item(String cluster, String id, String query) {
        for (JsonNode item : fleet.admin
                .get("/api/v2/clusters/" + cluster + "/explain?type=platform-components" + query)
                .expect(200)
                .at("/types/platform-components/items")) {
            if (item.path("id").asString().equals(id)) {
                return item;
            }
        }
        throw new AssertionError("there is no " + id);
    }

    private static JsonNode value(JsonNode item, String path) {
        return item.path("values")
                .valueStream()
                .filter(value -> value.path("path").asString().equals(path))
                .findFirst()
                .orElseThrow();
    }

    private static String set(JsonNode origin) {
        return origin.path("revision").asLong() + " " + origin.path("reason").asString();
    }

    @Test
    void namesTheChangeThatSetAValue() {
        fleet.component("proxy", "{\"values\":{\"replicas\":1,\"log\":\"info\"}}");
        long made = fleet.revision();
        fleet.create("workspaces", "prov", "{\"platform_components\":[{\"id\":\"proxy\"}]}")
                .expect(201);
        long assigned = fleet.revision();
        fleet.cluster("prov-1", "dev", "{\"workspace\":\"prov\"}");
        String workspace = "/api/v2/workspaces/prov";
        String cluster = "/api/v2/clusters/prov-1";
        long three = because("more room", workspace, "{\"patches\":{\"proxy\":{\"replicas\":3}}}");
        because("whose it is", workspace, "{\"owner\":\"team-c\"}");
        long released = because("release", "/api/v2/platform-components/proxy", "{\"oci_tag\":\"v2.0.0\"}");
        long debug = because("look closer", cluster, "{\"patches\":{\"proxy\":{\"log\":\"debug\"}}}");
        because("others own it", cluster, "{\"owner\":\"team-b\"}");

        JsonNode item = item("prov-1", "proxy", "");
        assertThat(item.at("/assigned_by/revision").asLong()).isEqualTo(assigned);
        assertThat(set(value(item, "oci_tag").path("from"))).isEqualTo(released + " release");
        assertThat(value(item, "kind").at("/from/revision").asLong()).isEqualTo(made);
        JsonNode replicas = value(item, "patches/replicas");
        assertThat(set(replicas.path("from"))).isEqualTo(three + " more room");
        assertThat(replicas.at("/instead_of/0/from/revision").asLong()).isEqualTo(made);
        assertThat(set(value(item, "patches/log").path("from"))).isEqualTo(debug + " look closer");

        because("less again", workspace, "{\"patches\":{\"proxy\":{\"replicas\":2}}}");
        long again = because("no, more", workspace, "{\"patches\":{\"proxy\":{\"replicas\":3}}}");
        assertThat(set(value(item("prov-1", "proxy", ""), "patches/replicas").path("from")))
                .isEqualTo(again + " no, more");
        assertThat(set(value(item("prov-1", "proxy", "&as_of=" + released), "patches/replicas")
                        .path("from")))
                .isEqualTo(three + " more room");
        assertThat(set(value(item("prov-1", "proxy", "&brief=true"), "oci_tag").path("from")))
                .isEqualTo(released + " release");
        assertThat(value(item("prov-1", "proxy", "&brief=true"), "kind")
                        .at("/from/revision")
                        .asLong())
                .isEqualTo(released);
    }

    @Test
    void saysHowFarItLooked() {
        fleet.component("busy");
        long made = fleet.revision();
        fleet.cluster("prov-2", "dev", "{\"platform_components\":[{\"id\":\"busy\"}]}");
        for (int i = 0; i < 101; i++) {
            because("again", "/api/v2/platform-components/busy", "{\"component_version\":\"1.0." + (i + 1) + "\"}");
        }
        JsonNode kind = value(item("prov-2", "busy", ""), "kind").path("from");
        assertThat(kind.path("or_earlier").asBoolean()).isTrue();
        assertThat(kind.path("revision").asLong()).isGreaterThan(made);
        assertThat(value(item("prov-2", "busy", ""), "component_version")
                        .path("from")
                        .has("or_earlier"))
                .isFalse();
    }
}
