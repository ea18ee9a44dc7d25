package dev.homeport.server.admin.filter;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Where a value is: names separated by dots; lists are walked through, so that {@code platform_components.id} has many. */
public record FieldPath(List<String> names) {
    public FieldPath {
        names = List.copyOf(names);
    }

    public String root() {
        return names.getFirst();
    }

    /** All values at the path; may be empty. */
    List<JsonNode> values(JsonNode document) {
        List<JsonNode> found = new ArrayList<>();
        collect(document, 0, found);
        return found;
    }

    private void collect(JsonNode node, int depth, List<JsonNode> found) {
        if (node.isArray()) {
            node.forEach(element -> collect(element, depth, found));
        } else if (depth == names.size()) {
            if (!node.isMissingNode() && !node.isNull()) {
                found.add(node);
            }
        } else if (node.isObject()) {
            collect(node.path(names.get(depth)), depth + 1, found);
        }
    }

    /** The values as words to count by: an object in a list stands for its id. */
    public List<String> words(JsonNode document) {
        return values(document).stream()
                .map(value -> value.isObject() ? value.path("id").asString("") : value.asString(""))
                .filter(word -> !word.isEmpty())
                .distinct()
                .toList();
    }

    @Override
    public String toString() {
        return String.join(".", names);
    }
}
