package dev.homeport.fleet;

import java.util.List;

/** The desired state of one cluster for one type, or why it cannot be computed. */
public sealed interface Resolution {
    /** Everything assigned, ordered by id, disabled items included. */
    record Items(List<Item> items) implements Resolution {
        public Items {
            items = List.copyOf(items);
        }

        public int enabled() {
            int count = 0;
            for (Item item : items) {
                count += item.enabled() ? 1 : 0;
            }
            return count;
        }
    }

    /** Serving anything could delete something; the reason is for the operator. */
    record Unknown(String reason) implements Resolution {}
}
