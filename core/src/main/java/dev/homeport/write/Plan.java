package dev.homeport.write;

import dev.homeport.access.Powers;
import dev.homeport.document.Types;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

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
 * @param others it also changes clusters that the caller does not see
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
        List<Expiry> later,
        boolean others) {

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

    /**
     * What happens when everything in a document has run out.
     *
     * @param from when the first of it does; empty when that depends on the cluster
     * @param guards why it needs a confirmation now
     */
    public record Expiry(
            dev.homeport.document.DocumentKey key,
            Optional<Instant> from,
            String effectHash,
            List<Group> groups,
            List<String> guards) {
        public Expiry {
            groups = List.copyOf(groups);
            guards = List.copyOf(guards);
        }

        private Expiry discreet(Powers powers) {
            return new Expiry(key, from, effectHash, seen(groups, powers), texts(guards, powers));
        }
    }

    public Plan {
        documents = List.copyOf(documents);
        groups = List.copyOf(groups);
        guards = List.copyOf(guards);
        warnings = List.copyOf(warnings);
        paused = List.copyOf(paused);
        later = List.copyOf(later);
    }

    /** The same plan without clusters that the caller does not see. Its hash still stands for the whole. */
    public Plan discreet(Powers powers) {
        if (powers.seesAll()) {
            return this;
        }
        // Documents that go with others may be hidden from the caller.
        List<DocumentChange> known = documents.stream()
                .filter(change ->
                        !powers.isHidden(change.key().type(), change.key().id()))
                .toList();
        boolean hidden = known.size() < documents.size()
                || groups.stream()
                        .anyMatch(group -> visible(group.clusters(), powers).size()
                                < group.clusters().size());
        return new Plan(
                basedOn,
                hash,
                effectHash,
                known,
                seen(groups, powers),
                texts(guards, powers),
                texts(warnings, powers),
                visible(paused, powers),
                later.stream().map(expiry -> expiry.discreet(powers)).toList(),
                hidden);
    }

    private static List<Group> seen(List<Group> groups, Powers powers) {
        return groups.stream()
                .map(group ->
                        new Group(group.type(), group.changes(), visible(group.clusters(), powers), group.empties()))
                .filter(group -> !group.clusters().isEmpty())
                .toList();
    }

    private static List<String> visible(List<String> clusters, Powers powers) {
        return clusters.stream()
                .filter(cluster -> !powers.isHidden(Types.CLUSTER, cluster))
                .toList();
    }

    private static List<String> texts(List<String> texts, Powers powers) {
        return texts.stream().map(powers::discreet).distinct().toList();
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
