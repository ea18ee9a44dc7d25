package dev.homeport.sim;

import java.util.HashMap;
import java.util.Map;

/** One of many equal values stands for all: a fleet's inventories differ little. */
final class Shared<T> {
    private static final int MOST = 100_000;

    private final Map<T, T> known = new HashMap<>();

    T one(T value) {
        if (known.size() >= MOST) {
            known.clear();
        }
        T before = known.putIfAbsent(value, value);
        return before == null ? value : before;
    }
}
