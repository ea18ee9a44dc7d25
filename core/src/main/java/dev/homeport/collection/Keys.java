package dev.homeport.collection;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The ascending keys of one node. Strings are found by marks: eight characters of each, behind what all of them begin with, as a
 * number. A search then reads one short array and one string, where comparing strings would fetch a dozen objects from
 * anywhere in memory.
 */
final class Keys {
    private static final int MARKED = 8;

    /** This character and all behind it have one mark, which ends the number, so that marks never contradict the order. */
    private static final char LAST_MARK = 0xFF;

    private final Object[] all;
    private final @Nullable String prefix;
    private final int shared;
    private final long[] marks;

    private Keys(Object[] all, @Nullable String prefix, long[] marks) {
        this.all = all;
        this.prefix = prefix;
        this.shared = prefix == null ? 0 : prefix.length();
        this.marks = marks;
    }

    static Keys of(Object... all) {
        if (all.length == 0 || !(all[0] instanceof String first)) {
            return new Keys(all, null, new long[0]);
        }
        String last = (String) all[all.length - 1];
        int shared = 0;
        while (shared < first.length() && shared < last.length() && first.charAt(shared) == last.charAt(shared)) {
            shared++;
        }
        long[] marks = new long[all.length];
        for (int i = 0; i < marks.length; i++) {
            marks[i] = mark((String) all[i], shared);
        }
        return new Keys(all, first.substring(0, shared), marks);
    }

    int size() {
        return all.length;
    }

    Object get(int place) {
        return all[place];
    }

    Object[] all() {
        return all;
    }

    /** The place of a key, or {@code -(place where it belongs) - 1}. */
    int find(Object key) {
        if (!(key instanceof String wanted)) {
            return Arrays.binarySearch(all, key);
        }
        if (prefix == null || wanted.length() < shared) {
            return search(wanted, 0, all.length - 1);
        }
        long mark = mark(wanted, shared);
        int low = 0;
        int high = marks.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (marks[middle] < mark) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        int end = low;
        while (end < marks.length && marks[end] == mark) {
            end++;
        }
        int place = search(wanted, low, end - 1);
        // What was found needs no look at the prefix, which is somewhere else in memory.
        return place >= 0 || wanted.startsWith(prefix) ? place : search(wanted, 0, all.length - 1);
    }

    private int search(String wanted, int from, int to) {
        int low = from;
        int high = to;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = ((String) all[middle]).compareTo(wanted);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -(low + 1);
    }

    Keys with(int place, Object key) {
        Object[] next = Slots.inserted(all, place, key);
        if (prefix == null || !((String) key).startsWith(prefix)) {
            return of(next);
        }
        long[] nextMarks = Arrays.copyOf(marks, marks.length + 1);
        System.arraycopy(marks, place, nextMarks, place + 1, marks.length - place);
        nextMarks[place] = mark((String) key, shared);
        return new Keys(next, prefix, nextMarks);
    }

    Keys without(int place) {
        Object[] next = Slots.removed(all, place);
        if (prefix == null || next.length == 0) {
            return of(next);
        }
        long[] nextMarks = Arrays.copyOf(marks, marks.length - 1);
        System.arraycopy(marks, place + 1, nextMarks, place, nextMarks.length - place);
        return new Keys(next, prefix, nextMarks);
    }

    /** With another key at a place, where it fits into the order. */
    Keys replaced(int place, Object key) {
        return of(Slots.replaced(all, place, key));
    }

    private static long mark(String key, int from) {
        long mark = 0;
        int end = Math.min(key.length(), from + MARKED);
        int shift = 8 * MARKED;
        for (int i = from; i < end; i++) {
            shift -= 8;
            char c = key.charAt(i);
            if (c >= LAST_MARK) {
                mark |= (long) LAST_MARK << shift;
                break;
            }
            mark |= (long) c << shift;
        }
        return mark ^ Long.MIN_VALUE; // compares as if it had no sign
    }
}
