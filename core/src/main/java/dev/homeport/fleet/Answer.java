package dev.homeport.fleet;

import java.util.List;

/** What a poll gets. Only {@link Rendering} turns one into bytes. */
public sealed interface Answer {

    private static boolean anyEnabled(List<Item> items) {
        for (Item item : items) {
            if (item.enabled()) {
                return true;
            }
        }
        return false;
    }

    /** Something that may be served with status 200. */
    sealed interface Served extends Answer {
        ClusterBlock cluster();

        /** The plural of the type, as in the path that was polled. */
        String type();

        int format();

        List<Item> items();
    }

    /** At least one enabled item. */
    record Inputs(ClusterBlock cluster, String type, int format, List<Item> items) implements Served {
        public Inputs {
            items = List.copyOf(items);
            if (!anyEnabled(items)) {
                throw new IllegalArgumentException("inputs without an enabled item need a proof");
            }
        }
    }

    /** No enabled item, on purpose. What is there is disabled. */
    record ConfirmedEmpty(ClusterBlock cluster, String type, int format, List<Item> items, Proof proof)
            implements Served {
        public ConfirmedEmpty {
            items = List.copyOf(items);
            if (anyEnabled(items)) {
                throw new IllegalArgumentException("an empty answer with an enabled item");
            }
        }
    }

    /** An error status: Flux keeps what it has. */
    record Hold(String reason) implements Answer {}

    /** The cluster is no longer managed: 410, and everything stays. */
    record Detached(long revision) implements Answer {}
}
