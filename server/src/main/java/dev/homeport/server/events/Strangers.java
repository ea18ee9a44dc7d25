package dev.homeport.server.events;

import dev.homeport.observe.Stranger;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Collects who was at the door without being known, until the next save. Bounded: whoever floods us is noted as one. */
public final class Strangers {
    private static final int MOST = 1_000;
    private static final String MANY = "(many names)";
    private static final String ODD = "(not a name)";
    private static final String NAME = "[A-Za-z0-9.-]{1,253}";

    private final Map<Stranger.Key, Stranger> unsaved = new HashMap<>();

    public void note(String name, String address, String why, Instant at) {
        note(new Stranger(name.matches(NAME) ? name : ODD, address, why, at, at, 1));
    }

    private synchronized void note(Stranger stranger) {
        boolean room = unsaved.size() < MOST || unsaved.containsKey(stranger.key());
        Stranger kept = room
                ? stranger
                : new Stranger(MANY, "", stranger.why(), stranger.firstAt(), stranger.lastAt(), stranger.count());
        unsaved.merge(kept.key(), kept, Stranger::and);
    }

    public synchronized List<Stranger> take() {
        List<Stranger> taken = List.copyOf(unsaved.values());
        unsaved.clear();
        return taken;
    }

    public void putBack(List<Stranger> strangers) {
        strangers.forEach(this::note);
    }
}
