package dev.homeport.fleet;

import dev.homeport.document.Document;
import dev.homeport.document.PatchPath;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A catalog entry, read, with the encoded forms that clusters without values of their own share. */
public final class Component {
    /** Overrides are few per component; more than this many are rendered each time. */
    private static final int MAX_VARIANTS = 512;

    /** Patches of shared layers come in few combinations. Should there be too many, it starts afresh. */
    private static final int MAX_PATCHED = 2048;

    /** Fields that clusters are served as they are stored. */
    private static final List<String> SERVED = List.of(
            "cluster_env_enabled",
            "cluster_scoped",
            "component_version",
            "depends_on",
            "interval",
            "kind",
            "pull_secret",
            "secret_refs",
            "sops_secret",
            "stateful",
            "target_namespace",
            "timeout",
            "verify");

    private final Document document;
    private final ObjectNode served;
    private final String componentPath;
    private final String ociUrl;
    private final String ociTag;
    private final boolean environmentInPath;
    private final boolean stateful;
    private final boolean clusterScoped;
    private final boolean kustomize;
    private final List<String> dependsOn;
    private final List<String> rawPaths;
    private final SortedMap<String, JsonNode> defaults;
    private final boolean shareable;
    /** By environment, what clusters get that override nothing: nearly all of them. */
    private final Map<String, Item> plain = new ConcurrentHashMap<>();

    private final Map<Variant, Item> variants = new ConcurrentHashMap<>();
    private final Map<Variant, Frames> frames = new ConcurrentHashMap<>();
    private final Map<Patched, Item> patched = new ConcurrentHashMap<>();

    /** What decides an item's bytes when no values are involved. */
    private record Variant(
            String environment,
            boolean enabled,
            String componentPath,
            String ociTag,
            @Nullable String serviceAccount) {}

    private record Frames(Frame flat, Frame set) {}

    /** What decides them when values are. */
    private record Patched(Variant variant, SortedMap<String, JsonNode> leaves) {}

    private Component(Document document) {
        ObjectNode body = document.tree();
        this.document = document;
        this.componentPath = text(body, "component_path");
        this.ociUrl = text(body, "oci_url");
        this.ociTag = text(body, "oci_tag");
        this.environmentInPath = body.path("cluster_env_enabled").booleanValue(false);
        this.stateful = body.path("stateful").booleanValue(false);
        this.clusterScoped = body.path("cluster_scoped").booleanValue(false);
        this.kustomize = !body.path("kind").stringValue("kustomize").equals("helm");
        this.dependsOn = texts(body.path("depends_on"));
        this.rawPaths = texts(body.path("raw_paths"));
        this.defaults = body.get("values") instanceof ObjectNode values
                ? PatchPath.leavesOfValues(values)
                : Collections.emptySortedMap();
        this.shareable = defaults.values().stream().noneMatch(ClusterValues::mentioned);
        body.retain(SERVED);
        body.put("id", document.id());
        body.put("kind", kustomize ? "kustomize" : "helm");
        body.put("cluster_env_enabled", environmentInPath);
        if (!body.has("depends_on")) {
            body.putArray("depends_on");
        }
        this.served = body;
    }

    public static Component of(Document document) {
        return document.derive(Component::new);
    }

    public List<String> dependsOn() {
        return dependsOn;
    }

    public SortedMap<String, JsonNode> defaults() {
        return Collections.unmodifiableSortedMap(defaults);
    }

    String componentPath() {
        return componentPath;
    }

    String ociTag() {
        return ociTag;
    }

    String resolvedPath(String path, String environment) {
        return environmentInPath ? path + "/" + environment : path;
    }

    Item item(LayerStack stack, MergedRef ref) {
        if (!shareable || ref.patched()) {
            return patchedItem(stack, ref);
        }
        String environment = stack.cluster().environment();
        boolean isPlain = ref.isPlain() && account(stack, ref) == null;
        Item plainItem = isPlain ? plain.get(environment) : null;
        if (plainItem != null) {
            return plainItem;
        }
        Variant variant = variant(stack, ref);
        Item known = variants.get(variant);
        if (known == null) {
            known = item(variant, defaults);
            if (variants.size() < MAX_VARIANTS) {
                variants.put(variant, known);
            }
        }
        if (isPlain && plain.size() < MAX_VARIANTS) {
            plain.put(environment, known);
        }
        return known;
    }

    private Item patchedItem(LayerStack stack, MergedRef ref) {
        SortedMap<String, JsonNode> leaves = MergedPatches.merge(defaults, stack, document.id());
        Variant variant = variant(stack, ref);
        // What a cluster says itself is mostly its own; what its workspace says is the same for many.
        boolean own = stack.cluster().layer().patches().containsKey(document.id());
        if (own || !shareable) {
            return filled(stack, variant, leaves);
        }
        Patched key = new Patched(variant, leaves);
        Item known = patched.get(key);
        if (known == null) {
            known = filled(stack, variant, leaves);
            if (leaves.values().stream().noneMatch(ClusterValues::mentioned)) {
                if (patched.size() >= MAX_PATCHED) {
                    patched.clear();
                }
                patched.put(key, known);
            }
        }
        return known;
    }

    private Item filled(LayerStack stack, Variant variant, SortedMap<String, JsonNode> leaves) {
        SortedMap<String, JsonNode> filled = ClusterValues.fill(leaves, stack.cluster(), document.key());
        if (kustomize) {
            KustomizeValues.check(filled, rawPaths, document.key());
        }
        return item(variant, filled);
    }

    /** What concerns a whole cluster is never a tenant's. */
    private @Nullable String account(LayerStack stack, MergedRef ref) {
        return clusterScoped ? null : stack.accountFor(ref);
    }

    private Variant variant(LayerStack stack, MergedRef ref) {
        String path = ref.componentPath();
        String tag = ref.ociTag();
        return new Variant(
                stack.cluster().environment(),
                ref.enabled(),
                path == null ? componentPath : path,
                tag == null ? ociTag : tag,
                account(stack, ref));
    }

    private Item item(Variant variant, SortedMap<String, JsonNode> leaves) {
        Frames shared = frames.get(variant);
        if (shared == null) {
            shared = frames(variant);
            if (frames.size() < MAX_VARIANTS) {
                frames.put(variant, shared);
            }
        }
        return new Item(
                document.id(),
                variant.enabled(),
                stateful,
                dependsOn,
                shared.flat(),
                shared.set(),
                new Fill(leaves, kustomize));
    }

    private Frames frames(Variant variant) {
        ObjectNode set = served.deepCopy();
        set.put("component_path", variant.componentPath());
        set.put("resolved_path", resolvedPath(variant.componentPath(), variant.environment()));
        set.putObject("source").put("oci_tag", variant.ociTag()).put("oci_url", ociUrl);
        String account = variant.serviceAccount();
        if (account != null) {
            set.put("service_account", account);
        }
        ObjectNode flat = set.deepCopy().put("enabled", variant.enabled());
        return new Frames(Frame.around(flat, "patches"), Frame.around(set, "values"));
    }

    private static String text(ObjectNode body, String field) {
        return body.path(field).stringValue("");
    }

    private static List<String> texts(@Nullable JsonNode array) {
        List<String> all = new ArrayList<>();
        if (array != null) {
            array.forEach(text -> all.add(text.stringValue()));
        }
        return List.copyOf(all);
    }
}
