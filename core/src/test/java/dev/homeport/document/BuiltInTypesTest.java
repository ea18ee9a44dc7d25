package dev.homeport.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.homeport.document.TypeDefinition.Part;
import dev.homeport.json.StrictJson;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class BuiltInTypesTest {
    static List<String> names() {
        return types().stream().map(TypeDefinition::name).toList();
    }

    @Test
    void everyTypeHasItsPlaceInTheFleet() {
        Map<Part, List<String>> byPart = types().stream()
                .collect(Collectors.groupingBy(
                        TypeDefinition::part, Collectors.mapping(TypeDefinition::name, Collectors.toList())));
        assertEquals(List.of(Types.NAMESPACE, Types.PLATFORM_COMPONENT, Types.ROLEBINDING), byPart.get(Part.ITEM));
        assertEquals(List.of(Types.CLUSTER_TEMPLATE, Types.ENVIRONMENT, Types.WORKSPACE), byPart.get(Part.LAYER));
        assertEquals(List.of(Types.CLUSTER), byPart.get(Part.CLUSTER));
        assertEquals(
                List.of(Types.CLUSTER_LIFE, Types.OBSERVER, Types.REDACTION, Types.RESERVED_NAME, Types.SIGN_OUT),
                byPart.get(Part.INTERNAL));
        assertEquals(19, types().size());
    }

    /** A fleet may have had a type with the word of one that a release brings: its clusters poll it. */
    @Test
    void aTypeThatClustersPollKeepsItsPlural() {
        TypeDefinition older =
                new TypeDefinition("measurement", "probes", Part.ITEM, StrictJson.object(), Optional.empty());
        assertEquals(
                Optional.of("measurement"),
                BuiltInTypes.catalog().with(older).withPlural("probes").map(TypeDefinition::name));
    }

    @ParameterizedTest
    @MethodSource("names")
    void theSchemaIsSoundAndNeedsNothingElse(String name) {
        TypeDefinition type = BuiltInTypes.catalog().named(name).orElseThrow();
        assertEquals(List.of(), SchemaCheck.checkSchema(type.schema()));
        SchemaCheck.compile(type.schema());
        assertFalse(type.schema().toString().contains("common.json"));
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyFieldIsDescribedAndEveryObjectClosed(String name) {
        TypeDefinition type = BuiltInTypes.catalog().named(name).orElseThrow();
        List<String> faults = new ArrayList<>();
        visit(type.schema(), "", faults);
        assertEquals(List.of(), faults);
    }

    @Test
    void formatsAreOnesThatAreChecked() {
        String all = types().stream().map(type -> type.schema().toString()).collect(Collectors.joining());
        for (Grammar grammar : Grammar.values()) {
            assertTrue(all.contains("\"format\":\"" + grammar.format() + "\""), grammar + " is not used");
        }
    }

    private static Collection<TypeDefinition> types() {
        return BuiltInTypes.catalog().all();
    }

    private static void visit(JsonNode schema, String at, List<String> faults) {
        schema.path("properties").forEachEntry((name, property) -> {
            if (property.path("description").asString("").isBlank()) {
                faults.add(at + "/" + name + " has no description");
            }
        });
        boolean closed = schema.path("additionalProperties").isBoolean();
        if (schema.path("type").asString("").equals("object") && schema.has("properties") && !closed) {
            faults.add(at + " is open");
        }
        String format = schema.path("format").asString("");
        if (!format.isEmpty() && Grammar.named(format).isEmpty()) {
            faults.add(at + " has the unknown format " + format);
        }
        schema.forEachEntry((key, value) -> visit(value, at + "/" + key, faults));
    }
}
