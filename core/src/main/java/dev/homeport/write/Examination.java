package dev.homeport.write;

import dev.homeport.document.Document;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.Answers;
import dev.homeport.fleet.Cluster;
import dev.homeport.fleet.ClusterBlock;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.fleet.FleetView;
import dev.homeport.fleet.Item;
import dev.homeport.fleet.Rendering;
import dev.homeport.fleet.Resolution;
import dev.homeport.problem.Violation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One cluster before and after: what changes in its answers, and what would be wrong with them. */
final class Examination {
    private final FleetView before;
    private final FleetView after;
    private final List<TypeDefinition> types;
    private final long revision;

    Examination(FleetView before, FleetView after, List<TypeDefinition> types, long revision) {
        this.before = before;
        this.after = after;
        this.types = types;
        this.revision = revision;
    }

    /**
     * What was found.
     *
     * @param life the cluster's life after, when filling or emptying a type changes it, otherwise null
     * @param faults reasons to refuse the change
     * @param gaps dependencies that the change leaves open
     * @param held the cluster is paused, and would change if it were not
     */
    record Found(
            String cluster,
            List<Effect> effects,
            @Nullable ClusterLife life,
            List<Violation> faults,
            List<String> gaps,
            boolean held) {}

    private static final Resolution NOTHING = new Resolution.Items(List.of());

    Found examine(String id) {
        Document clusterBefore = before.document(Types.CLUSTER, id);
        Document clusterAfter = after.document(Types.CLUSTER, id);
        ClusterLife lifeBefore = ClusterLife.of(before.document(Types.CLUSTER_LIFE, id));
        ClusterLife lifeAfter = ClusterLife.of(after.document(Types.CLUSTER_LIFE, id));
        List<Resolution> old = resolve(before, clusterBefore, lifeBefore);
        List<Resolution> now = resolve(after, clusterAfter, lifeAfter);
        List<Effect> effects = new ArrayList<>();
        List<Violation> faults = new ArrayList<>();
        List<String> gaps = new ArrayList<>();
        ClusterLife life = lifeAfter;
        boolean active = clusterAfter != null && lifeAfter.phase() == ClusterLife.Phase.ACTIVE;
        // A detached cluster keeps what it has: nothing is lost, although it gets no answers any more.
        boolean served = lifeAfter.phase() != ClusterLife.Phase.DETACHED;
        for (int i = 0; i < types.size(); i++) {
            TypeDefinition type = types.get(i);
            if (now.get(i) instanceof Resolution.Unknown unknown) {
                if (active && !(old.get(i) instanceof Resolution.Unknown)) {
                    faults.add(new Violation(
                            "",
                            "cluster/" + id + ": " + unknown.reason(),
                            "change this first, or in the same request"));
                }
                continue;
            }
            Resolution.Items after = (Resolution.Items) now.get(i);
            List<Item> itemsBefore = old.get(i) instanceof Resolution.Items items ? items.items() : List.of();
            List<ItemChange> changes = served ? ItemDiff.between(itemsBefore, after.items()) : List.of();
            if (active && clusterAfter != null) {
                life = life(life, type.name(), after);
                if (type.name().equals(Types.PLATFORM_COMPONENT)) {
                    gaps.addAll(Dependencies.opened(id, itemsBefore, after.items()));
                }
                limits(Cluster.of(clusterAfter), type, itemsBefore, after.items(), faults);
            }
            if (!changes.isEmpty()) {
                boolean hadItems = itemsBefore.stream().anyMatch(Item::enabled);
                effects.add(new Effect(
                        id,
                        type.name(),
                        changes,
                        hadItems && after.enabled() == 0,
                        !hadItems && after.enabled() > 0,
                        Digests.ofChanges(type.name(), changes)));
            }
        }
        boolean held = effects.isEmpty() && lifeAfter.pause() != null && lifeBefore.pause() != null;
        return new Found(id, effects, life.equals(lifeAfter) ? null : life, faults, gaps, held);
    }

    private List<Resolution> resolve(FleetView view, @Nullable Document cluster, ClusterLife life) {
        if (cluster == null || life.phase() != ClusterLife.Phase.ACTIVE) {
            return types.stream().map(type -> NOTHING).toList();
        }
        return Answers.resolutions(view, cluster, life, types);
    }

    /** Keeps the record that lets an answer be empty: a type once filled is only empty again by a commit that says so. */
    private ClusterLife life(ClusterLife life, String type, Resolution.Items after) {
        boolean filled = life.filled().contains(type);
        if (after.enabled() > 0) {
            return filled ? life : life.withFilled(type);
        }
        return filled ? life.withEmptied(type, revision) : life;
    }

    private static void limits(
            Cluster cluster, TypeDefinition type, List<Item> before, List<Item> after, List<Violation> faults) {
        if (after.size() > cluster.inputLimit() && after.size() > before.size()) {
            faults.add(new Violation(
                    "",
                    "cluster/" + cluster.id() + " would get " + after.size() + " " + type.plural()
                            + ", more than its input limit of " + cluster.inputLimit()
                            + ": Flux would cut the rest off and delete it",
                    "raise filter.limit in the cluster's manifests and then input_limit here, or assign fewer"));
        }
        long size = Rendering.size(ClusterBlock.of(cluster), after);
        if (size > Rendering.MAX_BYTES && size > Rendering.size(ClusterBlock.of(cluster), before)) {
            faults.add(new Violation(
                    "",
                    "the " + type.plural() + " of cluster/" + cluster.id() + " would take " + size
                            + " bytes, more than the " + Rendering.MAX_BYTES + " that Flux can take",
                    "assign fewer, or make patches and values smaller"));
        }
    }
}
