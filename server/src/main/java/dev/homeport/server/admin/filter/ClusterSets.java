package dev.homeport.server.admin.filter;

import dev.homeport.collection.Bits;
import dev.homeport.document.Document;
import dev.homeport.snapshot.LabelSelector;
import dev.homeport.snapshot.Snapshot;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** Answers filters on clusters from the snapshot's indexes, as far as they go: by slot, without reading a document. */
public final class ClusterSets {
    private final Snapshot snapshot;
    private final Function<Document, String> states;
    private final BitSet all;

    /**
     * @param states words for the states of clusters
     * @param all slots of the clusters that are there to be found
     */
    public ClusterSets(Snapshot snapshot, Function<Document, String> states, BitSet all) {
        this.snapshot = snapshot;
        this.states = states;
        this.all = all;
    }

    /**
     * Slots of clusters.
     *
     * @param exact false when some of them may not match: the filter must be asked for each
     */
    public record Found(BitSet slots, boolean exact) {}

    /** All that have a word of a field, and the keys' prefix when the field is indexed. */
    public static Optional<String> prefix(FieldPath path) {
        List<String> names = path.names();
        if (names.size() == 2 && names.getFirst().equals("labels")) {
            return Optional.of("label/" + names.get(1) + "=");
        }
        return names.size() > 1
                ? Optional.empty()
                : switch (names.getFirst()) {
                    case "environment" -> Optional.of("environments/");
                    case "workspace" -> Optional.of("workspaces/");
                    case "template" -> Optional.of("cluster-templates/");
                    default -> Optional.empty();
                };
    }

    /** {@code state}, or the longer {@code status.state}. */
    public static boolean isState(FieldPath path) {
        return path.names().equals(List.of("state")) || path.names().equals(List.of("status", "state"));
    }

    private BitSet inState(Predicate<String> wanted) {
        BitSet slots = new BitSet();
        all.stream()
                .filter(slot -> wanted.test(states.apply(snapshot.clusterInSlot(slot))))
                .forEach(slots::set);
        return slots;
    }

    /** Nothing when the indexes cannot narrow it down. */
    public Optional<Found> of(Filter filter) {
        return switch (filter) {
            case Filter.Compare compare when isState(compare.path()) -> ofState(compare);
            case Filter.Compare compare -> of(compare);
            case Filter.In in
            when isState(in.path()) ->
                Optional.of(new Found(inState(state -> in.literals().contains(new Literal(state))), true));
            case Filter.In in ->
                prefix(in.path()).map(prefix -> {
                    BitSet slots = new BitSet();
                    in.literals()
                            .forEach(literal -> snapshot.clustersWith(prefix + literal.text())
                                    .addTo(slots));
                    return new Found(slots, true);
                });
            case Filter.Not not ->
                of(not.part()).filter(Found::exact).map(found -> new Found(rest(found.slots()), true));
            case Filter.All parts -> all(parts.parts());
            case Filter.Any parts -> any(parts.parts());
        };
    }

    private Optional<Found> ofState(Filter.Compare compare) {
        String word = compare.literal().text();
        return switch (compare.comparison()) {
            case EQUAL, HAS -> Optional.of(new Found(inState(word::equals), true));
            case UNEQUAL -> Optional.of(new Found(rest(inState(word::equals)), true));
            case BELOW, AT_MOST, ABOVE, AT_LEAST -> Optional.empty();
        };
    }

    private Optional<Found> of(Filter.Compare compare) {
        return prefix(compare.path()).flatMap(prefix -> {
            BitSet slots = new BitSet();
            snapshot.clustersWith(prefix + compare.literal().text()).addTo(slots);
            return switch (compare.comparison()) {
                case EQUAL -> Optional.of(new Found(slots, true));
                case UNEQUAL -> Optional.of(new Found(rest(slots), true));
                case HAS, BELOW, AT_MOST, ABOVE, AT_LEAST -> Optional.empty();
            };
        });
    }

    private Optional<Found> all(List<Filter> parts) {
        BitSet slots = (BitSet) all.clone();
        boolean exact = true;
        boolean narrowed = false;
        for (Filter part : parts) {
            Optional<Found> found = of(part);
            exact &= found.isPresent() && found.get().exact();
            if (found.isPresent()) {
                slots.and(found.get().slots());
                narrowed = true;
            }
        }
        return narrowed ? Optional.of(new Found(slots, exact)) : Optional.empty();
    }

    private Optional<Found> any(List<Filter> parts) {
        BitSet slots = new BitSet();
        boolean exact = true;
        for (Filter part : parts) {
            Optional<Found> found = of(part);
            if (found.isEmpty()) {
                return Optional.empty();
            }
            slots.or(found.get().slots());
            exact &= found.get().exact();
        }
        return Optional.of(new Found(slots, exact));
    }

    public BitSet of(LabelSelector selector) {
        BitSet slots = (BitSet) all.clone();
        for (LabelSelector.Requirement requirement : selector.requirements()) {
            BitSet one = new BitSet();
            switch (requirement) {
                case LabelSelector.Requirement.In in -> {
                    in.values().forEach(value -> add(in.key(), value, one));
                    slots.and(one);
                }
                case LabelSelector.Requirement.NotIn notIn -> {
                    notIn.values().forEach(value -> add(notIn.key(), value, one));
                    slots.andNot(one);
                }
                case LabelSelector.Requirement.Exists exists -> {
                    having("label/" + exists.key() + "=", one);
                    if (exists.wanted()) {
                        slots.and(one);
                    } else {
                        slots.andNot(one);
                    }
                }
            }
        }
        return slots;
    }

    private void add(String key, String value, BitSet slots) {
        snapshot.clustersWith("label/" + key + "=" + value).addTo(slots);
    }

    private void having(String prefix, BitSet slots) {
        for (Map.Entry<String, Bits> entry : snapshot.clusterKeysFrom(prefix)) {
            if (!entry.getKey().startsWith(prefix)) {
                return;
            }
            entry.getValue().addTo(slots);
        }
    }

    /** How many of the slots have each word of an indexed field, which has at most one word per cluster. */
    public Map<String, Integer> counts(String prefix, BitSet within) {
        Map<String, Integer> counts = new HashMap<>();
        for (Map.Entry<String, Bits> entry : snapshot.clusterKeysFrom(prefix)) {
            if (!entry.getKey().startsWith(prefix)) {
                break;
            }
            int[] count = {0};
            entry.getValue().forEach(slot -> count[0] += within.get(slot) ? 1 : 0);
            if (count[0] > 0) {
                counts.put(entry.getKey().substring(prefix.length()), count[0]);
            }
        }
        return counts;
    }

    private BitSet rest(BitSet slots) {
        BitSet rest = (BitSet) all.clone();
        rest.andNot(slots);
        return rest;
    }

    public BitSet all() {
        return (BitSet) all.clone();
    }
}
