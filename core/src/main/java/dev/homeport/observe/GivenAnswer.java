package dev.homeport.observe;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The last answer that a cluster was given for one type.
 *
 * @param at when it was first given
 * @param begun since when answers to this cluster are recorded
 * @param items what was in it, if that is known
 * @param earlier beginnings of the digests before it, newest first
 * @param fromBackup restored from a backup: what the cluster was given after the backup is not known
 */
public record GivenAnswer(
        String cluster,
        String type,
        String shape,
        String digest,
        Instant at,
        Instant begun,
        Optional<Items> items,
        List<String> earlier,
        boolean fromBackup) {
    public static final int BEGINNING = 12;

    /**
     * What an answer holds.
     *
     * @param removed ids of what Flux deletes when it is no longer served
     * @param kept ids of what stays on the cluster then
     */
    public record Items(List<String> removed, List<String> kept) {
        private static final String KEPT = "=";

        public Items {
            removed = List.copyOf(removed);
            kept = List.copyOf(kept);
        }

        /** In one line; ids have neither blanks nor equals signs. */
        public String text() {
            return String.join(
                    " ",
                    Stream.concat(removed.stream(), kept.stream().map(KEPT::concat))
                            .toList());
        }

        public static Items parse(String text) {
            List<String> words = Arrays.stream(text.split(" ", -1))
                    .filter(word -> !word.isEmpty())
                    .toList();
            return new Items(
                    words.stream().filter(word -> !word.startsWith(KEPT)).toList(),
                    words.stream()
                            .filter(word -> word.startsWith(KEPT))
                            .map(word -> word.substring(1))
                            .toList());
        }
    }

    public GivenAnswer {
        earlier = List.copyOf(earlier);
    }

    /** One that is given now for the first time. */
    public static GivenAnswer now(
            String cluster, String type, String shape, String digest, Instant at, Optional<Items> items) {
        return new GivenAnswer(cluster, type, shape, digest, at, at, items, List.of(), false);
    }

    /** Whether the cluster was given an answer with this digest, as far as that is remembered. */
    public boolean was(String other) {
        return digest.equals(other) || other.length() >= BEGINNING && earlier.contains(other.substring(0, BEGINNING));
    }
}
