package dev.homeport.fleet;

import dev.homeport.document.BrokenDocument;
import dev.homeport.document.Document;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;

/**
 * What Homeport itself keeps about a cluster, as a document beside the cluster's own. A type in {@code filled} has had items;
 * from then on an empty answer needs an entry in {@code emptied}. A type in neither has been empty since birth.
 *
 * @param since the revision at which the phase began
 * @param releasing namespaces are given up for deletion before the cluster leaves
 * @param leaveAt end of the grace before a decommission takes effect
 * @param filled names of types, in order
 * @param emptied for each type that a confirmed commit emptied, that commit's revision
 * @param unserved the cluster was made here, and no token was ever made for it. False also when that is not known
 */
public record ClusterLife(
        Phase phase,
        long since,
        boolean releasing,
        @Nullable Instant leaveAt,
        List<String> filled,
        SortedMap<String, Long> emptied,
        @Nullable Pause pause,
        boolean unserved) {

    /** Where in its life a cluster is. */
    public enum Phase {
        ACTIVE,
        /** Deleted: its answers are empty, so that Flux cleans up. */
        LEAVING,
        /** No longer managed: no answers, so that nothing is touched. */
        DETACHED
    }

    /**
     * The answers that a paused cluster keeps getting.
     *
     * @param items by type, with the fields of both wire shapes
     * @param format the answers' format; empty in older records, which follow the fleet's
     * @param templates of types added at run time, by their plurals; empty in older records, which follow the types
     */
    public record Pause(
            Note note,
            ClusterBlock cluster,
            SortedMap<String, ArrayNode> items,
            Optional<Integer> format,
            Optional<SortedMap<String, String>> templates) {}

    public static final ClusterLife NEWBORN =
            new ClusterLife(Phase.ACTIVE, 0, false, null, List.of(), Collections.emptySortedMap(), null, false);

    public static ClusterLife of(@Nullable Document document) {
        if (document == null) {
            return NEWBORN;
        }
        try {
            return ClusterLifeForm.read(document);
        } catch (BrokenDocument e) {
            throw e;
        } catch (RuntimeException e) {
            // Whatever is wrong with it, one cluster is held and no other.
            throw new BrokenDocument(document.key(), "it is not the record of a cluster");
        }
    }

    /** Nothing when it cannot be read. */
    public static Optional<ClusterLife> ifReadable(@Nullable Document document) {
        try {
            return Optional.of(of(document));
        } catch (BrokenDocument e) {
            return Optional.empty();
        }
    }

    public ClusterLife withFilled(String type) {
        SortedSet<String> nextFilled = new TreeSet<>(filled);
        nextFilled.add(type);
        SortedMap<String, Long> nextEmptied = new TreeMap<>(emptied);
        nextEmptied.remove(type);
        return new ClusterLife(phase, since, releasing, leaveAt, List.copyOf(nextFilled), nextEmptied, pause, unserved);
    }

    public ClusterLife withEmptied(String type, long revision) {
        SortedSet<String> nextFilled = new TreeSet<>(filled);
        nextFilled.remove(type);
        SortedMap<String, Long> nextEmptied = new TreeMap<>(emptied);
        nextEmptied.put(type, revision);
        return new ClusterLife(phase, since, releasing, leaveAt, List.copyOf(nextFilled), nextEmptied, pause, unserved);
    }

    public ClusterLife withPhase(Phase next, long revision) {
        return new ClusterLife(next, revision, false, null, filled, emptied, pause, unserved);
    }

    public ClusterLife withLeaveAt(@Nullable Instant time) {
        return new ClusterLife(phase, since, releasing, time, filled, emptied, pause, unserved);
    }

    public ClusterLife withReleasing() {
        return new ClusterLife(phase, since, true, leaveAt, filled, emptied, pause, unserved);
    }

    public ClusterLife withPause(@Nullable Pause next) {
        return new ClusterLife(phase, since, releasing, leaveAt, filled, emptied, next, unserved);
    }

    public ClusterLife withUnserved(boolean certain) {
        return new ClusterLife(phase, since, releasing, leaveAt, filled, emptied, pause, certain);
    }

    /** Equal in what people decide: phase, grace and pin. */
    public boolean sameCourse(ClusterLife other) {
        return phase == other.phase
                && releasing == other.releasing
                && Objects.equals(leaveAt, other.leaveAt)
                && Objects.equals(pause, other.pause);
    }

    /** This record with the other's phase, grace and pin. */
    public ClusterLife onCourseOf(ClusterLife other, long revision) {
        return new ClusterLife(
                other.phase, revision, other.releasing, other.leaveAt, filled, emptied, other.pause, unserved);
    }

    public Optional<Pause> paused() {
        return Optional.ofNullable(pause);
    }
}
