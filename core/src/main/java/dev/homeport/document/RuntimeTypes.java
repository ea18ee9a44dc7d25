package dev.homeport.document;

import dev.homeport.document.TypeDefinition.Part;
import dev.homeport.json.CanonicalJson;
import dev.homeport.problem.Problem;
import dev.homeport.problem.ProblemException;
import dev.homeport.problem.Violation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** Types that users add while Homeport runs: documents whose {@code schema} becomes a {@link TypeDefinition}. */
public final class RuntimeTypes {
    private static final int MAX_SCHEMA = 64 * 1024;
    private static final int MAX_TEMPLATE = 16 * 1024;
    private static final int MOST_FAULTS = 10;

    private static final Set<String> RESERVED = Set.of(
            "flux",
            "sets",
            "events",
            "changes",
            "tokens",
            "freezes",
            "export",
            "import",
            "stream",
            "me",
            "join",
            "findings",
            "types",
            "openapi");

    private RuntimeTypes() {}

    /** The type that the document describes. Throws a problem when it cannot be one. */
    public static TypeDefinition definition(ObjectNode typeBody) {
        List<Violation> found = check(typeBody);
        if (!found.isEmpty()) {
            throw new ProblemException(Problem.Invalid.of(found));
        }
        return new TypeDefinition(
                typeBody.path("id").stringValue(),
                typeBody.path("plural").stringValue(),
                Part.ITEM,
                completed((ObjectNode) typeBody.path("schema")),
                Optional.of(typeBody.path("template").stringValue("")).filter(text -> !text.isEmpty()));
    }

    static List<Violation> check(ObjectNode typeBody) {
        List<Violation> found = new ArrayList<>();
        names(typeBody, found);
        template(typeBody, found);
        if (!(typeBody.path("schema") instanceof ObjectNode schema)) {
            found.add(new Violation("/schema", "the type has no schema", "add schema: a JSON Schema of type object"));
            return found;
        }
        int size = CanonicalJson.bytes(schema).length;
        if (size > MAX_SCHEMA) {
            found.add(new Violation(
                    "/schema", "the schema has " + size + " bytes, more than " + MAX_SCHEMA, "make it smaller"));
            return found;
        }
        if (!schema.path("type").asString("").equals("object")) {
            found.add(new Violation("/schema/type", "a document is an object", "set type to object"));
        }
        for (String taken : List.of("cluster", "provider")) {
            if (schema.path("properties").has(taken)) {
                found.add(new Violation(
                        "/schema/properties/" + taken,
                        "clusters are served a field " + taken + " of another meaning",
                        "choose another name"));
            }
        }
        found.addAll(RuntimeSchema.check(schema, "/schema"));
        if (found.isEmpty()) {
            compile(schema, found);
        }
        return found;
    }

    private static void names(ObjectNode typeBody, List<Violation> found) {
        TypeCatalog builtIn = BuiltInTypes.catalog();
        String name = typeBody.path("id").asString("");
        String plural = typeBody.path("plural").asString("");
        IdRules.typeName(name)
                .ifPresent(fault -> found.add(new Violation("/id", fault, "use snake_case, singular: network_policy")));
        IdRules.name(plural)
                .ifPresent(fault -> found.add(new Violation("/plural", fault, "use kebab-case: network-policies")));
        if (builtIn.named(name).isPresent()) {
            found.add(new Violation("/id", "the type " + name + " is built in", "choose another name"));
        }
        if (RESERVED.contains(plural) || builtIn.withPlural(plural).isPresent()) {
            found.add(new Violation("/plural", "the word " + plural + " is reserved", "choose another plural"));
        }
    }

    /** A set whose template cannot be read stops itself alone; one that makes nothing would stop all of a cluster's types. */
    private static void template(ObjectNode typeBody, List<Violation> found) {
        if (!(typeBody.path("template") instanceof StringNode template)) {
            return;
        }
        String text = template.stringValue();
        if (text.getBytes(StandardCharsets.UTF_8).length > MAX_TEMPLATE) {
            found.add(new Violation(
                    "/template", "the template has more than " + MAX_TEMPLATE + " bytes", "make it smaller"));
            return;
        }
        if (!text.contains("inputs.items")) {
            found.add(new Violation(
                    "/template",
                    "the template makes nothing of the documents",
                    "go through them with << range $i := inputs.items >>"));
        }
        TemplateRules.faults(text).stream()
                .limit(MOST_FAULTS)
                .forEach(fault -> found.add(new Violation(
                        "/template",
                        "a line of the template " + fault,
                        "let each value be one action that ends in toJson, alone behind its key")));
    }

    private static void compile(ObjectNode schema, List<Violation> found) {
        SchemaCheck.checkSchema(schema).stream()
                .map(violation -> new Violation("/schema" + violation.pointer(), violation.detail(), violation.fix()))
                .forEach(found::add);
        if (!found.isEmpty()) {
            return;
        }
        try {
            SchemaCheck.compile(completed(schema));
        } catch (RuntimeException e) {
            found.add(new Violation(
                    "/schema",
                    "the schema cannot be used",
                    "look for references that lead nowhere and broken patterns"));
        }
    }

    /** With what every document has, and closed against unknown fields like the built-in types. */
    private static ObjectNode completed(ObjectNode schema) {
        ObjectNode whole = schema.deepCopy();
        ObjectNode properties =
                whole.path("properties") instanceof ObjectNode own ? own : whole.putObject("properties");
        Stream.of("id", "schema_version")
                .filter(field -> !properties.has(field))
                .forEach(field -> {
                    properties.set(field, BuiltInTypes.shared(field.equals("id") ? "name" : field));
                });
        ArrayNode required = whole.path("required") instanceof ArrayNode own ? own : whole.putArray("required");
        if (required.valueStream().noneMatch(field -> field.asString("").equals("id"))) {
            required.add("id");
        }
        if (!whole.has("additionalProperties") && !whole.has("unevaluatedProperties")) {
            boolean composed = Stream.of("allOf", "anyOf", "oneOf", "if", "$ref", "dependentSchemas")
                    .anyMatch(whole::has);
            whole.put(composed ? "unevaluatedProperties" : "additionalProperties", false);
        }
        return whole;
    }
}
