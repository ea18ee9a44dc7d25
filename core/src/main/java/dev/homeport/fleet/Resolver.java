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
                : PlainItem.of(document);
    }
}
