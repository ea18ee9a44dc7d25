package dev.homeport.write;

import dev.homeport.document.BrokenDocument;
import dev.homeport.document.Document;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.Answers;
import dev.homeport.fleet.Cluster;
import dev.homeport.fleet.ClusterBlock;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.fleet.FleetSettings;
import dev.homeport.fleet.FleetView;
import dev.homeport.fleet.Item;
import dev.homeport.fleet.ItemIdentity;
import dev.homeport.fleet.Rendering;
import dev.homeport.fleet.Resolution;
import dev.homeport.fleet.Resolver;
import dev.homeport.problem.Violation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One cluster before and after: what changes in its answers, and what would be wrong with them. */
final class Examination {
    private final FleetView before;
    private final FleetView after;
    private final List<TypeDefinition> types;
    private final long revision;
    private final ClusterContact contact;
    private final Map<String, ItemIdentity> identities = new HashMap<>();

    Examination(FleetView before, FleetView after, List<TypeDefinition> types, long revision, ClusterContact contact) {
        this.before = before;
        this.after = after;
        this.types = types;
        this.revision = revision;
        this.contact = contact;
        types.forEach(type -> identities.put(
                type.name(),
                new ItemIdentity(type, before.types().named(type.name()).orElse(type))));
    }

    /**
     * What was found.
     *
     * @param life the cluster's life after, when filling or emptying a type changes it, otherwise null
     * @param faults reasons to refuse the change
     * @param limits what would be more than Flux can take
     * @param gaps dependencies that the change leaves open
     * @param held the cluster is paused, and would change if it were not
     * @param moved the cluster gets other answers than before, be it that it gets none any more
     */
    record Found(
            String cluster,
            List<Effect> effects,
            @Nullable ClusterLife life,
            List<Violation> faults,
            List<Violation> limits,
            List<String> gaps,
            boolean held,
            boolean moved) {}

    private static final Resolution NOTHING = new Resolution.Items(List.of());

    Found examine(String id) {
        try {
            return new OneCluster(id).examine();
        } catch (BrokenDocument e) {
            // The cluster is held, regardless of other changes, until the broken document is replaced.
            return new Found(id, List.of(), null, List.of(), List.of(), List.of(), false, false);
        }
    }

    /** The two states of a cluster, side by side. */
    private final class OneCluster {
        private final String id;
        private final @Nullable Document documentBefore;
        private final @Nullable Document documentAfter;
        private final ClusterLife lifeBefore;
        private final ClusterLife lifeAfter;
        private final List<Effect> effects = new ArrayList<>();
        private final List<Violation> faults = new ArrayList<>();
        private final List<Violation> limits = new ArrayList<>();
        private final List<String> gaps = new ArrayList<>();
        private ClusterLife life;
        private @Nullable Cluster clusterAfter;

        OneCluster(String id) {
            this.id = id;
            documentBefore = before.document(Types.CLUSTER, id);
            documentAfter = after.document(Types.CLUSTER, id);
            lifeBefore = ClusterLife.of(before.document(Types.CLUSTER_LIFE, id));
            lifeAfter = ClusterLife.of(after.document(Types.CLUSTER_LIFE, id));
            life = isMade() ? lifeAfter.withUnserved(true) : lifeAfter;
        }

        /** Made by this very change, and not brought back with a record of what it had. */
        private boolean isMade() {
            return documentBefore == null && documentAfter != null && after.document(Types.CLUSTER_LIFE, id) == null;
        }

        Found examine() {
            boolean renamed = renamed() || reformatted();
            if (documentAfter != null && documentAfter == documentBefore && isPlain(lifeBefore) && isPlain(lifeAfter)) {
                List<Resolver.Both> both = Resolver.resolveBoth(before, after, documentAfter, types);
                for (int i = 0; i < types.size(); i++) {
                    compare(types.get(i), both.get(i).before(), both.get(i).after(), renamed);
                }
            } else {
                List<Resolution> old = resolve(before, documentBefore, lifeBefore);
                List<Resolution> now = resolve(after, documentAfter, lifeAfter);
                for (int i = 0; i < types.size(); i++) {
                    compare(types.get(i), old.get(i), now.get(i), renamed);
                }
            }
            boolean moved = !effects.isEmpty() || lifeBefore.phase() != lifeAfter.phase();
            return new Found(id, effects, life.equals(lifeAfter) ? null : life, faults, limits, gaps, held(), moved);
        }

        /** Neither leaving nor detached, paused or releasing: what it gets is what the layers say. */
        private static boolean isPlain(ClusterLife life) {
            return life.phase() == ClusterLife.Phase.ACTIVE && life.pause() == null && !life.releasing();
        }

