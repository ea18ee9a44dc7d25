package dev.homeport.document;

import dev.homeport.problem.Violation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Values and patches of a kustomize component become variables of Flux's post-build substitution: a flat map of words to
 * strings, in which <code>${</code> would be substituted once more.
 */
final class KustomizeRules {
    private static final Pattern KEY = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private KustomizeRules() {}

    /**
     * Checks one component's values or patches.
     *
     * @param rawPaths the catalog's {@code raw_paths}
     * @param pointer where the values are in their document
     */
    static List<Violation> check(ObjectNode values, Collection<String> rawPaths, String pointer) {
        List<Violation> found = new ArrayList<>();
        values.forEachEntry((key, value) -> {
            String at = Pointer.child(pointer, key);
            if (!KEY.matcher(key).matches()) {
                found.add(new Violation(
                        at,
                        "'" + Shown.text(key) + "' is not a variable's name",
                        "a kustomize component takes letters, digits and underscores, not beginning with a digit"));
            } else if (!PatchLeaves.isLeaf(value) || value.isArray() || isEmptyObject(value)) {
                found.add(new Violation(
                        at, "a kustomize component takes no lists or objects", "give a string, number or boolean"));
            } else if (value.asString("").contains("${") && !rawPaths.contains(key)) {
                found.add(new Violation(
                        at,
                        "the value has ${, which Flux would substitute",
                        "list the key in the component's raw_paths"));
            }
        });
        return found;
    }

    private static boolean isEmptyObject(JsonNode value) {
        return value.isObject() && value.isEmpty();
    }
}
