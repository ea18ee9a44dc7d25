package dev.homeport.write;

import java.util.List;

/**
 * What a change does to one type of one cluster's answers.
 *
 * @param changes empty when only the cluster's own name, DNS name or environment in the answer changes, or its
 *     format, or the type's template
 * @param retemplated the type's template changes, so the cluster makes other objects of the same items
 * @param exposes something stays but is not protected from deletion any more: it is no longer stateful or kept
 * @param stateful what holds data and is taken away or no longer kept
 * @param unseen what the cluster has now is not known, so neither is what it loses
 */
record Effect(
        String cluster,
        String type,
        List<ItemChange> changes,
        boolean empties,
        boolean retemplated,
        boolean exposes,
        List<StatefulLosses.Loss> stateful,
        boolean unseen,
        String digest) {

    boolean loses() {
        return changes.stream().anyMatch(change -> change.kind() == ItemChange.Kind.REMOVED);
    }

    /** Something that holds data is deleted on the cluster, or may be from now on. */
    boolean losesData() {
        return stateful.stream().anyMatch(loss -> !loss.kept());
    }

    /** A namespace or something stateful goes, or may go unnoticed from now on. */
    boolean losesGuarded() {
        return exposes
                || changes.stream().anyMatch(change -> {
                    var before = change.before();
                    return change.kind() == ItemChange.Kind.REMOVED && before != null && before.guarded();
                });
    }
}
