package dev.homeport.fleet;

import dev.homeport.document.BrokenDocument;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The one function: a view and a cluster give the cluster's items. Pure; polls, previews, explain, plans and time travel are
 * this function on different views.
 */
public final class Resolver {
    private Resolver() {}

    public static Resolution resolve(FleetView view, Document cluster, TypeDefinition type) {
        return resolve(view, cluster, List.of(type)).getFirst();
    }

    /** One resolution per type, in the order asked for; the cluster's layers are read once. */
    public static List<Resolution> resolve(FleetView view, Document document, List<TypeDefinition> types) {
        try {
            return resolve(view, Cluster.of(document), types);
        } catch (BrokenDocument e) {
            return unknown(e, types);
        }
    }

    static List<Resolution> resolve(FleetView view, Cluster cluster, List<TypeDefinition> types) {
        List<Resolution> all = new ArrayList<>(types.size());
        try {
            LayerStack stack = LayerStack.of(view, cluster);
            for (TypeDefinition type : types) {
                all.add(resolve(view, stack, type));
            }
        } catch (Unresolved | BrokenDocument e) {
            return unknown(e, types);
        }
        return all;
    }

    /** What one cluster gets of one type in two views. */
    public record Both(Resolution before, Resolution after) {}

    /**
     * The same as resolving twice, for a cluster whose own document is the same in both views: where its layers are too, they
     * are read and merged once, and only items whose documents differ are made twice.
     */
    public static List<Both> resolveBoth(
            FleetView before, FleetView after, Document document, List<TypeDefinition> types) {
        List<Both> all = new ArrayList<>(types.size());
        try {
            Cluster cluster = Cluster.of(document);
            LayerStack stack = LayerStack.of(before, cluster);
            if (stack.isSameIn(after)) {
                for (TypeDefinition type : types) {
                    all.add(resolveBoth(before, after, stack, type));
                }
                return all;
            }
        } catch (Unresolved | BrokenDocument e) {
            // One of the two cannot be resolved; the code below finds out which one.
            all.clear();
        }
        List<Resolution> old = resolve(before, document, types);
        List<Resolution> now = resolve(after, document, types);
        for (int i = 0; i < types.size(); i++) {
            all.add(new Both(old.get(i), now.get(i)));
        }
        return all;
    }

    private static Both resolveBoth(FleetView before, FleetView after, LayerStack stack, TypeDefinition type) {
        List<MergedRef> refs = MergedRef.merge(stack, type.plural());
        List<Item> old = new ArrayList<>(refs.size());
        List<Item> now = new ArrayList<>(refs.size());
        for (MergedRef ref : refs) {
            Item item = item(before, stack, type, ref);
            boolean same = before.document(type.name(), ref.id()) == after.document(type.name(), ref.id());
            old.add(item);
            now.add(same ? item : item(after, stack, type, ref));
        }
        return new Both(new Resolution.Items(old), new Resolution.Items(now));
    }

    private static List<Resolution> unknown(RuntimeException reason, List<TypeDefinition> types) {
        return Collections.nCopies(types.size(), new Resolution.Unknown(String.valueOf(reason.getMessage())));
    }

    private static Resolution resolve(FleetView view, LayerStack stack, TypeDefinition type) {
        try {
            List<MergedRef> refs = MergedRef.merge(stack, type.plural());
            List<Item> items = new ArrayList<>(refs.size());
            for (MergedRef ref : refs) {
                items.add(item(view, stack, type, ref));
            }
            return new Resolution.Items(items);
        } catch (Unresolved | BrokenDocument e) {
            return new Resolution.Unknown(String.valueOf(e.getMessage()));
        }
    }

    private static Item item(FleetView view, LayerStack stack, TypeDefinition type, MergedRef ref) {
        Document document = view.document(type.name(), ref.id());
        if (document == null) {
            throw Unresolved.missing(stack.cluster().document().key(), new DocumentKey(type.name(), ref.id()));
        }
        return type.name().equals(Types.PLATFORM_COMPONENT)
                ? Component.of(document).item(stack, ref)
                : PlainItem.of(document).item(stack, ref);
    }
}
