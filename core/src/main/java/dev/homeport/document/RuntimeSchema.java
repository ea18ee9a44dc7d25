package dev.homeport.document;

import dev.homeport.problem.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.PatternSyntaxException;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a user's schema may not do: point outside of itself, refer to itself, grow without bound when its references are
 * followed, or contain patterns whose cost is unknown.
 */
final class RuntimeSchema {
    private static final int MAX_PATTERN = 200;
    private static final long MAX_EXPANDED = 20_000;
    private static final Set<String> FORBIDDEN =
            Set.of("$id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$vocabulary", "id");

    private final ObjectNode schema;
    private final String root;
    private final List<Violation> found = new ArrayList<>();
    private final Map<String, Long> sizes = new HashMap<>();
    private final Set<String> open = new HashSet<>();

    private RuntimeSchema(ObjectNode schema, String root) {
        this.schema = schema;
        this.root = root;
    }

    static List<Violation> check(ObjectNode schema, String pointer) {
        RuntimeSchema rules = new RuntimeSchema(schema, pointer);
        rules.visit(schema, pointer, Keys.KEYWORDS);
        if (rules.found.isEmpty() && rules.expanded(schema) > MAX_EXPANDED) {
            rules.add(pointer, "the schema is too large when its references are followed", "use fewer references");
        }
        return rules.found;
    }

    /** Whether the keys of an object are keywords of a schema or names that the user chose. */
    private enum Keys {
        KEYWORDS,
        NAMES,
        PATTERNS,
        DATA;

        Keys below(String key) {
            return switch (this) {
                case DATA -> DATA;
                case NAMES, PATTERNS -> KEYWORDS;
                case KEYWORDS ->
                    switch (key) {
                        case "properties", "$defs", "definitions", "dependentSchemas" -> NAMES;
                        case "patternProperties" -> PATTERNS;
                        case "enum", "const", "default", "examples", "required", "dependentRequired" -> DATA;
                        default -> KEYWORDS;
                    };
            };
        }
    }

    private void visit(JsonNode node, String pointer, Keys keys) {
        if (node.isObject()) {
            node.forEachEntry((key, value) -> {
                String at = Pointer.child(pointer, key);
                if (keys == Keys.KEYWORDS) {
                    keyword(key, value, at);
                } else if (keys == Keys.PATTERNS) {
                    pattern(key, at);
                }
                visit(value, at, keys.below(key));
            });
        } else if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                visit(node.path(i), Pointer.child(pointer, i), keys);
            }
        }
    }

    private void keyword(String key, JsonNode value, String at) {
        if (FORBIDDEN.contains(key)) {
            add(at, "a type's schema may not use " + key, "remove it; refer with $ref to #/$defs/…");
        } else if (key.equals("$schema")
                && !value.asString("").equals("https://json-schema.org/draft/2020-12/schema")) {
            add(at, "only JSON Schema 2020-12 is understood", "leave $schema out");
        } else if (key.equals("$ref")) {
            reference(value.asString(""), at);
        } else if (key.equals("pattern")) {
            pattern(value.asString(""), at);
        }
    }

    private void reference(String target, String at) {
        if (!target.startsWith("#/$defs/") || target(target).isMissingNode()) {
            add(at, "the reference does not lead to a definition of this schema", "use #/$defs/… and define it");
        }
    }

    private void pattern(String pattern, String at) {
        if (pattern.length() > MAX_PATTERN) {
            add(at, "the pattern is longer than " + MAX_PATTERN + " characters", "use a simpler pattern");
            return;
        }
        try {
            new BoundedRegex(pattern);
        } catch (PatternSyntaxException e) {
            add(at, "the pattern is not a regular expression", "correct it");
        }
    }

    /** Number of values when every reference is followed; reports references that come back to themselves. */
    private long expanded(JsonNode node) {
        long size = 1;
        for (JsonNode child : node) {
            size = Math.min(MAX_EXPANDED + 1, size + expanded(child));
        }
        String reference = node.path("$ref").asString("");
        if (!reference.startsWith("#/$defs/")) {
            return size;
        }
        if (!open.add(reference)) {
            add(root, "the definition " + Shown.text(reference) + " refers to itself", "write it without recursion");
            return size;
        }
        Long known = sizes.get(reference);
        long target = known != null ? known : expanded(target(reference));
        sizes.put(reference, target);
        open.remove(reference);
        return Math.min(MAX_EXPANDED + 1, size + target);
    }

    private JsonNode target(String reference) {
        try {
            return schema.at(JsonPointer.compile(reference.substring(1)));
        } catch (IllegalArgumentException e) {
            return schema.path("");
        }
    }

    private void add(String pointer, String detail, String fix) {
        found.add(new Violation(pointer, detail, fix));
    }
}
