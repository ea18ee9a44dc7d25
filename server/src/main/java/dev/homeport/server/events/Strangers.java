package dev.homeport.server.events;

import dev.homeport.observe.Stranger;
import dev.homeport.server.http.Buckets;
import dev.homeport.server.http.FailedLogins;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Collects callers that are not known, until the next save. A caller that comes again is always noted by name; new names are
 * limited for each network and in all, and beyond that counted together. So a flood fills neither memory nor the store, and
 * does not hide a cluster that polls with an old name.
 */
public final class Strangers {
    private static final int MOST_UNSAVED = 1_000;
    private static final int MOST_REMEMBERED = 4_000;
    private static final int NEW_OF_A_NETWORK_PER_MINUTE = 20;
    private static final int BURST_OF_A_NETWORK = 50;
    private static final int NEW_PER_MINUTE = 60;
    private static final int BURST = 500;
    private static final String MANY = "(many names)";
    private static final String ODD = "(not a name)";
    private static final String NAME = "[A-Za-z0-9.-]{1,253}";

    private final Buckets networks;
    private final Buckets all;
    private final Map<Stranger.Key, Stranger> unsaved = new HashMap<>();
    private final Map<Stranger.Key, Boolean> remembered = new LinkedHashMap<>(16, 0.75f, true);

    public Strangers() {
        this(System::nanoTime);
    }

    /** @param nanos a clock that only goes forward */
    Strangers(LongSupplier nanos) {
        networks = new Buckets(NEW_OF_A_NETWORK_PER_MINUTE, BURST_OF_A_NETWORK, nanos);
        all = new Buckets(NEW_PER_MINUTE, BURST, nanos);
    }

    public void note(String name, String address, String why, Instant at) {
        note(new Stranger(name.matches(NAME) ? name : ODD, address, why, at, at, 1));
    }

    private synchronized void note(Stranger stranger) {
        Stranger kept = stranger;
        if (!isWorthARow(stranger, true)) {
            kept = named(stranger, stranger.address());
            if (!isWorthARow(kept, false)) {
                kept = named(stranger, "");
            }
        }
        unsaved.merge(kept.key(), kept, Stranger::and);
    }

    private boolean isWorthARow(Stranger stranger, boolean limitedByNetwork) {
        if (unsaved.containsKey(stranger.key())) {
            return true;
        }
        boolean known = remembered.containsKey(stranger.key());
        boolean room = unsaved.size() < MOST_UNSAVED
                && (known
                        || (!limitedByNetwork || networks.take(FailedLogins.network(stranger.address())))
                                && all.take(""));
        if (room) {
            remembered.put(stranger.key(), true);
            if (remembered.size() > MOST_REMEMBERED) {
                remembered.remove(remembered.keySet().iterator().next());
            }
        }
        return room;
    }

    private static Stranger named(Stranger stranger, String address) {
        return new Stranger(MANY, address, stranger.why(), stranger.firstAt(), stranger.lastAt(), stranger.count());
    }

    public synchronized List<Stranger> take() {
        List<Stranger> taken = List.copyOf(unsaved.values());
        unsaved.clear();
        return taken;
    }

    /** Takes back what could not be saved. */
    public synchronized void putBack(List<Stranger> strangers) {
        for (Stranger stranger : strangers) {
            boolean room = unsaved.size() < MOST_UNSAVED || unsaved.containsKey(stranger.key());
            Stranger kept = room ? stranger : named(stranger, "");
            unsaved.merge(kept.key(), kept, Stranger::and);
        }
    }
}
