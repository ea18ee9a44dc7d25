package dev.homeport.fleet;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the layers say together about one item. */
final class MergedRef {
    private final String id;
    private boolean assigned;
    private boolean tenants;
    private boolean patched;
    private @Nullable Boolean enabled;
    private @Nullable String componentPath;
    private @Nullable String ociTag;

    private MergedRef(String id) {
        this.id = id;
    }

    String id() {
        return id;
    }

    boolean enabled() {
        return enabled == null || enabled;
    }

    /** A layer that a tenant may have written speaks of it. */
    boolean isTenants() {
        return tenants;
    }

    /** Whether any layer says something about the item's values. */
    boolean patched() {
        return patched;
    }

    /** Overrides nothing. */
    boolean isPlain() {
        return enabled() && componentPath == null && ociTag == null;
    }

    @Nullable
    String componentPath() {
        return componentPath;
    }

    @Nullable
    String ociTag() {
        return ociTag;
    }

    /** All assigned items of a type, ordered by id. */
    static List<MergedRef> merge(LayerStack stack, String plural) {
        List<MergedRef> merged = List.of();
        for (LayerSource source : stack.sources()) {
            Ref[] refs = source.layer().refs(plural);
            if (refs.length > 0) {
                merged = merge(merged, refs, source.kind().isTenants());
            }
        }
        for (LayerSource source : stack.sources()) {
            markPatched(merged, source.layer().patches().keySet());
        }
        for (MergedRef ref : merged) {
            if (!ref.assigned) {
                return merged.stream().filter(kept -> kept.assigned).toList();
            }
        }
        return merged;
    }

    /** Most layers patch little, so what they patch is looked for in the list, and not the other way round. */
    private static void markPatched(List<MergedRef> merged, Set<String> patched) {
        if (patched.size() > merged.size()) {
            merged.forEach(ref -> ref.patched |= patched.contains(ref.id));
            return;
        }
        for (String id : patched) {
            int low = 0;
            int high = merged.size() - 1;
            while (low <= high) {
                int middle = (low + high) >>> 1;
                int order = merged.get(middle).id.compareTo(id);
                if (order == 0) {
                    merged.get(middle).patched = true;
                    break;
                }
                low = order < 0 ? middle + 1 : low;
                high = order < 0 ? high : middle - 1;
            }
        }
    }

    private static List<MergedRef> merge(List<MergedRef> earlier, Ref[] later, boolean tenants) {
        List<MergedRef> all = new ArrayList<>(earlier.size() + later.length);
        int at = 0;
        for (Ref ref : later) {
            while (at < earlier.size() && earlier.get(at).id.compareTo(ref.id()) < 0) {
                all.add(earlier.get(at++));
            }
            boolean known = at < earlier.size() && earlier.get(at).id.equals(ref.id());
            MergedRef target = known && !ref.remove() ? earlier.get(at) : new MergedRef(ref.id());
            at += known ? 1 : 0;
            target.apply(ref);
            target.tenants |= tenants;
            all.add(target);
        }
        while (at < earlier.size()) {
            all.add(earlier.get(at++));
        }
        return all;
    }

    private void apply(Ref ref) {
        if (ref.remove()) {
            return;
        }
        assigned |= ref.assign();
        enabled = ref.enabled() == null ? enabled : ref.enabled();
        componentPath = ref.componentPath() == null ? componentPath : ref.componentPath();
        ociTag = ref.ociTag() == null ? ociTag : ref.ociTag();
    }
}
