package dev.homeport.fleet;

import dev.homeport.document.Document;
import dev.homeport.document.PatchPath;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A document without what has run out at a time. The document itself running out is not looked at here. */
public final class Expired {
    private static final List<String> OVERRIDES = List.of("enabled", "component_path", "oci_tag");
    private static final List<String> NOTES = List.of("owner", "reason", "expires_at");

    private final Instant now;

    private Expired(Instant now) {
        this.now = now;
    }

    public static ObjectNode without(Document document, Instant now) {
        ObjectNode body = document.tree();
        Expired expired = new Expired(now);
        expired.layer(body);
        body.path("by_environment").forEach(layer -> expired.layer((ObjectNode) layer));
        expired.aliases(body);
        return body;
    }

    boolean isDue(JsonNode holder) {
        String time = holder.path("expires_at").stringValue("");
        return !time.isEmpty() && !Instant.parse(time).isAfter(now);
    }

    private void layer(ObjectNode layer) {
        for (String list : List.of("platform_components", "namespaces", "rolebindings")) {
            refs(layer.path(list));
        }
        layer.path("refs").forEach(this::refs);
        layer.path("patch_info").forEachEntry((component, infos) -> patches(layer, component, (ObjectNode) infos));
    }

    private void refs(JsonNode list) {
        Iterator<JsonNode> all = list.iterator();
        while (all.hasNext()) {
            if (all.next() instanceof ObjectNode ref && isDue(ref) && !becomesPlain(ref)) {
                all.remove();
            }
        }
    }

    /** An override that ends leaves a plain assignment; a temporary assignment, removal or override elsewhere goes whole. */
    private static boolean becomesPlain(ObjectNode ref) {
        boolean assigns =
                ref.path("assign").booleanValue(true) && !ref.path("remove").booleanValue(false);
        boolean overrides = OVERRIDES.stream().anyMatch(ref::has);
        ref.remove(OVERRIDES);
        ref.remove(NOTES);
        return assigns && overrides;
    }

    private void patches(ObjectNode layer, String component, ObjectNode infos) {
        for (String path : new ArrayList<>(infos.propertyNames())) {
            if (isDue(infos.get(path))) {
                infos.remove(path);
                if (layer.path("patches").path(component) instanceof ObjectNode patches) {
                    removeLeaf(patches, path);
                }
            }
        }
    }

    /** The leaf may be spelled as one key, as nested objects, or as a mixture. */
    private static void removeLeaf(ObjectNode patches, String path) {
        if (patches.remove(path) != null) {
            return;
        }
        for (String key : new ArrayList<>(patches.propertyNames())) {
            if (PatchPath.isBelow(path, key) && patches.get(key) instanceof ObjectNode below) {
                List<String> rest = PatchPath.segments(path.substring(key.length() + 1));
                removeNested(below, rest);
                if (below.isEmpty()) {
                    patches.remove(key);
                }
            }
        }
    }

    private static void removeNested(ObjectNode object, List<String> segments) {
        String first = segments.getFirst();
        if (segments.size() == 1) {
            object.remove(first);
        } else if (object.get(first) instanceof ObjectNode below) {
            removeNested(below, segments.subList(1, segments.size()));
            if (below.isEmpty()) {
                object.remove(first);
            }
        }
    }

    private void aliases(ObjectNode body) {
        if (body.path("dns_aliases") instanceof ArrayNode aliases) {
            Iterator<JsonNode> all = aliases.iterator();
            while (all.hasNext()) {
                if (isDue(all.next())) {
                    all.remove();
                }
            }
        }
    }
}
