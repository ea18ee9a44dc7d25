package dev.homeport.cli.change;

import dev.homeport.cli.select.Kind;
import java.util.List;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Overrides of a component in documents that have layers. A document that assigns the component itself goes on doing so; one
 * that does not only overrides.
 */
public final class Overrides {
    private static final List<String> FIELDS =
            List.of("enabled", "component_path", "oci_tag", "owner", "reason", "expires_at");
    private static final String LIST = "platform_components";

    private Overrides() {}

    /** An operation for each document, which holds only while the document is the one that was looked at. */
    public static ArrayNode set(List<JsonNode> documents, String component, ObjectNode override) {
        ArrayNode operations = JsonMapper.shared().createArrayNode();
        for (JsonNode document : documents) {
            ObjectNode element = JsonMapper.shared().createObjectNode().put("id", component);
            if (reference(document, component).isMissingNode()) {
                element.put("assign", false);
            }
            element.setAll(override);
            merge(operations, document, element);
        }
        return operations;
    }

    /** Takes overrides away; an element that does nothing else goes whole. */
    public static ArrayNode drop(List<JsonNode> documents, String component, Predicate<JsonNode> spent) {
        ArrayNode operations = JsonMapper.shared().createArrayNode();
        for (JsonNode document : documents) {
            JsonNode known = reference(document, component);
            boolean overrides = FIELDS.subList(0, 3).stream().anyMatch(known::has);
            if (!overrides || known.path("remove").asBoolean(false) || !spent.test(known)) {
                continue;
            }
            ObjectNode element = JsonMapper.shared().createObjectNode().put("id", component);
            if (known.path("assign").asBoolean(true)) {
                FIELDS.stream().filter(known::has).forEach(element::putNull);
            } else {
                element.put("$remove", true);
            }
            merge(operations, document, element);
        }
        return operations;
    }

    private static void merge(ArrayNode operations, JsonNode document, ObjectNode element) {
        operations
                .addObject()
                .put("op", "merge")
                .put("type", document.path("type").asString(""))
                .put("id", document.path("id").asString(""))
                .put("if_revision", document.path("meta").path("revision").asLong(0))
                .set("patch", AssignOptions.patch(Kind.COMPONENT, element));
    }

    public static JsonNode reference(JsonNode document, String component) {
        for (JsonNode element : document.path("spec").path(LIST)) {
            if (element.path("id").asString("").equals(component)) {
                return element;
            }
        }
        return JsonMapper.shared().missingNode();
    }
}
