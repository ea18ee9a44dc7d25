package dev.homeport.write;

import dev.homeport.document.Document;
import dev.homeport.document.Types;
import dev.homeport.fleet.Cluster;
import dev.homeport.fleet.FleetSettings;
import dev.homeport.fleet.Tiers;
import dev.homeport.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** When a change takes so much away that somebody must look at its plan first. */
final class Guards {
    private Guards() {}

    static List<String> tripped(Draft draft, List<Effect> effects, List<Operation> operations) {
        Snapshot before = draft.before();
        List<String> tripped = new ArrayList<>();
        if (isOwnConfirmation(draft, operations)) {
            return tripped;
        }
        if (FleetSettings.isLowered(before, draft)) {
            tripped.add("every cluster is answered in format "
                    + FleetSettings.orStandard(draft).answerFormat()
                    + " again, in which the platform's account makes what workspaces deliver of role bindings");
        }
        effects.stream()
                .filter(Effect::unseen)
                .findFirst()
                .ifPresent(effect -> tripped.add("what cluster/" + effect.cluster() + " has of type " + effect.type()
                        + " is not known, so neither is what it loses"));
        FleetSettings settings = FleetSettings.orStandard(before);
        long losing = effects.stream()
                .filter(Effect::loses)
                .map(Effect::cluster)
                .distinct()
                .count();
        double share = settings.maxShareLosing() * before.all(Types.CLUSTER).size();
        long allowed = Math.max(settings.maxClustersLosing(), (long) share);
        if (losing > allowed) {
            tripped.add(losing + " clusters lose items, more than the " + allowed + " that need no confirmation");
        }
        tripped.addAll(ClusterListLosses.guards(draft, allowed));
        effects.stream()
                .filter(Effect::losesGuarded)
                .findFirst()
                .ifPresent(effect -> tripped.add("cluster/" + effect.cluster()
                        + " loses a namespace or something stateful (" + effect.type() + ")"));
        effects.stream()
                .filter(Effect::empties)
                .findFirst()
                .ifPresent(effect ->
                        tripped.add("cluster/" + effect.cluster() + " is left with nothing of type " + effect.type()));
        for (Operation operation : operations) {
            if (takesAway(operation) && isProtected(before, operation)) {
                tripped.add(operation.key() + " is protected");
            }
        }
        return tripped;
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
            case Operation.Create _, Operation.Put _, Operation.Replace _, Operation.Edit _, Operation.Undo _ ->
                only.key().type().equals(Types.CLUSTER) && staysInItsLayers(draft, only);
            case Operation.Detach _, Operation.Undelete _, Operation.Pause _, Operation.Resume _ -> false;
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
                    Operation.Resume _ -> false;
        };
    }

    private static boolean isProtected(Snapshot before, Operation operation) {
        Document cluster = operation.key().type().equals(Types.CLUSTER)
                ? before.document(Types.CLUSTER, operation.key().id())
                : null;
        return cluster != null
                && cluster.fault().isEmpty()
                && new Tiers(before.all(Types.ENVIRONMENT).values()).isProtected(Cluster.of(cluster));
    }
}
