package dev.homeport.collection;

import java.util.Arrays;

/** Copies of arrays with one place changed. */
final class Slots {
    private Slots() {}

    static Object[] inserted(Object[] from, int place, Object value) {
        Object[] next = Arrays.copyOf(from, from.length + 1);
        System.arraycopy(from, place, next, place + 1, from.length - place);
        next[place] = value;
        return next;
    }

    /** An array of the same kind. */
    static <T> T[] removed(T[] from, int place) {
        T[] next = Arrays.copyOf(from, from.length - 1);
        System.arraycopy(from, place + 1, next, place, next.length - place);
        return next;
    }

    static Object[] replaced(Object[] from, int place, Object value) {
        Object[] next = from.clone();
        next[place] = value;
        return next;
    }

    /** An array of the left one's kind. */
    static <T> T[] joined(T[] left, T[] right) {
        T[] all = Arrays.copyOf(left, left.length + right.length);
        System.arraycopy(right, 0, all, left.length, right.length);
        return all;
    }
}