        private void compare(TypeDefinition type, Resolution old, Resolution now, boolean renamed) {
            if (now instanceof Resolution.Unknown unknown) {
                if (isActive() && !(old instanceof Resolution.Unknown)) {
                    faults.add(new Violation(
                            "",
                            "cluster/" + id + ": " + unknown.reason(),
                            "change this first, or in the same request"));
                }
                return;
            }
            Resolution.Items items = (Resolution.Items) now;
            List<Item> itemsBefore = old instanceof Resolution.Items known ? known.items() : List.of();
            boolean unseen = old instanceof Resolution.Unknown || wasDetached();
            boolean hadItems = itemsBefore.stream().anyMatch(Item::enabled);
            // A detached cluster keeps what it has: nothing is lost, although it gets no answers any more.
            boolean served = lifeAfter.phase() != ClusterLife.Phase.DETACHED;
            ItemIdentity identity = Objects.requireNonNull(identities.get(type.name()));
            List<ItemChange> changes = served ? changes(itemsBefore, items.items(), identity) : List.of();
            List<StatefulLosses.Loss> stateful = new StatefulLosses(type, identity, this::componentsBefore).of(changes);
            boolean both = hadItems && items.enabled() > 0;
            // A format brings templates of its own.
            boolean retemplated = both && (retemplated(type) || reformatted());
            boolean exposes = changes.stream().anyMatch(change -> isExposed(change, identity))
                    || both && retemplated(type) && itemsBefore.stream().anyMatch(Item::guarded);
            if (isActive() && documentAfter != null) {
                life = life(life, type.name(), items, hadItems || unseen || lifeBefore.phase() != lifeAfter.phase());
                if (type.name().equals(Types.PLATFORM_COMPONENT)) {
                    gaps.addAll(Dependencies.opened(id, itemsBefore, items.items()));
                }
                limits(type, itemsBefore, items.items());
            }
            boolean unseenLoss = unseen && served && lifeBefore.filled().contains(type.name());
            if (!changes.isEmpty() || unseenLoss || renamed || retemplated) {
                effects.add(new Effect(
                        id,
                        type.name(),
                        changes,
                        served && hadItems && items.enabled() == 0,
                        retemplated,
                        exposes,
                        stateful,
                        unseenLoss,
                        Digests.ofChanges(type.name(), changes, rest(type, renamed, retemplated))));
            }
        }

        /** What is kept is so by Homeport's templates, which a cluster that polls the flat shape does not use. */
        private List<ItemChange> changes(List<Item> old, List<Item> now, ItemIdentity identity) {
            List<ItemChange> changes = ItemDiff.between(old, now, identity);
            return changes.stream().anyMatch(ItemChange::kept) && contact.pollsFlat(id)
                    ? changes.stream().map(change -> change.keeping(false)).toList()
                    : changes;
        }

        private Resolution componentsBefore() {
            Optional<TypeDefinition> components = before.types().named(Types.PLATFORM_COMPONENT);
            return documentBefore == null || lifeBefore.phase() != ClusterLife.Phase.ACTIVE || components.isEmpty()
                    ? NOTHING
                    : Answers.resolution(before, documentBefore, lifeBefore, components.get());
        }

        private static boolean isExposed(ItemChange change, ItemIdentity identity) {
            Item was = change.before();
            Item is = change.after();
            return was != null && is != null && was.enabled() && is.enabled() && identity.isExposed(was, is);
        }

        /** What an effect is beside the changes of items, for its digest. */
        private String rest(TypeDefinition type, boolean renamed, boolean retemplated) {
            return (renamed ? block(documentAfter) + " in format " + format(after, lifeAfter) : "")
                    + (retemplated ? " by " + template(after, lifeAfter, type) : "");
        }

        /** Clusters make objects of items by their type's template, which is part of their answers. */
        private boolean retemplated(TypeDefinition type) {
            return isActive()
                    && lifeBefore.phase() == ClusterLife.Phase.ACTIVE
                    && !template(before, lifeBefore, type).equals(template(after, lifeAfter, type));
        }

        private boolean isActive() {
            return documentAfter != null && lifeAfter.phase() == ClusterLife.Phase.ACTIVE;
        }

        private boolean wasDetached() {
            return lifeBefore.phase() == ClusterLife.Phase.DETACHED && lifeAfter.phase() == ClusterLife.Phase.ACTIVE;
        }

        /** The answers carry the cluster's name, DNS name and environment; a paused cluster keeps those too. */
        private boolean renamed() {
            return documentBefore != documentAfter
                    && isActive()
                    && lifeBefore.phase() == ClusterLife.Phase.ACTIVE
                    && lifeAfter.pause() == null
                    && lifeBefore.pause() == null
                    && documentBefore != null
                    && documentBefore.fault().isEmpty()
                    && !block(documentBefore).equals(block(documentAfter));
        }

