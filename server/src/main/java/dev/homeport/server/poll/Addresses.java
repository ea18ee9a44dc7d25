package dev.homeport.server.poll;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * The addresses from which a cluster has polled lately. A cluster that moves changes its address once; two that share a token
 * alternate.
 *
 * @param lastAt by address
 * @param returns how often it was back at an address that it had left
 */
public record Addresses(Map<String, Instant> lastAt, int returns) {
    private static final int MOST = 8;

    static final Addresses NONE = new Addresses(Map.of(), 0);

    public Addresses {
        lastAt = Map.copyOf(lastAt);
    }

    /** It polled from one address after another. */
    Addresses moved(String from, Instant fromAt, String to, Instant at) {
        Map<String, Instant> next = new TreeMap<>(lastAt);
        boolean back = next.containsKey(to);
        next.put(from, fromAt);
        next.put(to, at);
        while (next.size() > MOST) {
            next.remove(next.entrySet().stream()
                    .min(Map.Entry.comparingByValue())
                    .orElseThrow()
                    .getKey());
        }
        return new Addresses(next, returns + (back ? 1 : 0));
    }
}
