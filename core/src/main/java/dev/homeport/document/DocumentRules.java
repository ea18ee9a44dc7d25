package dev.homeport.document;

import dev.homeport.json.StrictJson;
import dev.homeport.problem.Violation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Everything that can be said about a document without looking at another one: its schema, its characters, its id and what
 * its type means. Secrets are looked for separately ({@link SecretScan}), because an admin may overrule that.
 */
public final class DocumentRules {
    private DocumentRules() {}

    /** All violations of a new document, at most one for each place. */
    public static List<Violation> check(TypeDefinition type, String id, ObjectNode body, Leniency leniency) {
        return check(type, id, body, leniency, StrictJson::object);
    }

    /** @param stored the current document; empty if it does not exist */
    public static List<Violation> check(
            TypeDefinition type, String id, ObjectNode body, Leniency leniency, Supplier<ObjectNode> stored) {
        Map<String, Violation> found = new LinkedHashMap<>();
        Stream.of(
                        SchemaCheck.check(type, body),
                        TextRules.check(body, stored),
                        identity(type, id, body),
                        meaning(type, body, leniency))
                .flatMap(List::stream)
                .forEach(violation -> found.putIfAbsent(violation.pointer(), violation));
        if (leniency == Leniency.IMPORTED) {
            type.schema()
                    .path("x-lenient")
                    .valueStream()
                    .map(JsonNode::stringValue)
                    .forEach(field -> {
                        if (!body.has(field)) {
                            found.remove(Pointer.child("", field));
                        }
                    });
        }
        return List.copyOf(found.values());
    }

    private static List<Violation> identity(TypeDefinition type, String id, ObjectNode body) {
        List<Violation> found = new ArrayList<>();
        JsonNode own = body.path("id");
        if (own.isString() && !own.stringValue().equals(id)) {
            found.add(new Violation(
                    "/id",
                    "the id in the document is '" + Shown.text(own.stringValue()) + "', but the document is '"
                            + Shown.text(id) + "'",
                    "an id never changes: write the same id in both places"));
        }
        boolean builtIn = BuiltInTypes.catalog().named(type.name()).isPresent();
        if (!builtIn) {
            IdRules.name(id)
                    .ifPresent(fault -> found.add(new Violation(
                            "/id",
                            fault,
                            BuiltInTypes.shared("name").path("x-hint").asString(""))));
        }
        return found;
    }

    private static List<Violation> meaning(TypeDefinition type, ObjectNode body, Leniency leniency) {
        return switch (type.name()) {
            case Types.CLUSTER -> ClusterRules.check(body);
            case Types.PLATFORM_COMPONENT -> ComponentRules.check(body);
            case Types.ROLEBINDING -> RolebindingRules.check(body, leniency);
            case Types.WORKSPACE, Types.CLUSTER_TEMPLATE, Types.ENVIRONMENT -> LayerRules.check(body, "");
            case Types.TYPE -> RuntimeTypes.check(body);
            case Types.PROBE -> ProbeRules.check(body);
            default -> List.of();
        };
    }
}
