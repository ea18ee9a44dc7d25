package dev.homeport.document;

import com.networknt.schema.Error;
import com.networknt.schema.path.NodePath;
import dev.homeport.problem.Violation;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Says in our words what the schema library found: where, what is wrong, and what would be right. */
final class SchemaWords {
    private static final int MAX_LISTED = 30;
    private static final String DEFINITIONS = "#/$defs/";

    private final ObjectNode schema;

    SchemaWords(ObjectNode schema) {
        this.schema = schema;
    }

    Violation violation(Error error) {
        String pointer = pointer(error.getInstanceLocation());
        JsonNode rules = rules(error);
        JsonNode rule = followed(rules.path(error.getKeyword()));
        JsonNode value = error.getInstanceNode();
        return switch (error.getKeyword()) {
            case "required" -> missing(pointer, error.getProperty(), rules);
            case "additionalProperties", "unevaluatedProperties" -> unknown(pointer, error.getProperty(), rules);
            case "type" -> wrongType(pointer, value, rule, rules);
            default ->
                new Violation(place(pointer, error), wrong(error, value, rule), hint(error.getKeyword(), rule, rules));
        };
    }

    private static Violation missing(String pointer, String property, JsonNode rules) {
        String meaning =
                rules.path("properties").path(property).path("description").asString("");
        return new Violation(
                Pointer.child(pointer, property),
                "the field " + Shown.text(property) + " is missing",
                "add " + Shown.text(property) + (meaning.isEmpty() ? "" : ": " + meaning));
    }

    private static Violation unknown(String pointer, String property, JsonNode rules) {
        JsonNode known = rules.path("properties");
        String listed = known.propertyNames().stream().limit(MAX_LISTED).collect(Collectors.joining(", "));
        String fix = Spelling.nearest(property, known.propertyNames())
                .map(near -> "did you mean " + near + "?")
                .orElse(listed.isEmpty() ? "remove it" : "remove it; known here: " + listed);
        return new Violation(
                Pointer.child(pointer, property), "there is no field " + Shown.text(property) + " here", fix);
    }

    private static Violation wrongType(String pointer, JsonNode value, JsonNode rule, JsonNode rules) {
        String wanted = rule.isArray()
                ? rule.valueStream().map(SchemaWords::withArticle).collect(Collectors.joining(" or "))
                : withArticle(rule);
        String given = withArticle(value.isIntegralNumber() ? "integer" : nameOf(value));
        return new Violation(
                pointer, "this is " + given + ", not " + wanted, hintOf(rules).orElse("give " + wanted));
    }

    private static String wrong(Error error, JsonNode value, JsonNode rule) {
        String shown = value.isString() ? "'" + Shown.text(value.stringValue()) + "'" : "the value";
        return switch (error.getKeyword()) {
            case "enum", "const" -> shown + " is not one of the allowed values";
            case "pattern" -> shown + " does not have the right form";
            case "format" ->
                shown + ": "
                        + Grammar.named(rule.asString(""))
                                .flatMap(grammar -> grammar.fault(value.asString("")))
                                .orElse("this is not a valid " + Shown.text(rule.asString("")));
            case "propertyNames" -> "the key '" + Shown.text(keyOf(error)) + "': " + keyFault(keyOf(error), rule);
            case "minLength" -> "the text is shorter than " + rule.asString() + " characters";
            case "maxLength" -> "the text is longer than " + rule.asString() + " characters";
            case "minimum", "exclusiveMinimum" -> "the number is below " + rule.asString();
            case "maximum", "exclusiveMaximum" -> "the number is above " + rule.asString();
            case "minItems" -> "the list has fewer than " + rule.asString() + " entries";
            case "maxItems" -> "the list has more than " + rule.asString() + " entries";
            case "minProperties" -> "the object has fewer than " + rule.asString() + " fields";
            case "maxProperties" -> "the object has more than " + rule.asString() + " fields";
            case "uniqueItems" -> "the list has the same entry twice (duplicate)";
            default -> "the value breaks the rule '" + Shown.text(error.getKeyword()) + "' of the type's schema";
        };
    }

    private static String hint(String keyword, JsonNode rule, JsonNode rules) {
        if (keyword.equals("propertyNames")) {
            return hintOf(rule).orElse("use another key");
        }
        return hintOf(rules)
                .orElse(
                        switch (keyword) {
                            case "enum" ->
                                "use one of "
                                        + rule.valueStream()
                                                .map(JsonNode::toString)
                                                .limit(MAX_LISTED)
                                                .collect(Collectors.joining(", "));
                            case "const" -> "use " + rule;
                            case "pattern" -> "the form is " + Shown.text(rule.asString(""));
                            case "minLength", "minimum", "minItems", "minProperties" ->
                                "give at least " + rule.asString();
                            case "maxLength", "maximum", "maxItems", "maxProperties" ->
                                "give at most " + rule.asString();
                            case "exclusiveMinimum" -> "give more than " + rule.asString();
                            case "exclusiveMaximum" -> "give less than " + rule.asString();
                            case "uniqueItems" -> "give every entry once";
                            default -> "look at the type's schema";
                        });
    }

    private static String keyFault(String key, JsonNode rule) {
        return Grammar.named(rule.path("format").asString(""))
                .flatMap(grammar -> grammar.fault(key))
                .orElse("this does not have the right form");
    }

    /** What a reference to a definition leads to. */
    private JsonNode followed(JsonNode rule) {
        String reference = rule.path("$ref").asString("");
        return reference.startsWith(DEFINITIONS)
                ? schema.path("$defs").path(reference.substring(DEFINITIONS.length()))
                : rule;
    }

    private static Optional<String> hintOf(JsonNode rules) {
        return Optional.of(rules.path("x-hint").asString("")).filter(hint -> !hint.isEmpty());
    }

    /** The schema object that holds the broken rule. */
    private JsonNode rules(Error error) {
        NodePath path = error.getSchemaLocation().getFragment().getParent();
        JsonNode at = schema;
        for (int i = 0; path != null && i < path.getNameCount(); i++) {
            Object element = path.getElement(i);
            at = element instanceof Integer index ? at.path(index) : at.path(element.toString());
        }
        return at;
    }

    private static String place(String pointer, Error error) {
        return error.getKeyword().equals("propertyNames") ? Pointer.child(pointer, keyOf(error)) : pointer;
    }

    private static String keyOf(Error error) {
        return error.getProperty() == null ? "" : error.getProperty();
    }

    private static String pointer(NodePath path) {
        String pointer = "";
        for (int i = 0; i < path.getNameCount(); i++) {
            Object element = path.getElement(i);
            pointer = element instanceof Integer index
                    ? Pointer.child(pointer, index)
                    : Pointer.child(pointer, element.toString());
        }
        return pointer;
    }

    private static String withArticle(JsonNode type) {
        return withArticle(type.asString(""));
    }

    private static String withArticle(String type) {
        return switch (type) {
            case "integer", "object", "array" -> "an " + type;
            case "null" -> type;
            default -> "a " + type;
        };
    }

    private static String nameOf(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT, POJO -> "object";
            case ARRAY -> "array";
            case STRING, BINARY -> "string";
            case NUMBER -> "number";
            case BOOLEAN -> "boolean";
            case NULL, MISSING -> "null";
        };
    }
}
