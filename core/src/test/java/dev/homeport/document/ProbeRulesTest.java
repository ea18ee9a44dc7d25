package dev.homeport.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.json.StrictJson;
import dev.homeport.problem.Violation;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Which questions may be asked: nothing in an expression may end the part that it is put into. */
class ProbeRulesTest {
    private static ObjectNode probe(String kind, String expression) {
        ObjectNode probe = StrictJson.object().put("id", "p").put("expression", expression);
        probe.putObject("object").put("api_version", "v1").put("kind", kind).put("name", "a");
        return probe;
    }

    private static List<Violation> check(String kind, String expression) {
        return DocumentRules.check(
                BuiltInTypes.catalog().named(Types.PROBE).orElseThrow(), "p", probe(kind, expression), Leniency.STRICT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "true",
                "status.readyReplicas >= 2",
                "has(status.conditions) && status.conditions.exists(c, c.type == 'Ready' && c.status == 'True')",
                "status.violations.map(v, v.namespace + '/' + v.name).join(', ')",
                "data['a)b'] == \"it's (\"",
                "data['a\\\\'] + '\\''",
                "spec.?missing.orValue('http://x')",
                "{'a': [1, 2]}['a'].size()"
            })
    void wholeExpressionsAreAccepted(String expression) {
        assertThat(check("ConfigMap", expression)).isEmpty();
    }

    static List<Arguments> refused() {
        return List.of(
                Arguments.of("true) || (true", "a closing ) that nothing opens"),
                Arguments.of("(true", "without its closing )"),
                Arguments.of("[1, 2)", "a closing ) that nothing opens"),
                Arguments.of("data['a", "without its closing quote"),
                Arguments.of("data['a\\']", "without its closing quote"),
                Arguments.of("r'\\' + 'x'", "a text with a prefix"),
                Arguments.of("'''a'''", "three quotes"),
                Arguments.of("true // not false", "a comment"),
                Arguments.of("tru\u00e9", "printable ASCII"),
                Arguments.of("true\n|| false", "U+000A"),
                Arguments.of("a.map(x, x).filter(x, x).map(x, x).all(x, x)", "more than 3"),
                Arguments.of("(".repeat(21) + "1" + ")".repeat(21), "more than 20 deep"),
                Arguments.of("   ", "is empty"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void othersAreRefusedWithTheReason(String expression, String reason) {
        assertThat(check("ConfigMap", expression)).singleElement().satisfies(fault -> {
            assertThat(fault.pointer()).isEqualTo("/expression");
            assertThat(fault.detail()).contains(reason);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"Secret", "SECRET"})
    void secretsAreNotRead(String kind) {
        assertThat(check(kind, "true")).extracting(Violation::pointer).containsExactly("/object/kind");
    }

    @Test
    void expressionsHaveALongestLength() {
        assertThat(check("ConfigMap", "'" + "x".repeat(998) + "'")).isEmpty();
        assertThat(check("ConfigMap", "'" + "x".repeat(999) + "'")).isNotEmpty();
    }
}
