package dev.homeport.fleet;

import dev.homeport.document.DocumentKey;
import dev.homeport.json.CanonicalJson;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Post-build substitution knows variables and text, nothing else. */
public final class KustomizeValues {
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private KustomizeValues() {}

    /** Throws {@link Unresolved} for what the substitution could not take. */
    static void check(SortedMap<String, JsonNode> leaves, List<String> rawPaths, DocumentKey component) {
        leaves.forEach((path, value) -> {
            if (!VARIABLE.matcher(path).matches()) {
                throw new Unresolved("the patch " + path + " of " + component
                        + " is not a variable name, which a kustomize component needs (letters, digits, _)");
            }
            if (value.isContainer()) {
                throw new Unresolved("the patch " + path + " of " + component
                        + " is not a string, number or boolean, which a kustomize component needs");
            }
            if (value.isString() && value.stringValue().contains("${") && !rawPaths.contains(path)) {
                throw new Unresolved("the patch " + path + " of " + component
                        + " contains ${, which would be substituted again; list it in raw_paths if that is meant");
            }
        });
    }

    static SortedMap<String, JsonNode> asText(SortedMap<String, JsonNode> leaves) {
        SortedMap<String, JsonNode> all = new TreeMap<>();
        leaves.forEach((path, value) -> all.put(
                path, value.isString() ? value : JsonNodeFactory.instance.stringNode(CanonicalJson.text(value))));
        return all;
    }
}
