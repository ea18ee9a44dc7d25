package dev.homeport.write;

import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.Cluster;
import dev.homeport.fleet.FleetSettings;
import dev.homeport.fleet.Tiers;
import dev.homeport.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/** When a change removes so much that its plan needs a confirmation. */
final class Guards {
    private static final int LISTED = 100;

    private Guards() {}

    /** @param direct the request is one operation on a document that the caller named, see {@link WriteRequest.Flag#DIRECT} */
    static List<String> tripped(Draft draft, List<Effect> effects, List<Operation> operations, boolean direct) {
        List<String> tripped = new ArrayList<>();
        boolean own = direct && isOwnConfirmation(draft, operations);
        if (!own || !takesAway(operations.getFirst())) {
            first(
                    effects,
                    Effect::unseen,
                    tripped,
                    effect -> "what cluster/" + effect.cluster() + " has of type " + effect.type()
                            + " is not known, so neither is what it loses");
        }
        limit(draft.before(), effects, tripped);
        retemplated(draft.before(), effects, tripped);
        // A cluster that leaves keeps what is stateful, so that it suffices to name the cluster.
        boolean leaves = own && takesAway(operations.getFirst());
        if (!leaves || effects.stream().anyMatch(Effect::losesData)) {
            stateful(effects, tripped);
        }
        if (!own) {
            first(
                    effects,
                    effect -> effect.losesGuarded() && effect.stateful().isEmpty(),
                    tripped,
                    effect -> "cluster/" + effect.cluster() + " loses a namespace or something stateful ("
                            + effect.type() + ")");
            first(
                    effects,
                    Effect::empties,
                    tripped,
                    effect -> "cluster/" + effect.cluster() + " is left with nothing of type " + effect.type());
        }
        for (Operation operation : operations) {
            if (takesAway(operation) && isProtected(draft.before(), operation)) {
                tripped.add(operation.key() + " is protected");
            }
        }
        return tripped;
    }

    /** One line for all clusters that lose the same. */
    private static void stateful(List<Effect> effects, List<String> tripped) {
        Map<List<StatefulLosses.Loss>, List<Effect>> alike = new LinkedHashMap<>();
        effects.stream()
                .filter(effect -> !effect.stateful().isEmpty())
                .forEach(effect -> alike.computeIfAbsent(effect.stateful(), losses -> new ArrayList<>())
                        .add(effect));
        alike.forEach((losses, same) -> {
            String what = String.join(
                    " and ", losses.stream().map(StatefulLosses.Loss::what).toList());
            String first = "cluster/" + same.getFirst().cluster();
            tripped.add(
                    same.size() == 1
                            ? first + " loses " + what
                            : first + " and " + (same.size() - 1) + " more lose " + what);
        });
    }

    /** What a request takes away besides items, at once. */
    static List<String> besides(Draft draft, List<Operation> operations, boolean direct) {
        List<String> tripped = new ArrayList<>();
        if (FleetSettings.isLowered(draft.before(), draft)) {
            int format = FleetSettings.orStandard(draft).answerFormat();
            tripped.add("every cluster is answered in format " + format + " again, in which "
                    + (format < 2 ? "the platform's account makes what workspaces deliver of role bindings, and " : "")
                    + "clusters do not check the digest of an answer");
        }
        if (!direct || !isOwnConfirmation(draft, operations)) {
            tripped.addAll(ClusterListLosses.guards(draft, allowed(draft.before())));
        }
        for (Operation operation : operations) {
            if (operation instanceof Operation.Repair repair) {
                tripped.add("the record of " + repair.key() + " cannot be read: "
                        + (repair.written().isPresent()
                                ? "it is written again as the log has it"
                                : "the cluster is detached, so that nothing on it changes"));
            }
        }
        for (String name : draft.released()) {
            tripped.add("the name " + name + " was another cluster's, and something may still run and poll under it: it"
                    + " would lose what the new cluster does not have");
        }
        return tripped;
    }

    /** One line for each cluster list that becomes empty. A removal that names the only cluster of a list needs none. */
    static List<String> emptiedLists(
            Draft draft, Map<DocumentKey, Optional<Document>> changes, List<Operation> operations, boolean direct) {
        return direct && isOwnConfirmation(draft, operations)
                ? List.of()
                : EmptiedLists.by(draft.before(), changes).stream()
                        .map(list -> "the cluster list of " + list + " becomes empty")
                        .toList();
    }

