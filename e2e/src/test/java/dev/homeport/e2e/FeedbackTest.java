package dev.homeport.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.e2e.stack.Await;
import dev.homeport.e2e.stack.Gateway;
import dev.homeport.e2e.stack.KubeCluster;
import dev.homeport.e2e.stack.Stack;
import dev.homeport.testing.OutsideIn;
import dev.homeport.testing.Requirement;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLockTarget;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a cluster reports about its desired state, and what Homeport makes of it. */
@OutsideIn
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(value = Stack.EMBEDDED, mode = ResourceAccessMode.READ, target = ResourceLockTarget.CHILDREN)
@ResourceLock(value = Stack.FIRST, mode = ResourceAccessMode.READ, target = ResourceLockTarget.CHILDREN)
class FeedbackTest {
    private final Managed managed = Managed.first();

    @Test
    void signedEventsSayWhichVersionOfAComponentRuns() throws Exception {
        managed.helm("reported", "{}");
        managed.assign("platform_components", "reported");
        awaitHealthy("reported", Catalog.OLD);
        managed.homeport.patch("platform-components", "reported", "{\"oci_tag\":\"" + Catalog.NEW + "\"}");
        awaitHealthy("reported", Catalog.NEW);

        List<Gateway.Exchange> events = Stack.gateway().seen().stream()
                .filter(Gateway.Exchange::isEvent)
                .filter(event -> component(event).equals("reported"))
                .toList();
        assertThat(events).isNotEmpty().allMatch(event -> event.status() == 202);
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(eventKey(), "HmacSHA256"));
        for (Gateway.Exchange event : events) {
            assertThat(event.headers().get("X-Signature"))
                    .isEqualTo("sha256=" + HexFormat.of().formatHex(mac.doFinal(event.body())));
        }
    }

    @Test
    @Requirement("G7")
    @ResourceLock(Managed.STATE)
    void aReleaseThatFailsShowsAsFailingWithItsMessageAndIsListedWithItsAge() {
        managed.helm("failing", "{}");
        managed.assign("platform_components", "failing");
        awaitHealthy("failing", Catalog.OLD);
        managed.assign("platform_components", "failing", "{\"oci_tag\":\"" + Catalog.BROKEN + "\"}");
        Await.holds("the failure is shown", () -> {
            JsonNode failure = component("failing").path("failure");
            assertThat(failure.path("message").asString()).contains("NOT A NAME");
            assertThat(managed.homeport.cluster(managed.id).at("/status/state").asString())
                    .isEqualTo("failing");
        });
        JsonNode finding = Await.value("it is a finding", () -> {
            for (JsonNode one : managed.homeport
                    .get("/api/v2/findings?page_size=500")
                    .expect(200)
                    .at("/items")) {
                if (one.path("cluster").asString("").equals(managed.id)
                        && one.path("kind").asString("").equals("failing")) {
                    return java.util.Optional.of(one);
                }
            }
            return java.util.Optional.empty();
        });
        assertThat(Instant.parse(finding.path("since").asString())).isBefore(Instant.now());

        managed.assign("platform_components", "failing");
        Await.holds(
                "the failure is over",
                () -> assertThat(component("failing").path("failure").isMissingNode())
                        .isTrue());
        managed.unassign("platform_components", "failing");
        managed.awaitGone("failing");
    }

    private void awaitHealthy(String component, String version) {
        Await.value(
                component + " is reported as healthy at " + version,
                () -> {
                    JsonNode delivery = component(component);
                    return delivery.at("/healthy/version").asString("").startsWith(version)
                                    && delivery.at("/applied/version")
                                            .asString("")
                                            .startsWith(version)
                            ? java.util.Optional.of(delivery)
                            : java.util.Optional.empty();
                },
                () -> component(component) + "\n" + managed.kube.describe());
    }

    private JsonNode component(String id) {
        return managed.homeport
                .get("/api/v2/clusters/" + managed.id + "/delivery")
                .expect(200)
                .at("/components")
                .path(id);
    }

    /** The component that an event is about. */
    private static String component(Gateway.Exchange event) {
        return JsonMapper.shared()
                .readTree(event.body())
                .at("/metadata/component_id")
                .asString("");
    }

    private byte[] eventKey() {
        String encoded = managed.kube
                .client()
                .secrets()
                .inNamespace(KubeCluster.NAMESPACE)
                .withName("homeport-events")
                .get()
                .getData()
                .get("token");
        return new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8);
    }
}
