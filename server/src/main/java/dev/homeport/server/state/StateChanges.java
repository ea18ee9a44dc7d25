package dev.homeport.server.state;

import dev.homeport.observe.ClusterState;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;

/** The last changes of state, for streams that follow them. */
public final class StateChanges {
    private static final int KEPT = 10_000;

    private final ArrayDeque<StateChange> changes = new ArrayDeque<>();
    private long last;

    synchronized void add(String cluster, ClusterState was, ClusterState is, Instant at) {
        changes.add(new StateChange(++last, cluster, was, is, at));
        if (changes.size() > KEPT) {
            changes.removeFirst();
        }
    }

    public synchronized long last() {
        return last;
    }

    /** What came after; the first may be further on than expected, when more happened than is kept. */
    public synchronized List<StateChange> after(long number) {
        return number == last
                ? List.of()
                : changes.stream().filter(change -> change.number() > number).toList();
    }
}
