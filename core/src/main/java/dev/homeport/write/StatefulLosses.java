package dev.homeport.write;

import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.Item;
import dev.homeport.fleet.ItemIdentity;
import dev.homeport.fleet.Resolution;
import dev.homeport.json.StrictJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/** Finds what a change takes away, or exposes to deletion, that holds data. */
final class StatefulLosses {
    private final TypeDefinition type;
    private final ItemIdentity identity;
    private final Supplier<Resolution> components;

    /** @param components what the cluster has of components before the change; asked for only when a namespace is at stake */
    StatefulLosses(TypeDefinition type, ItemIdentity identity, Supplier<Resolution> components) {
        this.type = type;
        this.identity = identity;
        this.components = components;
    }

    /**
     * One item that holds data.
     *
     * @param what in words, with the item's type and id
     * @param kept it stays on the cluster
     */
    record Loss(String what, boolean kept) {}

    List<Loss> of(List<ItemChange> changes) {
        List<Loss> losses = new ArrayList<>();
        for (ItemChange change : changes) {
            Item before = change.before();
            if (before == null || !isAtStake(change, before)) {
                continue;
            }
            if (identity.isStateful(before)) {
                losses.add(new Loss(type.name() + "/" + change.id() + ", which is stateful", change.kept()));
            } else if (type.name().equals(Types.NAMESPACE)) {
                Set<String> residents = residents(change.id(), change.kept());
                if (!residents.isEmpty()) {
                    losses.add(new Loss(
                            "namespace/" + change.id() + ", in which the stateful "
                                    + String.join(" and ", residents)
                                    + (residents.size() == 1 ? " lives" : " live"),
                            change.kept()));
                }
            }
        }
        return losses;
    }

    private boolean isAtStake(ItemChange change, Item before) {
        Item after = change.after();
        return before.enabled()
                && (change.kind() == ItemChange.Kind.REMOVED
                        || after != null && after.enabled() && identity.isExposed(before, after));
    }

    private Set<String> residents(String namespace, boolean kept) {
        Set<String> residents = new TreeSet<>();
        if (components.get() instanceof Resolution.Items items) {
            for (Item item : items.items()) {
                if (item.enabled() && item.guarded() && mayLiveIn(namespace, kept, item)) {
                    residents.add(Types.PLATFORM_COMPONENT + "/" + item.id());
                }
            }
        }
        return residents;
    }

    /**
     * A chart without a target namespace goes to one whose name contains the component's id (see {@link
     * dev.homeport.flux.Naming}). Where the objects of a kustomize component go is not known here, so every namespace that is
     * really deleted counts.
     */
    private static boolean mayLiveIn(String namespace, boolean kept, Item component) {
        ObjectNode body = StrictJson.read(component.setBytes());
        String target = body.path("target_namespace").stringValue("");
        if (!target.isEmpty()) {
            return target.equals(namespace);
        }
        boolean anywhere = !body.path("kind").stringValue("").equals("helm");
        return namespace.contains(component.id()) || anywhere && !kept;
    }
}
