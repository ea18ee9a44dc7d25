package dev.homeport.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.homeport.json.StrictJson;
import dev.homeport.problem.Problem;
import dev.homeport.problem.ProblemException;
import dev.homeport.problem.Violation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

class HostileDocumentsTest {
    private static final TypeCatalog CATALOG = HostileDocuments.catalog();

    static List<HostileDocuments.Case> hostile() {
        return HostileDocuments.all();
    }

    static List<String> types() {
        return HostileDocuments.types();
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void isRefusedWhereItIsWrong(HostileDocuments.Case hostile) {
        List<Violation> found = check(hostile);
        assertTrue(
                found.stream()
                        .anyMatch(violation -> violation.pointer().equals(hostile.expectedPointer())
                                && violation.detail().contains(hostile.expectedWord())),
                () -> "expected '" + hostile.expectedWord() + "' at " + hostile.expectedPointer() + " but found "
                        + found);
        found.forEach(HostileDocumentsTest::assertShowable);
    }

    @ParameterizedTest
    @MethodSource("types")
    void soundDocumentsPass(String type) {
        ObjectNode body = HostileDocuments.sound(type);
        TypeDefinition definition = CATALOG.named(type).orElseThrow();
        assertEquals(List.of(), DocumentRules.check(definition, body.get("id").stringValue(), body, Leniency.STRICT));
        assertEquals(List.of(), SecretScan.scan(definition, body));
    }

    @ParameterizedTest
    @MethodSource("types")
    void soundDocumentsUseEveryField(String type) {
        Set<String> fields = new HashSet<>(
                CATALOG.named(type).orElseThrow().schema().path("properties").propertyNames());
        fields.removeAll(HostileDocuments.sound(type).propertyNames());
        fields.remove("schema_version");
        assertEquals(Set.of(), fields);
    }

    @Test
    void theTableIsLargeAndCoversEveryTypeThatUsersWrite() {
        List<HostileDocuments.Case> all = HostileDocuments.all();
        assertTrue(all.size() >= 180, "only " + all.size());
        assertEquals(
                all.size(),
                all.stream().map(HostileDocuments.Case::name).distinct().count());
        Set<String> covered = all.stream().map(HostileDocuments.Case::type).collect(Collectors.toSet());
        CATALOG.all().stream()
                .filter(type -> type.part() != TypeDefinition.Part.INTERNAL)
                .forEach(type -> assertTrue(covered.contains(type.name()), type.name()));
    }

    private static List<Violation> check(HostileDocuments.Case hostile) {
        try {
            ObjectNode body = StrictJson.parseObject(hostile.rawBytes());
            return DocumentRules.check(
                    CATALOG.named(hostile.type()).orElseThrow(), hostile.id(), body, Leniency.STRICT);
        } catch (ProblemException e) {
            return new ArrayList<>(violations(e.problem()));
        }
    }

    private static List<Violation> violations(Problem problem) {
        return switch (problem) {
            case Problem.Invalid invalid -> invalid.violations();
            case Problem.Refused refused -> List.of(new Violation("", refused.detail(), refused.next()));
        };
    }

    private static void assertShowable(Violation violation) {
        String text = violation.detail() + violation.fix();
        assertTrue(text.length() < 1000, text);
        assertTrue(!violation.detail().isBlank() && !violation.fix().isBlank(), violation.toString());
        assertTrue(text.codePoints().allMatch(TextRules::isPlain), text);
    }
}