        /** The answers carry their format too, also the empty ones of a cluster that leaves. */
        private boolean reformatted() {
            return documentBefore != null
                    && documentAfter != null
                    && lifeBefore.phase() == lifeAfter.phase()
                    && lifeAfter.phase() != ClusterLife.Phase.DETACHED
                    && format(before, lifeBefore) != format(after, lifeAfter);
        }

        private boolean isLowered(int limit) {
            return documentBefore != documentAfter
                    && documentBefore != null
                    && documentBefore.fault().isEmpty()
                    && limit < Cluster.of(documentBefore).inputLimit();
        }

        private boolean held() {
            if (lifeBefore.pause() == null || lifeAfter.pause() == null) {
                return false;
            }
            List<Resolution> old = resolve(before, documentBefore, running(lifeBefore));
            List<Resolution> now = resolve(after, documentAfter, running(lifeAfter));
            for (int i = 0; i < types.size(); i++) {
                boolean same = old.get(i) instanceof Resolution.Items was
                        && now.get(i) instanceof Resolution.Items is
                        && ItemDiff.between(
                                        was.items(),
                                        is.items(),
                                        Objects.requireNonNull(
                                                identities.get(types.get(i).name())))
                                .isEmpty()
                        && (was.enabled() == 0
                                || template(before, running(lifeBefore), types.get(i))
                                        .equals(template(after, running(lifeAfter), types.get(i))));
                if (!same) {
                    return true;
                }
            }
            return false;
        }

        private void limits(TypeDefinition type, List<Item> itemsBefore, List<Item> itemsAfter) {
            if (documentAfter == null) {
                return;
            }
            Cluster cluster = clusterAfter == null ? Cluster.of(documentAfter) : clusterAfter;
            clusterAfter = cluster;
            boolean worse = itemsAfter.size() > itemsBefore.size() || isLowered(cluster.inputLimit());
            if (itemsAfter.size() > cluster.inputLimit() && worse) {
                limits.add(new Violation(
                        "",
                        "cluster/" + id + " would get " + itemsAfter.size() + " " + type.plural()
                                + ", more than its input limit of " + cluster.inputLimit()
                                + ": Flux would cut the rest off and delete it",
                        "raise filter.limit in the cluster's manifests and then input_limit here, or assign fewer"));
            }
            if (Rendering.surelyFits(ClusterBlock.of(cluster), itemsAfter)) {
                return;
            }
            long size = Rendering.size(ClusterBlock.of(cluster), itemsAfter);
            if (size > Rendering.MAX_BYTES && size > Rendering.size(ClusterBlock.of(cluster), itemsBefore)) {
                limits.add(new Violation(
                        "",
                        "the " + type.plural() + " of cluster/" + id + " would take " + size + " bytes, more than the "
                                + Rendering.MAX_BYTES + " that Flux can take",
                        "assign fewer, or make patches and values smaller"));
            }
        }
    }

    private static ClusterLife running(ClusterLife life) {
        return life.withPause(null);
    }

    private static int format(FleetView view, ClusterLife life) {
        return life.paused()
                .flatMap(ClusterLife.Pause::format)
                .orElseGet(() -> FleetSettings.orStandard(view).answerFormat());
    }

    private static Optional<String> template(FleetView view, ClusterLife life, TypeDefinition type) {
        return life.paused()
                .flatMap(ClusterLife.Pause::templates)
                .map(pinned -> Optional.ofNullable(pinned.get(type.plural())))
                .orElseGet(() -> view.types().named(type.name()).flatMap(TypeDefinition::template));
    }

    private static String block(@Nullable Document document) {
        return document == null || document.fault().isPresent()
                ? ""
                : ClusterBlock.of(Cluster.of(document)).toString();
    }

    private List<Resolution> resolve(FleetView view, @Nullable Document cluster, ClusterLife life) {
        if (cluster == null || life.phase() != ClusterLife.Phase.ACTIVE) {
            return Collections.nCopies(types.size(), NOTHING);
        }
        return Answers.resolutions(view, cluster, life, types);
    }

    /**
     * Keeps the record that lets an answer be empty: a type once filled is only empty again by a commit that took the items
     * away. One that finds it empty already proves nothing.
     */
    private ClusterLife life(ClusterLife life, String type, Resolution.Items after, boolean takesAway) {
        boolean filled = life.filled().contains(type);
        if (after.enabled() > 0) {
            return filled ? life : life.withFilled(type);
        }
        return filled && takesAway ? life.withEmptied(type, revision) : life;
    }
}
