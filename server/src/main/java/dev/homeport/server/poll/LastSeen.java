package dev.homeport.server.poll;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/** Polls as heartbeats, in memory. What changed since the last flush is taken in one go, so a poll never waits for a disk. */
public final class LastSeen {
    /** Which answers were polled. */
    public record Key(String cluster, String type) {}

    private final ConcurrentHashMap<Key, PollSeen> seen = new ConcurrentHashMap<>();
    private final AtomicReference<ConcurrentHashMap<Key, PollSeen>> unsaved =
            new AtomicReference<>(new ConcurrentHashMap<>());

    public void record(String cluster, String type, PollSeen poll) {
        Key key = new Key(cluster, type);
        seen.put(key, poll);
        unsaved.get().put(key, poll);
    }

    /** What was recorded before the process started. */
    public void restore(Map<Key, PollSeen> saved) {
        saved.forEach(seen::putIfAbsent);
    }

    public Optional<PollSeen> last(String cluster, String type) {
        return Optional.ofNullable(seen.get(new Key(cluster, type)));
    }

    public boolean hasPolled(String cluster, Iterable<String> types) {
        for (String type : types) {
            if (seen.containsKey(new Key(cluster, type))) {
                return true;
            }
        }
        return false;
    }

    public Map<Key, PollSeen> takeUnsaved() {
        return new HashMap<>(unsaved.getAndSet(new ConcurrentHashMap<>()));
    }
}
