package dev.homeport.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Flux's events mean. */
class VerdictTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "HelmRelease | info | InstallSucceeded | Helm install succeeded | HEALTHY",
                "HelmRelease | error | UpgradeFailed | Helm upgrade failed | FAILED",
                "HelmRelease | info | RollbackSucceeded | Helm rollback succeeded | FAILED",
                "HelmRelease | info | UninstallSucceeded | Helm uninstall succeeded | GONE",
                "HelmRelease | info | DependencyNotReady | dependency not ready | WAITING",
                "HelmRelease | info | DriftDetected | drift | WAITING",
                "Kustomization | info | ReconciliationSucceeded | Reconciliation finished in 1s, next run in 10m0s | HEALTHY",
                "Kustomization | info | Progressing | Health check passed in 2s | HEALTHY",
                "Kustomization | info | Progressing | Deployment/a/b configured | APPLIED",
                "Kustomization | info | ReconciliationSucceeded | Deployment/a/b deleted | GONE",
                "Kustomization | info | Progressing | Deployment/a/b deleted | APPLIED",
                "Kustomization | error | HealthCheckFailed | timeout | FAILED",
                "OCIRepository | info | NewArtifact | stored artifact | FINE",
                "OCIRepository | error | OCIArtifactPullFailed | no such tag | FAILED",
                "ResourceSet | info | ApplySucceeded | ResourceSet/a/b deleted | FINE",
                "ResourceSetInputProvider | error | ReconciliationFailed | HTTP 503 | FAILED",
                "Whatever | info | Something | new | FINE"
            })
    void eachIsOneOfFew(String kind, String severity, String reason, String message, Verdict verdict) {
        assertThat(Verdict.of(new FluxEvent(kind, "ns", "n", 1, severity, Instant.EPOCH, reason, message, Map.of())))
                .isEqualTo(verdict);
    }

    @ParameterizedTest
    @CsvSource({"'',PT10M", "5m,PT5M", "1h30m,PT1H30M", "500ms,PT0.5S", "1.5s,PT1.5S", "999999999h,PT720H"})
    void intervalsAreReadAsGoWritesThem(String text, Duration expected) {
        assertThat(PollInterval.of(text)).isEqualTo(expected);
    }

    @Test
    void keysMayStandBehindAGroup() {
        FluxEvent event = FluxEvent.read("""
                {"involvedObject":{"kind":"Kustomization","name":"x"},"timestamp":"2026-05-01T12:00:00Z",
                 "message":"a\\u0000b","metadata":{"kustomize.toolkit.fluxcd.io/revision":"1@sha256:x","component":"c","n":7}}
                """.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        assertThat(event.meta("revision")).isEqualTo("1@sha256:x");
        assertThat(event.message()).isEqualTo("a\uFFFDb");
        assertThat(event.meta("n")).isEmpty();
        assertThat(event.component()).isEqualTo("c");
    }
}
