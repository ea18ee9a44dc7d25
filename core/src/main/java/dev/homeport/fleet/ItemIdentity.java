package dev.homeport.fleet;

import dev.homeport.document.TemplateFields;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.json.CanonicalJson;
import dev.homeport.json.StrictJson;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.node.ObjectNode;

/**
 * Whether two versions of an item are the same objects on a cluster. Where they are not, Flux removes the old ones and makes
 * new ones: helm-controller uninstalls a release whose chart, target or storage namespace is another one, and
 * kustomize-controller prunes what moves to another namespace.
 */
public final class ItemIdentity {
    private final String type;
    private final Set<String> fields;
    /** Frames are shared by clusters, so each is read once for a plan. */
    private final Map<Frame, Traits> known = new ConcurrentHashMap<>();

    private record Traits(String identity, boolean kept, boolean stateful) {}

    /** @param versions the type, as it was and as it is */
    public ItemIdentity(TypeDefinition... versions) {
        this.type = versions[0].name();
        this.fields = new TreeSet<>();
        for (TypeDefinition version : versions) {
            fields.addAll(TemplateFields.identifying(version));
        }
    }

    /** Asked about versions that are both enabled. */
    public boolean isSame(Item before, Item after) {
        return before.set() == after.set()
                || traits(before).identity().equals(traits(after).identity());
    }

    /** It stays, and loses what keeps Flux from deleting it later. */
    public boolean isExposed(Item before, Item after) {
        return before.set() != after.set()
                && (before.guarded() && !after.guarded()
                        || traits(before).kept() && !traits(after).kept());
    }

    /** Losing it may lose data. */
    public boolean isStateful(Item item) {
        return item.guarded() && traits(item).stateful();
    }

    /** Flux leaves it on the cluster when it is no longer in the answer: the templates forbid pruning it. */
    public boolean isKept(Item item) {
        return switch (type) {
            case Types.PLATFORM_COMPONENT -> isStateful(item);
            case Types.NAMESPACE -> traits(item).kept();
            default -> false;
        };
    }

    private Traits traits(Item item) {
        return known.computeIfAbsent(item.set(), frame -> {
            ObjectNode body = StrictJson.read(item.setBytes());
            boolean kept = body.path("keep").booleanValue(false);
            boolean stateful = body.path("stateful").booleanValue(false);
            return new Traits(identity(body), kept, stateful);
        });
    }

    private String identity(ObjectNode body) {
        return switch (type) {
            case Types.PLATFORM_COMPONENT -> component(body);
            case Types.NAMESPACE -> "";
            // A binding's role cannot be changed: it is deleted and created.
            case Types.ROLEBINDING -> only(body, Set.of("namespace", "role", "role_kind"));
            default -> only(body, fields);
        };
    }

    private static String component(ObjectNode body) {
        String kind = body.path("kind").stringValue("");
        String identity = kind + " in " + body.path("target_namespace").stringValue("");
        return kind.equals("helm") ? identity + " of " + chart(body) : identity;
    }

    /** helm-controller compares the chart's own name, which is the last part of its address in a registry. */
    private static String chart(ObjectNode body) {
        String url = body.path("source").path("oci_url").stringValue("");
        return url.startsWith("oci://")
                ? url.substring(url.lastIndexOf('/') + 1)
                : body.path("component_path").stringValue("");
    }

    private static String only(ObjectNode body, Set<String> fields) {
        return CanonicalJson.text(body.deepCopy().retain(fields));
    }
}
