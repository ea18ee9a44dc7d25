package dev.homeport.observe;

import static dev.homeport.support.TestFleet.edit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import dev.homeport.support.FleetTest;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PastItemsTest extends FleetTest {
    @BeforeEach
    void aClusterWithAComponent() {
        fleet.component("podinfo");
        fleet.cluster("c1", "dev", "{\"platform_components\": [{\"id\": \"podinfo\"}]}");
        fleet.cluster("c2", "dev", "{\"platform_components\": [{\"id\": \"podinfo\"}]}");
    }

    private String digest(String cluster) {
        return Wanted.of(fleet.snapshot(), fleet.document(Types.CLUSTER, cluster))
                .components()
                .get("podinfo")
                .digest();
    }

    private void tag(String tag) {
        committed(edit(Types.PLATFORM_COMPONENT, "podinfo", body -> body.put("oci_tag", tag)));
    }

    private Optional<Boolean> contain(String cluster, String component, String digest) {
        return PastItems.contain(fleet.store, fleet.snapshot(), cluster, component, digest);
    }

    @Test
    void everyItemThatTheLogAsksForIsKnown() {
        String first = digest("c1");
        tag("v2.0.0");
        String second = digest("c1");
        assertThat(second).isNotEqualTo(first);
        fleet.confirm(edit(
                Types.CLUSTER,
                "c1",
                body -> body.set("platform_components", StrictJson.object().putArray("none"))));

        for (String digest : new String[] {first, second}) {
            assertThat(contain("c1", "podinfo", digest)).contains(true);
        }
        assertThat(contain("c1", "grafana", first)).contains(false);
        assertThat(contain("c1", "podinfo", "0".repeat(16))).contains(false);
        assertThat(contain("nobody", "podinfo", first)).contains(false);
    }

    @Test
    void anItemOfAnotherClusterIsNotItsOwn() {
        committed(edit(Types.CLUSTER, "c2", body -> {
            body.set("patches", StrictJson.read("{\"podinfo\": {\"replicas\": \"7\"}}"));
            return body;
        }));
        assertThat(contain("c2", "podinfo", digest("c2"))).contains(true);
        assertThat(contain("c1", "podinfo", digest("c2"))).contains(false);
    }

    @Test
    void aPastThatIsTooLongIsNotJudged() {
        String first = digest("c1");
        for (int i = 0; i < 1_000; i++) {
            tag("v3.0." + i);
        }
        assertThat(contain("c1", "podinfo", digest("c1"))).contains(true);
        assertThat(contain("c1", "podinfo", first)).isEmpty();
    }
}
