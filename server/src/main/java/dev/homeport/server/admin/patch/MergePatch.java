package dev.homeport.server.admin.patch;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** RFC 7396: what is named replaces, null removes, arrays are replaced whole. It cannot set a null. */
public final class MergePatch {
    private MergePatch() {}

    public static ObjectNode apply(ObjectNode target, ObjectNode patch) {
        return (ObjectNode) merged(target, patch);
    }

    private static JsonNode merged(JsonNode target, JsonNode patch) {
        if (!(patch instanceof ObjectNode members)) {
            return patch;
        }
        ObjectNode result =
                target instanceof ObjectNode object ? object.deepCopy() : JsonNodeFactory.instance.objectNode();
        members.forEachEntry((name, value) -> {
            if (value.isNull()) {
                result.remove(name);
            } else {
                result.set(name, merged(result.path(name), value));
            }
        });
        return result;
    }
}
