package dev.homeport.write;

import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.Cluster;
import dev.homeport.fleet.Layer;
import dev.homeport.fleet.Ref;
import dev.homeport.fleet.SharedLayer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Paths and tags that a component does not list among its versions are probably not in the artifact. */
final class Versions {
    private static final int SHOWN = 20;

    private Versions() {}

    static List<String> warnings(Draft draft, Map<DocumentKey, Optional<Document>> changes) {
        List<String> warnings = new ArrayList<>();
        changes.forEach((key, after) -> {
            if (after.isEmpty() || warnings.size() >= SHOWN) {
                return;
            }
            Document document = after.get();
            switch (key.type()) {
                case Types.PLATFORM_COMPONENT -> {
                    JsonNode body = document.tree();
                    check(key, body, body.path("component_path").stringValue(""), "component_path", warnings);
                    check(key, body, body.path("oci_tag").stringValue(""), "oci_tag", warnings);
                }
                case Types.CLUSTER -> checkLayer(key, Cluster.of(document).layer(), draft, warnings);
                case Types.ENVIRONMENT, Types.WORKSPACE, Types.CLUSTER_TEMPLATE -> {
                    SharedLayer shared = SharedLayer.of(document);
                    checkLayer(key, shared.layer(), draft, warnings);
                    shared.byEnvironment().values().forEach(layer -> checkLayer(key, layer, draft, warnings));
                }
                default -> {}
            }
        });
        return warnings;
    }

    private static void checkLayer(DocumentKey key, Layer layer, Draft draft, List<String> warnings) {
        for (Ref ref : layer.refs("platform-components")) {
            Document component = ref.componentPath() == null && ref.ociTag() == null
                    ? null
                    : draft.document(Types.PLATFORM_COMPONENT, ref.id());
            if (component != null) {
                check(key, component.tree(), ref.componentPath(), "component_path", warnings);
                check(key, component.tree(), ref.ociTag(), "oci_tag", warnings);
            }
        }
    }

    private static void check(
            DocumentKey key, JsonNode component, @Nullable String value, String field, List<String> warnings) {
        List<String> known = new ArrayList<>();
        component.path("versions").forEach(version -> {
            if (version.has(field)) {
                known.add(version.get(field).stringValue());
            }
        });
        if (value != null && !known.isEmpty() && !known.contains(value)) {
            warnings.add(key + " sets " + field + " " + value + " of "
                    + component.path("id").stringValue("") + ", which is not among its declared versions: "
                    + String.join(", ", known));
        }
    }
}
