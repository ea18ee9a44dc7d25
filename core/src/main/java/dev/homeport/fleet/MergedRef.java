package dev.homeport.fleet;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the layers say together about one item. */
final class MergedRef {
    private final String id;
    private boolean assigned;
    private boolean tenants;
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
        for (MergedRef ref : merged) {
            if (!ref.assigned) {
                return merged.stream().filter(kept -> kept.assigned).toList();
            }
        }
        return merged;
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
