package dev.homeport.json;

import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Values that many documents share, each held once and named by a small number. Like {@link String#intern()}, it only grows;
 * unlike it, it is bounded: once full, callers write their value out in place.
 */
final class Pool<T> {
    private final int limit;
    private final ConcurrentHashMap<T, Integer> numbers = new ConcurrentHashMap<>();
    private volatile Object[] values = new Object[256];
    private int size;

    Pool(int limit) {
        this.limit = limit;
    }

    /** The value's number, or -1 when the pool is full and does not know it. */
    int number(T value) {
        Integer known = numbers.get(value);
        return known != null ? known : add(value);
    }

    private synchronized int add(T value) {
        Integer known = numbers.get(value);
        if (known != null) {
            return known;
        }
        if (size == limit) {
            return -1;
        }
        Object[] next = size < values.length ? values : Arrays.copyOf(values, size * 2);
        next[size] = value;
        values = next; // volatile write: a reader that learned the number also sees the value
        numbers.put(value, size);
        return size++;
    }

    @SuppressWarnings("unchecked")
    T value(int number) {
        @Nullable Object value = values[number];
        if (value == null) {
            throw new IllegalStateException("no pooled value " + number);
        }
        return (T) value;
    }
}
