package dev.homeport.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.observe.ProbeResult.Outcome;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a cluster's answer to a probe means, in the words of Flux Operator 0.58. */
class ProbeResultTest {
    private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");
    private static final Probe PROBE =
            new Probe("p", "", "v1", "ConfigMap", "a", "default", "data.size() > 0", "abc", false, "warning", NOON);

    private static String value(String... fields) {
        return Base64.getEncoder().encodeToString(String.join("\n", fields).getBytes(StandardCharsets.UTF_8));
    }

    private static Optional<ProbeResult> said(Probe probe, String value, Instant received) {
        return ProbeResult.of(probe, new Witness("c1", "probe/p", value, NOON, 1, "b", received));
    }

    private static Optional<WitnessExpression.Reading> read(String reason, String message) {
        return WitnessExpression.read(new FluxEvent(
                "ResourceSet",
                "flux-system",
                "homeport-witness-1",
                9,
                "info",
                NOON,
                reason,
                message,
                Map.of("witness", "{\"ConfigMap/a\":\"probe/p\"}")));
    }

    private static Optional<String> answer(String reason, String message) {
        return read(reason, message)
                .flatMap(reading -> said(PROBE, reading.value(), NOON))
                .filter(result -> result.outcome() == Outcome.ERROR)
                .map(ProbeResult::answer);
    }

    @Test
    void theExpressionIsWorkedOutOnceAndIsWholeInItself() {
        assertThat(WitnessExpression.of(WitnessQuestion.probe(PROBE), ""))
                .startsWith("[(data.size() > 0)].map(v, [kind, 'abc', ")
                .contains("['hw1 probe/p ' + x]");
    }

    @ParameterizedTest
    @CsvSource({
        "bool, true, PASSED, ''",
        "bool, false, FAILED, ''",
        "text, 7, ANSWERED, 7",
        "text, true, ANSWERED, true"
    })
    void trueAndFalseAreOutcomesAndOthersAnswers(String type, String text, Outcome outcome, String answer) {
        assertThat(said(PROBE, value("ConfigMap", "abc", type, text), NOON))
                .contains(new ProbeResult(PROBE, outcome, answer, Optional.of(NOON)));
    }

    @Test
    void anAnswerToAnEarlierVersionIsNone() {
        assertThat(said(PROBE, value("ConfigMap", "other", "bool", "true"), NOON))
                .isEmpty();
        assertThat(said(PROBE, Witness.ABSENT, NOON.minusSeconds(1))).isEmpty();
        assertThat(said(PROBE, ProbeResult.error("x"), NOON.minusSeconds(1))).isEmpty();
        assertThat(said(PROBE, "?", NOON)).isEmpty();
    }

    @Test
    void anObjectThatDoesNotExistFailsUnlessTheProbeSaysOtherwise() {
        Probe passing = new Probe("p", "", "v1", "ConfigMap", "a", "default", "true", "abc", true, "warning", NOON);
        assertThat(said(PROBE, Witness.ABSENT, NOON).orElseThrow().outcome()).isEqualTo(Outcome.FAILED);
        assertThat(said(passing, Witness.ABSENT, NOON).orElseThrow().outcome()).isEqualTo(Outcome.PASSED);
    }

    @Test
    void anErrorSaysWhy() {
        String expression = WitnessExpression.of(WitnessQuestion.probe(PROBE), "");
        assertThat(answer(
                        "DependencyNotReady",
                        "Retrying dependency check: failed to evaluate the CEL expression '" + expression
                                + "': no such attribute(s): status.x"))
                .contains("no such attribute(s): status.x");
        assertThat(answer(
                        "DependencyNotReady",
                        "Retrying dependency check: dependency x/v9/Y/a/b not found: no matches for kind \"Y\" in version"
                                + " \"x/v9\""))
                .contains("no matches for kind \"Y\" in version \"x/v9\"");
        assertThat(answer(
                        "InvalidCELExpression",
                        "Reconciliation failed terminally due to configuration error: failed to parse expression for"
                                + " dependency v1/x: failed to parse the CEL expression '[(1 +)]': ERROR: <input>:1:6: Syntax"
                                + " error: mismatched input ')'\n | [(1 +)].exists(x, {'': true}['y'])\n | .....^"))
                .contains("Syntax error: mismatched input ')'");
        assertThat(answer("DependencyNotReady", "Retrying dependency check: \u001b[31mred"))
                .contains("Retrying dependency check:  [31mred");
    }

    /** What people write into a probe must not speak for anything else. */
    @Test
    void aProbeAnswersForItselfAlone() {
        String healthy = value("HelmRelease", "True", "x", "1.0.0", "", "item", "", "");
        String message = "Retrying dependency check: failed to evaluate the CEL expression 'x': no such key: hw1"
                + " component/podinfo " + healthy;
        assertThat(read("DependencyNotReady", message).orElseThrow().id()).isEqualTo("probe/p");
    }
}
