package dev.homeport.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.e2e.stack.Await;
import dev.homeport.e2e.stack.Conditions;
import dev.homeport.e2e.stack.Gateway;
import dev.homeport.e2e.stack.Kind;
import dev.homeport.e2e.stack.KubeCluster;
import dev.homeport.e2e.stack.Stack;
import dev.homeport.testing.OutsideIn;
import dev.homeport.testing.Requirement;
import java.time.Duration;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** How soon a change arrives. */
@OutsideIn
@Order(5)
@ResourceLock(Stack.FIRST)
@ResourceLock(value = Stack.EMBEDDED, mode = ResourceAccessMode.READ)
class IntervalTest {
    private static final String PROVIDER = "homeport-platform-components";
    private static final String TYPES = "homeport-types";
    private static final String EVERY = "fluxcd.controlplane.io/reconcileEvery";

    private final Managed managed = Managed.first();

    @Test
    @Requirement(value = "A14", part = "the interval that the manifests were made with, and the nudge")
    void aChangeIsSeenByTheNextPollOrAtOnceWhenNudged() {
        managed.helm("prompt", "{\"values\":{\"greeting\":\"one\"}}");
        managed.assign("platform_components", "prompt");
        managed.awaitHealthy("prompt");
        assertThat(managed.kube
                        .find(Kind.PROVIDER, PROVIDER)
                        .orElseThrow()
                        .getMetadata()
                        .getAnnotations())
                .as("the interval of the cluster's document")
                .containsEntry(EVERY, "2s");

        managed.patchValues("prompt", "{\"greeting\":\"two\"}");
        long changed = System.nanoTime();
        String digest = managed.homeport
                .answer(managed.id, "platform-components")
                .path("digest")
                .asString();
        Gateway.Exchange next = Await.value(
                "the cluster polls",
                () -> Stack.gateway().seen().stream()
                        .filter(one -> one.isPoll() && one.path().contains("/sets/platform-components?"))
                        .filter(one -> one.isAfter(changed))
                        .findFirst());
        assertThat(next.digest()).isEqualTo(digest);
        Await.holds(
                "the change arrives",
                () -> assertThat(managed.running("prompt").path("greeting").asString())
                        .isEqualTo("two"));

        annotate(EVERY + "=1h");
        try {
            managed.patchValues("prompt", "{\"greeting\":\"three\"}");
            annotate("reconcile.fluxcd.io/requestedAt=" + System.nanoTime());
            Await.holds(
                    "the nudge brings the change",
                    () -> assertThat(managed.running("prompt").path("greeting").asString())
                            .isEqualTo("three"));
        } finally {
            annotate(EVERY + "=2s");
        }
    }

    @Test
    @Requirement(value = "A14", part = "an interval that is changed later")
    void aChangedIntervalReachesEveryProviderAndMakesNobodyLateMeanwhile() throws InterruptedException {
        awaitInterval("2s", 2);
        managed.homeport.patch("clusters", managed.id, "{\"poll_interval\": \"1h\"}");
        try {
            awaitInterval("1h", 3600);
            annotate(TYPES, "fluxcd.controlplane.io/reconcile=disabled");
            awaitNoMorePollsOfTypes();
            managed.homeport.patch("clusters", managed.id, "{\"poll_interval\": \"500ms\"}");
            // Longer than it would take to be silent by the new interval, which the cluster does not know of yet.
            Thread.sleep(4000);
            assertThat(managed.homeport
                            .get("/api/v2/clusters/" + managed.id)
                            .expect(200)
                            .json()
                            .at("/status/state")
                            .asString())
                    .isNotEqualTo("silent");
            assertThat(shown()).isEqualTo(3600);
        } finally {
            managed.homeport.patch("clusters", managed.id, "{\"poll_interval\": \"2s\"}");
            annotate(TYPES, "fluxcd.controlplane.io/reconcile=enabled");
            annotate(TYPES, "reconcile.fluxcd.io/requestedAt=" + System.nanoTime());
        }
        awaitInterval("2s", 2);
    }

    /** A poll that had begun before reconciliation was disabled still tells the cluster what it answers. */
    private void awaitNoMorePollsOfTypes() {
        Await.until(
                "the cluster no longer polls its types",
                () -> {
                    long quietFrom = System.nanoTime() - Duration.ofSeconds(3).toNanos();
                    return Stack.gateway().seen().stream()
                            .filter(one -> one.isPoll() && one.path().contains("/" + managed.id + "/sets/types?"))
                            .noneMatch(one -> one.isAfter(quietFrom));
                },
                managed.kube::describe);
    }

    private void awaitInterval(String every, long seconds) {
        Await.until(
                "every provider polls each " + every + ", and Homeport knows it",
                () -> managed.kube.list(Kind.PROVIDER).stream()
                                .allMatch(provider -> Conditions.isReady(provider)
                                        && every.equals(provider.getMetadata()
                                                .getAnnotations()
                                                .get(EVERY))
                                        && provider.<String>get("spec", "url").endsWith("?every=" + every))
                        && shown() == seconds,
                managed.kube::describe);
    }

    private long shown() {
        return managed.homeport
                .get("/api/v2/clusters/" + managed.id + "/delivery")
                .expect(200)
                .json()
                .at("/poll_interval_seconds")
                .asLong();
    }

    private void annotate(String annotation) {
        annotate(PROVIDER, annotation);
    }

    private void annotate(String provider, String annotation) {
        managed.kube.kubectl(
                "-n",
                KubeCluster.NAMESPACE,
                "annotate",
                "--overwrite",
                "resourcesetinputprovider",
                provider,
                annotation);
    }
}
