package dev.homeport.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Flux Operator 0.58 sends for a witness, word for word, and what is made of it. */
class WitnessExpressionTest {
    private static final WitnessQuestion PODINFO = WitnessQuestion.component("podinfo", "HelmRelease");

    private static final WitnessExpression.Reading UNREADABLE =
            new WitnessExpression.Reading(Witness.OF_UNREADABLE, Witness.UNREADABLE);

    private static String value(String... fields) {
        return Base64.getEncoder().encodeToString(String.join("\n", fields).getBytes(StandardCharsets.UTF_8));
    }

    private static FluxEvent event(String reason, String message) {
        return new FluxEvent(
                "ResourceSet",
                "flux-system",
                "homeport-witness-1",
                9,
                "info",
                Instant.EPOCH,
                reason,
                message,
                Map.of(
                        "witness",
                        "{\"HelmRelease/c-podinfo\":\"component/podinfo\",\"Namespace/a\":\"removed/a\","
                                + "\"RoleBinding/b\":\"removed/b\"}"));
    }

    private static Optional<WitnessExpression.Reading> read(String message) {
        return WitnessExpression.read(event("DependencyNotReady", message));
    }

    @Test
    void aDifferenceIsReadFromTheKeyThatIsMissing() {
        String value = value("HelmRelease", "True", "UpgradeSucceeded", "1.0.0+f1", "sha256:8", "ab", "", "");
        String message = "Retrying dependency check: failed to evaluate the CEL expression '"
                + WitnessExpression.of(PODINFO, value("HelmRelease", "False", "x", "", "", "", "", ""))
                + "': no such key: hw1 component/podinfo " + value;
        WitnessExpression.Reading reading = read(message).orElseThrow();
        assertThat(reading).isEqualTo(new WitnessExpression.Reading("component/podinfo", value));
        assertThat(WitnessedObject.read(reading.value()))
                .isEqualTo(new WitnessedObject(
                        "HelmRelease", "True", "UpgradeSucceeded", "1.0.0+f1", "sha256:8", "ab", "", ""));
    }

    @Test
    void anObjectThatIsNotThereIsReadFromTheWordsOfTheApiServer() {
        assertThat(read(
                        "Retrying dependency check: dependency helm.toolkit.fluxcd.io/v2/HelmRelease/flux-system/c-podinfo"
                                + " not found: helmreleases.helm.toolkit.fluxcd.io \"c-podinfo\" not found"))
                .contains(new WitnessExpression.Reading("component/podinfo", Witness.ABSENT));
        assertThat(read("Retrying dependency check: dependency v1/Namespace/a not found: namespaces \"a\" not found"))
                .contains(new WitnessExpression.Reading("removed/a", Witness.ABSENT));
        assertThat(read(
                        "Retrying dependency check: dependency rbac.authorization.k8s.io/v1/RoleBinding/team/b not found:"
                                + " rolebindings.rbac.authorization.k8s.io \"b\" not found"))
                .as("a namespace without a hyphen is not taken for a kind")
                .contains(new WitnessExpression.Reading("removed/b", Witness.ABSENT));
        assertThat(read("Retrying dependency check: dependency v1/Namespace/b not found: namespaces \"b\" not found"))
                .contains(UNREADABLE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Retrying dependency check: dependency x not found: Timeout: request did not complete",
                "Retrying dependency check: dependency x not found: no matches for kind \"HelmRelease\" in version \"v9\"",
                "Retrying dependency check: failed to evaluate the CEL expression 'x': no such attribute(s): status",
                "Retrying dependency check: … no such key: hw1 component/podinfo <script>",
                "Retrying dependency check: … no such key: hw1 Component/../x aGk=",
                "Retrying dependency check: … no such key: hw1 component/podinfo aGk=",
                "Retrying dependency check: … missing key hw1 component/podinfo",
                ""
            })
    void otherWordsSayOnlyThatTheClusterLooked(String message) {
        assertThat(read(message)).contains(UNREADABLE);
    }

    @Test
    void aSetThatDoesNotWaitSaysNothing() {
        assertThat(WitnessExpression.read(event("ReconciliationSucceeded", "no such key: hw1 component/podinfo aGk=")))
                .isEmpty();
    }

    @Test
    void aValueThatIsTooLongIsNotRead() {
        String longest = value("HelmRelease", "True", "x".repeat(WitnessExpression.LONGEST_VALUE), "", "", "", "", "");
        assertThat(read("no such key: hw1 component/podinfo " + longest)).contains(UNREADABLE);
    }

    @Test
    void nothingInAValueEndsAQuotation() {
        String hostile = value("HelmRelease", "True", "' || true || '", "\"}}\n<< fail >>", "", "", "", "");
        assertThat(WitnessExpression.of(PODINFO, hostile)).contains("x == '" + hostile + "'");
        assertThatThrownBy(() -> WitnessExpression.of(PODINFO, "' || true || '"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> WitnessQuestion.there("removed/'", "v1", "Namespace", "-", "x"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void deletionNamesWhatKeepsAnObject() {
        WitnessedObject seen = WitnessedObject.read(
                value("Kustomization", "False", "PruneFailed", "", "", "", "deleting a.io/x b.io/y", "disabled"));
        assertThat(seen.isDeleting()).isTrue();
        assertThat(seen.finalizers()).containsExactly("a.io/x", "b.io/y");
        assertThat(seen.isKept()).isTrue();
        WitnessedObject here = WitnessedObject.read(value("Kustomization", "True", "", "", "", "", "", ""));
        assertThat(here.isDeleting()).isFalse();
        assertThat(here.finalizers()).isEmpty();
        assertThat(WitnessedObject.read(Witness.ABSENT)).isEqualTo(WitnessedObject.NOTHING);
    }

    @Test
    void controlCharactersOfAValueAreReplaced() {
        assertThat(WitnessedObject.read(value("HelmRelease", "True", "a\u0000b\u001b[31m", "", "", "", "", ""))
                        .reason())
                .isEqualTo("a\uFFFDb\uFFFD[31m");
    }
}