    /** One line for each cluster, so that a confirmation covers all of them. */
    static List<String> unprotected(List<String> clusters) {
        List<String> tripped = new ArrayList<>();
        clusters.stream()
                .limit(LISTED)
                .forEach(cluster -> tripped.add("cluster/" + cluster + " is no longer protected"));
        if (clusters.size() > LISTED) {
            tripped.add(clusters.size() - LISTED + " more clusters are no longer protected");
        }
        return tripped;
    }

    private static void first(
            List<Effect> effects,
            Predicate<Effect> which,
            List<String> tripped,
            java.util.function.Function<Effect, String> words) {
        effects.stream().filter(which).findFirst().map(words).ifPresent(tripped::add);
    }

    private static void limit(Snapshot before, List<Effect> effects, List<String> tripped) {
        long losing = count(effects, Effect::loses);
        long allowed = allowed(before);
        if (losing > allowed) {
            tripped.add(losing + " clusters lose items, more than the " + allowed + " that need no confirmation");
        }
    }

    /** Which objects another template makes of the same items is not known here: some may be missing. */
    private static void retemplated(Snapshot before, List<Effect> effects, List<String> tripped) {
        long changed = count(effects, Effect::retemplated);
        long allowed = allowed(before);
        if (changed > allowed) {
            tripped.add(changed + " clusters make objects of what they have by another template, more than the "
                    + allowed + " that need no confirmation");
        }
        Tiers tiers = new Tiers(before.all(Types.ENVIRONMENT).values());
        first(
                effects,
                effect -> effect.retemplated() && isProtected(before, tiers, effect.cluster()),
                tripped,
                effect -> "cluster/" + effect.cluster() + " is protected, and makes objects of what it has of type "
                        + effect.type() + " by another template");
    }

    private static long count(List<Effect> effects, Predicate<Effect> which) {
        return effects.stream().filter(which).map(Effect::cluster).distinct().count();
    }

    private static long allowed(Snapshot before) {
        FleetSettings settings = FleetSettings.orStandard(before);
        double share = settings.maxShareLosing() * before.all(Types.CLUSTER).size();
        return Math.max(settings.maxClustersLosing(), (long) share);
    }

    /**
     * A direct edit of one unprotected cluster's own document names exactly what goes, and so does deleting it. Moving it to
     * another workspace, template or environment, or letting a pin go, does not.
     */
    private static boolean isOwnConfirmation(Draft draft, List<Operation> operations) {
        if (operations.size() != 1 || isProtected(draft.before(), operations.getFirst())) {
            return false;
        }
        Operation only = operations.getFirst();
        return switch (only) {
            case Operation.Delete _, Operation.Decommission _, Operation.Purge _ ->
                only.key().type().equals(Types.CLUSTER);
            case Operation.Create _, Operation.Put _, Operation.Replace _, Operation.Edit _ ->
                only.key().type().equals(Types.CLUSTER) && staysInItsLayers(draft, only);
            case Operation.Undo _,
                    Operation.Detach _,
                    Operation.Undelete _,
                    Operation.Pause _,
                    Operation.Resume _,
                    Operation.Repair _,
                    Operation.Watch _ -> false;
        };
    }

    private static boolean staysInItsLayers(Draft draft, Operation operation) {
        Document before = draft.before().find(operation.key()).orElse(null);
        Document after = draft.find(operation.key()).orElse(null);
        if (before == null || after == null || before.fault().isPresent()) {
            return before == null;
        }
        Cluster old = Cluster.of(before);
        Cluster now = Cluster.of(after);
        return old.environment().equals(now.environment())
                && Objects.equals(old.workspace(), now.workspace())
                && Objects.equals(old.template(), now.template());
    }

    private static boolean takesAway(Operation operation) {
        return switch (operation) {
            case Operation.Delete _, Operation.Decommission _, Operation.Detach _, Operation.Purge _ -> true;
            case Operation.Create _,
                    Operation.Put _,
                    Operation.Replace _,
                    Operation.Edit _,
                    Operation.Undo _,
                    Operation.Undelete _,
                    Operation.Pause _,
                    Operation.Resume _,
                    Operation.Repair _,
                    Operation.Watch _ -> false;
        };
    }

    private static boolean isProtected(Snapshot before, Operation operation) {
        return operation.key().type().equals(Types.CLUSTER)
                && isProtected(
                        before,
                        new Tiers(before.all(Types.ENVIRONMENT).values()),
                        operation.key().id());
    }

    /** A cluster whose document cannot be read may be protected. */
    private static boolean isProtected(Snapshot before, Tiers tiers, String id) {
        Document cluster = before.document(Types.CLUSTER, id);
        return cluster != null && (cluster.fault().isPresent() || tiers.isProtected(Cluster.of(cluster)));
    }
}
