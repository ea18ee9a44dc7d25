package dev.homeport.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.testing.Requirement;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What runs out is removed by the server itself, and nothing that was not confirmed goes with it. */
class ExpiryTest extends AdminTest {

    @Test
    @Requirement(value = "C10", part = "clone and end of a cluster; no hook of Cluster API")
    void aClusterIsClonedAndOneWithAnEndLeavesByItselfWhileAnotherWaitsForAConfirmation() throws Exception {
        for (String id : new String[] {"ns-one", "ns-two"}) {
            fleet.create("namespaces", id, "{}").expect(201);
        }
        fleet.cluster("blue", "dev", "{\"namespaces\":[{\"id\":\"ns-one\"}],\"labels\":{\"tenant\":\"a\"}}");
        var green = fleet.admin
                .post(
                        "/api/v2/clusters/blue:clone",
                        "{\"id\":\"green\",\"cluster_dns\":\"" + Fleet.dns("green") + "\"}")
                .expect(201);
        assertThat(green.at("/spec/labels/tenant").asString()).isEqualTo("a");
        assertThat(fleet.polled("green", "namespaces"))
                .isEqualTo(fleet.polled("blue", "namespaces").replace("blue", "green"));
        String end =
                Instant.now().plusSeconds(4).truncatedTo(ChronoUnit.SECONDS).toString();
        for (String id : new String[] {"short-lived", "grown"}) {
            fleet.confirmed(
                            "POST",
                            "/api/v2/clusters",
                            "{\"id\":\"" + id + "\",\"spec\":"
                                    + Fleet.clusterSpec(
                                            id,
                                            id.equals("grown") ? "prod" : "qa",
                                            "{\"namespaces\":[{\"id\":\"ns-one\"}],\"expires_at\":\"" + end + "\"}")
                                    + "}",
                            Map.of())
                    .expect(201);
            assertThat(fleet.polled(id, "namespaces")).contains("ns-one");
        }
        // What the cluster gets through its environment later was in no confirmed plan.
        fleet.patch("/api/v2/environments/prod", "{\"namespaces\":[{\"id\":\"ns-two\"}]}")
                .expect(200);
        Instant deadline = Instant.now().plusSeconds(25);
        while ((fleet.polled("short-lived", "namespaces").contains("ns-one") || held().isEmpty())
                && Instant.now().isBefore(deadline)) {
            Thread.sleep(300);
        }
        assertThat(fleet.polled("short-lived", "namespaces")).isEqualTo("{\"inputs\":[]}");
        assertThat(held()).contains("confirmation");
        assertThat(fleet.polled("grown", "namespaces")).contains("ns-one").contains("ns-two");
        assertThat(fleet.admin.get("/metrics").expect(200).text()).contains("homeport_expiries_held 1.0");
    }

    private String held() {
        return fleet.admin
                .get("/api/v2/clusters/grown")
                .expect(200)
                .at("/status/expiry_held")
                .asString("");
    }
}
