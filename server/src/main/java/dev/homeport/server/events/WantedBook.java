package dev.homeport.server.events;

import dev.homeport.document.Document;
import dev.homeport.fleet.AnswerCache;
import dev.homeport.observe.Wanted;
import dev.homeport.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The expected state of clusters that report, now and shortly before: an event says from which answer its object was made. */
final class WantedBook {
    private static final int MOST_CLUSTERS = 5_000;
    private static final int MOST_BEFORE = 4;

    private final Map<String, Page> pages = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Page> eldest) {
            return size() > MOST_CLUSTERS;
        }
    };

    /**
     * What is wanted of one cluster.
     *
     * @param layers what its layers say even while it is leaving
     * @param before earlier ones, newest first
     */
    record Page(AnswerCache.State state, Wanted now, Wanted layers, List<Wanted> before) {
        /** Whether it is or was asked for. */
        boolean mentions(String component) {
            return now.components().containsKey(component)
                    || layers.components().containsKey(component)
                    || before.stream().anyMatch(wanted -> wanted.components().containsKey(component));
        }

        /** Whether an item of this digest is or was lately asked for. */
        boolean mentions(String component, String item) {
            return Stream.concat(Stream.of(now, layers), before.stream())
                    .map(wanted -> wanted.components().get(component))
                    .anyMatch(part -> part != null && part.digest().equals(item));
        }

        /** Digest of the component's item in an answer; empty when the answer is not known here. */
        String item(String answer, String component) {
            return List.of(List.of(now), before).stream()
                    .flatMap(List::stream)
                    .filter(wanted -> !answer.isEmpty() && wanted.answer().equals(answer))
                    .findFirst()
                    .flatMap(wanted -> Optional.ofNullable(wanted.components().get(component)))
                    .map(Wanted.Part::digest)
                    .orElse("");
        }
    }

    synchronized Page of(Snapshot snapshot, Document cluster) {
        AnswerCache.State state = snapshot.stateOf(cluster);
        Page known = pages.get(cluster.id());
        if (known != null && known.state().equals(state)) {
            return known;
        }
        Page next =
                new Page(state, Wanted.of(snapshot, cluster), Wanted.regardlessOfLife(snapshot, cluster), List.of());
        if (known != null) {
            List<Wanted> before = new ArrayList<>(known.before());
            if (!known.now().answer().equals(next.now().answer())) {
                before.addFirst(known.now());
            }
            next = new Page(
                    state,
                    next.now(),
                    next.layers(),
                    before.stream().limit(MOST_BEFORE).toList());
        }
        pages.put(cluster.id(), next);
        return next;
    }
}
