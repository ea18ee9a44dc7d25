package dev.homeport.store;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A query with an IN list. It comes in a few lengths only, so that each is prepared once; a shorter list is padded with its
 * last value.
 */
final class ManyValues {
    static final int MOST = 500;

    private static final int[] LENGTHS = {1, 8, 64, MOST};

    private final String[] queries = new String[LENGTHS.length];

    /** The template has {@code %s} where the list goes. */
    ManyValues(String template) {
        for (int i = 0; i < LENGTHS.length; i++) {
            queries[i] = template.formatted(String.join(", ", Collections.nCopies(LENGTHS[i], "?")));
        }
    }

    String query(int count) {
        return queries[indexFor(count)];
    }

    static Object[] padded(List<?> before, List<?> values) {
        int length = LENGTHS[indexFor(values.size())];
        List<Object> all = new ArrayList<>(before.size() + length);
        all.addAll(before);
        all.addAll(values);
        all.addAll(Collections.nCopies(length - values.size(), values.getLast()));
        return all.toArray();
    }

    private static int indexFor(int count) {
        int index = 0;
        while (LENGTHS[index] < count) {
            index++;
        }
        return index;
    }
}
