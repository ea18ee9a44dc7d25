package dev.homeport.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a cluster says about its versions, and which of them differ. */
class ClusterFactsTest {
    private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

    private static Optional<ClusterFacts> said(String value) {
        return ClusterFacts.of(List.of(
                new Witness("c1", "type/namespaces", Witness.ABSENT, NOON, 1, "b", NOON),
                new Witness("c1", ClusterFacts.QUESTION, value, NOON, 1, "b", NOON)));
    }

    private static String encoded(String... fields) {
        return Base64.getEncoder().encodeToString(String.join("\n", fields).getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void fieldsThatTheReportDoesNotHaveAreEmpty() {
        assertThat(said(encoded("FluxReport", "v1.34.1", "linux/arm64", "", "v0.58.1")))
                .contains(new ClusterFacts("v1.34.1", "linux/arm64", "", "v0.58.1", NOON, true));
        assertThat(said(Witness.ABSENT)).contains(new ClusterFacts("", "", "", "", NOON, false));
        assertThat(said(encoded("FluxReport", "v1.34.1", "linux"))).isEmpty();
        assertThat(said(encoded("Secret", "a", "b", "c", "d"))).isEmpty();
        assertThat(said("?")).isEmpty();
        assertThat(ClusterFacts.of(List.of())).isEmpty();
    }

    @Test
    void nothingButPlainTextIsShown() {
        ClusterFacts facts = said(encoded("FluxReport", "v1\u001b[31m", "x".repeat(900), "", ""))
                .orElseThrow();
        assertThat(facts.kubernetes()).isEqualTo("v1?[31m");
        assertThat(facts.platform()).hasSize(100);
    }

    @ParameterizedTest
    @CsvSource({
        "v1.34.1, 1.34, false",
        "v1.34.1, v1.34.1, false",
        "v1.34.1+k0s.0, 1.34.1, false",
        "v1.34.1-gke.100, v1.34.1-gke.100, false",
        "v1.34.1-gke.200, v1.34.1-gke.100, true",
        "v1.34.1, 1.34.2, true",
        "v1.34.1, 1.3, true",
        "v1.4.1, 1.34, true",
        "unknown, 1.34, false",
        "v1.34.1, '', false"
    })
    void anotherVersionIsOneThatIsKnownToDiffer(String runs, String declared, boolean other) {
        assertThat(new ClusterFacts(runs, "", "", "", NOON, true).runsOtherThan(declared))
                .isEqualTo(other);
    }

    @Test
    void minorVersionsOfFluxAreCompared() {
        assertThat(flux("v2.10.0").orElseThrow()).isGreaterThan(flux("2.9.4").orElseThrow());
        assertThat(flux("v3.0.0").orElseThrow()).isGreaterThan(flux("v2.99.0").orElseThrow());
        assertThat(flux("latest")).isEmpty();
        assertThat(flux("")).isEmpty();
    }

    private static Optional<Integer> flux(String version) {
        return new ClusterFacts("", "", version, "", NOON, true).fluxMinor();
    }
}
