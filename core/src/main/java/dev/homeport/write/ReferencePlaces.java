package dev.homeport.write;

import dev.homeport.document.Document;
import dev.homeport.document.Pointer;
import dev.homeport.document.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Where in a document it refers to others, so that an error can point at it. */
final class ReferencePlaces {
    private static final Map<String, String> LISTS = Map.of(
            "platform_components", "platform-components", "namespaces", "namespaces", "rolebindings", "rolebindings");
    private static final Map<String, String> FIELDS =
            Map.of("environment", "environments", "workspace", "workspaces", "template", "cluster-templates");

    private ReferencePlaces() {}

    /** A reference to {@code plural/id} at a pointer; {@code through} is the word for how it refers, empty for plainly. */
    record Place(String pointer, String plural, String id, String through) {}

    static List<Place> of(Document document) {
        List<Place> places = new ArrayList<>();
        ObjectNode body = document.tree();
        switch (document.type()) {
            case Types.CLUSTER -> {
                FIELDS.forEach((field, plural) -> {
                    if (body.path(field).isString()) {
                        places.add(
                                new Place("/" + field, plural, body.get(field).stringValue(), ""));
                    }
                });
                layer(body, "", places);
            }
            case Types.ENVIRONMENT -> layer(body, "", places);
            case Types.WORKSPACE, Types.CLUSTER_TEMPLATE -> {
                layer(body, "", places);
                body.path("by_environment").forEachEntry((environment, layer) -> {
                    String pointer = Pointer.child("/by_environment", environment);
                    places.add(new Place(pointer, "environments", environment, ""));
                    layer(layer, pointer, places);
                });
            }
            case Types.FREEZE, Types.PROBE -> scope(body, places);
            case Types.ACCESS_GRANT -> {
                places.add(new Place("/role", "access-roles", body.path("role").stringValue(""), ""));
                scope(body, places);
            }
            default -> {}
        }
        return places;
    }

    private static void scope(JsonNode body, List<Place> places) {
        body.path("scope").forEachEntry((part, id) -> {
            if (id.isString()) {
                places.add(new Place("/scope/" + part, part + "s", id.stringValue(), ""));
            }
        });
    }

    private static void layer(JsonNode layer, String pointer, List<Place> places) {
        LISTS.forEach((field, plural) -> list(layer.path(field), pointer + "/" + field, plural, places));
        layer.path("refs")
                .forEachEntry((plural, refs) -> list(refs, Pointer.child(pointer + "/refs", plural), plural, places));
        for (String field : List.of("patches", "patches_removed", "patch_info")) {
            layer.path(field)
                    .forEachEntry((component, paths) -> places.add(new Place(
                            Pointer.child(pointer + "/" + field, component),
                            "platform-components",
                            component,
                            field + " references ")));
        }
    }

    private static void list(JsonNode refs, String pointer, String plural, List<Place> places) {
        for (int i = 0; i < refs.size(); i++) {
            String id = refs.get(i).path("id").stringValue("");
            places.add(new Place(Pointer.child(pointer, i) + "/id", plural, id, ""));
        }
    }
}
