package dev.homeport.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.e2e.stack.Await;
import dev.homeport.e2e.stack.KubeCluster;
import dev.homeport.e2e.stack.Stack;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import tools.jackson.databind.JsonNode;

/** Flux as it is in production: of equal events, its notification-controller lets one through in five minutes. */
@Order(5)
@ResourceLock(value = Stack.DEFAULT_LIMIT, mode = ResourceAccessMode.READ)
@ResourceLock(value = Stack.EMBEDDED, mode = ResourceAccessMode.READ)
class EventLimitTest {
    private static final Duration LONGER_THAN_THE_SHORT_LIMIT = Duration.ofMillis(2_500);

    @Test
    void anEqualEventIsDropped() throws Exception {
        KubeCluster kube = Stack.fourth();
        String event = """
                {"involvedObject": {"apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
                  "name": "twice", "namespace": "flux-system"},
                 "severity": "info", "timestamp": "%s", "message": "the same", "reason": "Progressing",
                 "reportingController": "kustomize-controller"}""".formatted(Instant.now());
        assertThat(post(kube, event)).isEqualTo(202);
        Thread.sleep(LONGER_THAN_THE_SHORT_LIMIT);
        assertThat(post(kube, event)).isEqualTo(429);
    }

    @Test
    void aNewVersionIsReportedAsHealthy() {
        Managed managed = Managed.atDefaultLimit();
        managed.helm("limited", "{}");
        managed.assign("platform_components", "limited");
        awaitHealthy(managed, Catalog.OLD);
        managed.homeport.patch("platform-components", "limited", "{\"oci_tag\":\"" + Catalog.NEW + "\"}");
        awaitHealthy(managed, Catalog.NEW);
        managed.unassign("platform_components", "limited");
        managed.awaitGone("limited");
    }

    private static int post(KubeCluster kube, String event) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(kube.events()))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(event))
                    .build();
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        }
    }

    private static void awaitHealthy(Managed managed, String version) {
        Await.until(
                "it is reported as healthy at " + version,
                () -> delivery(managed).at("/healthy/version").asString("").startsWith(version),
                () -> delivery(managed) + "\n" + managed.kube.describe());
    }

    private static JsonNode delivery(Managed managed) {
        return managed.homeport
                .get("/api/v2/clusters/" + managed.id + "/delivery")
                .expect(200)
                .at("/components/limited");
    }
}
