package dev.homeport.write;

import dev.homeport.document.Document;
import dev.homeport.document.Types;
import dev.homeport.fleet.Cluster;
import dev.homeport.fleet.FleetSettings;
import dev.homeport.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.List;

/** When a change takes so much away that somebody must look at its plan first. */
final class Guards {
    private Guards() {}

    static List<String> tripped(Draft draft, List<Effect> effects, List<Operation> operations) {
        Snapshot before = draft.before();
        if (isOwnConfirmation(before, operations)) {
            return List.of();
        }
        List<String> tripped = new ArrayList<>();
        FleetSettings settings = FleetSettings.of(before);
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

    /** A direct edit of one unprotected cluster names exactly what goes. */
    private static boolean isOwnConfirmation(Snapshot before, List<Operation> operations) {
        return operations.size() == 1
                && operations.getFirst().key().type().equals(Types.CLUSTER)
                && !isProtected(before, operations.getFirst());
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
        return cluster != null && new Tiers(before).isProtected(Cluster.of(cluster));
    }
}
