package dev.homeport.write;

import static dev.homeport.support.TestFleet.ALICE;
import static dev.homeport.support.TestFleet.edit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.api.ErrorCode;
import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import dev.homeport.support.FleetTest;
import dev.homeport.testing.Requirement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@Requirement("B15")
class DependsOnTest extends FleetTest {
    @BeforeEach
    void catalog() {
        // A catalog entry may name what does not exist yet.
        fleet.component("grafana", "{\"depends_on\": [\"loki\"]}");
        fleet.component("loki");
    }

    private Operation assign(String references) {
        return edit(Types.CLUSTER, "c1", body -> {
            body.set(
                    "platform_components",
                    StrictJson.read("{\"a\": " + references + "}").get("a"));
            return body;
        });
    }

    @Test
    void aGapIsRefusedByName() {
        assertThat(refused(ErrorCode.INVALID, () -> fleet.cluster("c1", "dev", GRAFANA)))
                .hasMessageContaining("cluster/c1")
                .hasMessageContaining("grafana depends on loki");
        fleet.cluster("c1", "dev", "{\"platform_components\": [{\"id\": \"grafana\"}, {\"id\": \"loki\"}]}");
        assertThat(served("c1", COMPONENTS)).isEqualTo("grafana loki");
    }

    @Test
    void disablingOrRemovingADependencyIsRefused() {
        fleet.cluster("c1", "dev", "{\"platform_components\": [{\"id\": \"grafana\"}, {\"id\": \"loki\"}]}");
        refused(
                ErrorCode.INVALID,
                () -> fleet.write(assign("[{\"id\": \"grafana\"}, {\"id\": \"loki\", \"enabled\": false}]")));
        refused(ErrorCode.INVALID, () -> fleet.write(assign("[{\"id\": \"grafana\"}]")));
        committed(assign("[{\"id\": \"grafana\", \"enabled\": false}, {\"id\": \"loki\", \"enabled\": false}]"));
    }

    @Test
    void aCatalogEntryIsCheckedOnEveryClusterThatRunsIt() {
        fleet.cluster("c1", "dev", "{\"platform_components\": [{\"id\": \"loki\"}]}");
        refused(
                ErrorCode.INVALID,
                () -> fleet.write(edit(Types.PLATFORM_COMPONENT, "loki", body -> {
                    body.putArray("depends_on").add("minio");
                    return body;
                })));
    }

    @Test
    void aCircleIsNamed() {
        fleet.cluster("c1", "dev", "{\"platform_components\": [{\"id\": \"grafana\"}, {\"id\": \"loki\"}]}");
        assertThat(refused(
                        ErrorCode.INVALID,
                        () -> fleet.write(edit(Types.PLATFORM_COMPONENT, "loki", body -> {
                            body.putArray("depends_on").add("grafana");
                            return body;
                        }))))
                .hasMessageContaining("circle: grafana, loki");
        // Where no cluster runs both, it is only a catalog.
        committed(assign("[{\"id\": \"loki\"}]"));
        fleet.component("tempo", "{\"depends_on\": [\"mimir\"]}");
        fleet.component("mimir", "{\"depends_on\": [\"tempo\"]}");
    }

    @Test
    void importsAreWarnedAbout() {
        WriteRequest request = WriteRequest.of(
                        ALICE, "a test", dev.homeport.support.TestFleet.creation(Types.CLUSTER, "c1", """
                                {"cluster_name": "c1", "cluster_dns": "c1.example.com", "environment": "dev",
                                 "platform_components": [{"id": "grafana"}]}"""))
                .with(WriteRequest.Flag.IMPORTED);
        Outcome.Committed done = (Outcome.Committed) fleet.writer.write(request);
        assertThat(done.plan().warnings())
                .anySatisfy(warning -> assertThat(warning).contains("grafana depends on loki"));
        // A gap that is there already does not stand in the way of anything else.
        committed(edit(Types.CLUSTER, "c1", body -> body.put("owner", "a").put("description", "Words.")));
        committed(edit(Types.PLATFORM_COMPONENT, "grafana", body -> body.put("oci_tag", "v2.0.0")));
    }
}
