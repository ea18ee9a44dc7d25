package dev.homeport.fleet;

import dev.homeport.json.CanonicalJson;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The variable parts of an item: a component's values, in the form of each wire shape. Computed when needed. */
final class Fill {
    static final Fill NOTHING = new Fill(Collections.emptySortedMap(), false);

    private static final byte[] NO_BYTES = {};

    private final SortedMap<String, JsonNode> leaves;
    private final boolean asText;

    private byte @Nullable [] flat;
    private byte @Nullable [] nested;

    /** @param asText Kustomize substitutes text, so its values travel as strings */
    Fill(SortedMap<String, JsonNode> leaves, boolean asText) {
        this.leaves = leaves;
        this.asText = asText;
    }

    /** The leaves as they are, path by path. */
    byte[] flat() {
        byte[] known = flat;
        if (known == null) {
            known = this == NOTHING ? NO_BYTES : bytes(leaves);
            flat = known;
        }
        return known;
    }

    /** The object that has these leaves. */
    byte[] nested() {
        byte[] known = nested;
        if (known == null) {
            known = this == NOTHING ? NO_BYTES : nest();
            nested = known;
        }
        return known;
    }

    boolean sameAs(Fill other) {
        return this == other || asText == other.asText && leaves.equals(other.leaves);
    }

    /** At least as long as either form, found without making them. */
    long bound() {
        long bound = 2;
        for (Map.Entry<String, JsonNode> leaf : leaves.entrySet()) {
            JsonNode value = leaf.getValue();
            long length = value.isString()
                    ? value.stringValue().length()
                    : value.isContainer() ? CanonicalJson.text(value).length() : 32;
            // Six bytes are the most that a character can take; nesting adds a quoted key and three signs per segment.
            bound += 12L * leaf.getKey().length() + 6 * length + 16;
        }
        return bound;
    }

    private byte[] nest() {
        SortedMap<String, JsonNode> values = asText ? KustomizeValues.asText(leaves) : leaves;
        boolean plain = true;
        for (String path : values.keySet()) {
            plain &= path.indexOf('.') < 0 && path.indexOf('\\') < 0;
        }
        return plain ? bytes(values) : NestedValues.bytes(values);
    }

    /** Sorted paths are sorted keys, so this is canonical. */
    private static byte[] bytes(SortedMap<String, JsonNode> leaves) {
        Bytes out = new Bytes(256);
        char separator = '{';
        for (Map.Entry<String, JsonNode> leaf : leaves.entrySet()) {
            out.add(separator).quoted(leaf.getKey()).add(':').value(leaf.getValue());
            separator = ',';
        }
        return out.add(leaves.isEmpty() ? "{}" : "}").toArray();
    }
}
