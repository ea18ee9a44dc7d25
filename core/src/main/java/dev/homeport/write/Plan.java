package dev.homeport.write;

import java.util.List;

/**
 * What a request would do, exactly: the difference of all answers, over all clusters, with identical differences grouped.
 *
 * @param basedOn the revision it was computed against
 * @param hash names the operations and their effect, and not the revision: while it stays the same, a confirmation holds
 * @param effectHash names the effect alone
 * @param guards why it needs a confirmation; empty when it needs none
 * @param warnings worth knowing, but no reason to stop
 * @param paused clusters that it would change if they were not paused
 * @param later for each document in which something expires, the effect of that
 */
public record Plan(
        long basedOn,
        String hash,
        String effectHash,
        List<DocumentChange> documents,
        List<Group> groups,
        List<String> guards,
        List<String> warnings,
        List<String> paused,
        List<Expiry> later) {

    /** One kind of difference and the clusters that it happens to. */
    public record Group(String type, List<ItemChange> changes, List<String> clusters, boolean empties) {
        public Group {
            changes = List.copyOf(changes);
            clusters = List.copyOf(clusters);
        }
    }

    /** A document that the commit writes or removes. */
    public record DocumentChange(dev.homeport.document.DocumentKey key, Kind kind) {
        /** What happens to it. */
        public enum Kind {
            CREATED,
            CHANGED,
            REMOVED
        }
    }

    /** What happens when everything in a document has run out, as far as that needed a confirmation. */
    public record Expiry(dev.homeport.document.DocumentKey key, String effectHash, List<String> guards) {}

    public Plan {
        documents = List.copyOf(documents);
        groups = List.copyOf(groups);
        guards = List.copyOf(guards);
        warnings = List.copyOf(warnings);
        paused = List.copyOf(paused);
        later = List.copyOf(later);
    }

    public boolean changesNothing() {
        return documents.isEmpty();
    }

    /** How many clusters get another answer of any type. */
    public long clustersChanged() {
        return groups.stream()
                .flatMap(group -> group.clusters().stream())
                .distinct()
                .count();
    }
}
