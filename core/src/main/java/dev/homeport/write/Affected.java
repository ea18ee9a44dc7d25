package dev.homeport.write;

import dev.homeport.document.DocumentKey;
import dev.homeport.document.TypeCatalog;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.FleetSettings;
import dev.homeport.snapshot.Snapshot;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which clusters, and which types of their answers, a set of changed documents can touch. Found through the reverse indexes,
 * so the work is in proportion to what is touched.
 */
public record Affected(List<String> clusters, List<TypeDefinition> types) {

    static Affected by(Collection<DocumentKey> changed, Draft draft) {
        Affected found = by(changed, draft.before(), draft.types());
        return FleetSettings.isReformatted(draft.before(), draft) ? found.andAllOthers(draft) : found;
    }

    private Affected andAllOthers(Draft draft) {
        Set<String> all = new TreeSet<>(clusters);
        draft.before().all(Types.CLUSTER).values().forEach(cluster -> all.add(cluster.id()));
        Set<String> names = new TreeSet<>(draft.before().types().itemTypes());
        names.addAll(draft.types().itemTypes());
        return new Affected(List.copyOf(all), definitions(names, draft.before().types(), draft.types()));
    }

    /** @param after the types as they are once the changes are made */
    public static Affected by(Collection<DocumentKey> changed, Snapshot before, TypeCatalog after) {
        BitSet slots = new BitSet();
        Set<String> named = new TreeSet<>();
        Set<String> types = new TreeSet<>();
        // A type that goes takes its items with it, so the types of both sides are looked at.
        Set<String> itemTypes = new TreeSet<>(before.types().itemTypes());
        itemTypes.addAll(after.itemTypes());
        for (DocumentKey key : changed) {
            TypeDefinition type = after.named(key.type())
                    .or(() -> before.types().named(key.type()))
                    .orElse(null);
            if (type == null) {
                continue;
            }
            String reference = type.plural() + "/" + key.id();
            switch (type.part()) {
                case CLUSTER -> {
                    named.add(key.id());
                    types.addAll(itemTypes);
                }
                case INTERNAL -> {
                    if (key.type().equals(Types.CLUSTER_LIFE)) {
                        named.add(key.id());
                        types.addAll(itemTypes);
                    }
                }
                case LAYER -> {
                    before.clustersWith(reference).addTo(slots);
                    types.addAll(itemTypes);
                }
                case ITEM -> {
                    users(reference, before, after, slots);
                    types.add(type.name());
                }
                case CONTROL -> {
                    if (key.type().equals(Types.TYPE) && itemTypes.contains(key.id())) {
                        // Its template is how clusters make objects of all documents of the type.
                        before.all(key.id())
                                .values()
                                .forEach(document -> before.types()
                                        .named(key.id())
                                        .ifPresent(known ->
                                                users(known.plural() + "/" + document.id(), before, after, slots)));
                        types.add(key.id());
                    }
                }
            }
        }
        slots.stream().forEach(slot -> named.add(before.clusterInSlot(slot).id()));
        return new Affected(List.copyOf(named), definitions(types, before.types(), after));
    }

    private static void users(String reference, Snapshot before, TypeCatalog after, BitSet slots) {
        before.clustersWith(reference).addTo(slots);
        for (DocumentKey user : before.users(reference)) {
            String plural = after.named(user.type()).orElseThrow().plural();
            before.clustersWith(plural + "/" + user.id()).addTo(slots);
        }
    }

    private static List<TypeDefinition> definitions(Set<String> names, TypeCatalog before, TypeCatalog after) {
        return names.stream()
                .map(name -> after.named(name).or(() -> before.named(name)).orElseThrow())
                .toList();
    }
}
