package dev.homeport.write;

import java.util.List;

/** What a change does to one type of one cluster's answers. */
record Effect(String cluster, String type, List<ItemChange> changes, boolean empties, boolean fills, String digest) {

    boolean loses() {
        return changes.stream().anyMatch(change -> change.kind() == ItemChange.Kind.REMOVED);
    }

    /** A namespace or something stateful goes. */
    boolean losesGuarded() {
        return changes.stream().anyMatch(change -> {
            var before = change.before();
            return change.kind() == ItemChange.Kind.REMOVED && before != null && before.guarded();
        });
    }
}
