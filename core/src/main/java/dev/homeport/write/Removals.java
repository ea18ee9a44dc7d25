package dev.homeport.write;

import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.FleetView;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What disappears from clusters' answers between two states of the fleet. */
public final class Removals {
    private final Examination examination;
    private final FleetView after;

    /** @param contact knows which clusters use templates of their own, and keep nothing */
    public Removals(FleetView before, FleetView after, ClusterContact contact) {
        List<TypeDefinition> types = after.types().itemTypes().stream()
                .map(name -> after.types().named(name).orElseThrow())
                .toList();
        this.after = after;
        this.examination = new Examination(before, after, types, 0, contact);
    }

    /**
     * An item that the cluster is no longer given.
     *
     * @param plural of its type
     */
    public record Removed(String plural, ItemChange change) {}

    /** Nothing for a cluster that is not known after. What Flux only makes again is not removed. */
    public List<Removed> of(String cluster) {
        if (after.document(Types.CLUSTER, cluster) == null) {
            return List.of();
        }
        return examination.examine(cluster).effects().stream()
                .flatMap(this::removed)
                .toList();
    }

    private Stream<Removed> removed(Effect effect) {
        Set<String> added = new HashSet<>();
        effect.changes().stream()
                .filter(change -> change.kind() == ItemChange.Kind.ADDED)
                .forEach(change -> added.add(change.id()));
        String plural = after.types().named(effect.type()).orElseThrow().plural();
        return effect.changes().stream()
                .filter(change -> change.kind() == ItemChange.Kind.REMOVED && !added.contains(change.id()))
                .map(change -> new Removed(plural, change));
    }
}
