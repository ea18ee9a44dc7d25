package dev.homeport.write;

import dev.homeport.fleet.Item;
import dev.homeport.fleet.ItemIdentity;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares two lists of items that are both ordered by id. An item that Flux would remove and make again is removed and added,
 * not changed.
 */
final class ItemDiff {
    private ItemDiff() {}

    static List<ItemChange> between(List<Item> before, List<Item> after, ItemIdentity identity) {
        List<ItemChange> changes = new ArrayList<>();
        int b = 0;
        int a = 0;
        while (b < before.size() || a < after.size()) {
            int order = b == before.size()
                    ? 1
                    : a == after.size()
                            ? -1
                            : before.get(b).id().compareTo(after.get(a).id());
            Item old = order <= 0 ? before.get(b++) : null;
            Item now = order >= 0 ? after.get(a++) : null;
            if (old != null && now != null && old.enabled() && now.enabled() && !identity.isSame(old, now)) {
                changes.add(new ItemChange(ItemChange.Kind.REMOVED, old.id(), old, null));
                changes.add(new ItemChange(ItemChange.Kind.ADDED, now.id(), null, now));
            } else {
                ItemChange.between(old, now)
                        .map(change -> change.keeping(isKept(change, identity)))
                        .ifPresent(changes::add);
            }
        }
        return changes;
    }

    private static boolean isKept(ItemChange change, ItemIdentity identity) {
        Item before = change.before();
        return change.kind() == ItemChange.Kind.REMOVED && before != null && identity.isKept(before);
    }
}
