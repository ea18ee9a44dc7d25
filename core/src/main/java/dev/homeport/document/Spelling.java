package dev.homeport.document;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the word that was probably meant. */
final class Spelling {
    private static final int MAX_LENGTH = 60;

    private Spelling() {}

    static Optional<String> nearest(String word, Collection<String> known) {
        if (word.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        int limit = Math.max(1, word.length() / 3);
        return known.stream()
                .filter(candidate -> distance(word, candidate) <= limit)
                .min(Comparator.comparingInt(candidate -> distance(word, candidate)));
    }

    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
