package dev.homeport.server.linear;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Looks for one order of all operations in which each was answered as a single copy of the document would have answered it, and
 * in which none comes before one that had ended when it began (Wing and Gong). Documents are independent, so each is searched
 * alone; besides, revisions must grow in the same order over all documents.
 */
final class LinearizabilityChecker {
    private LinearizabilityChecker() {}

    /** Why a history is not one of a single copy; empty when it is. */
    static Optional<String> fault(List<DocumentOperation> history) {
        Optional<String> revisions = revisionFault(history);
        if (revisions.isPresent()) {
            return revisions;
        }
        Map<String, List<DocumentOperation>> byDocument = new TreeMap<>();
        history.forEach(operation -> byDocument
                .computeIfAbsent(operation.document(), id -> new ArrayList<>())
                .add(operation));
        for (Map.Entry<String, List<DocumentOperation>> one : byDocument.entrySet()) {
            if (!new Search(one.getValue()).succeeds()) {
                return Optional.of("there is no order of these: " + one.getValue());
            }
        }
        return Optional.empty();
    }

    /** One revision for each value and one value for each revision; and what began after another had ended has a higher one. */
    private static Optional<String> revisionFault(List<DocumentOperation> history) {
        Map<String, Long> byValue = new HashMap<>();
        Map<Long, String> byRevision = new HashMap<>();
        for (DocumentOperation one : history) {
            String value = one.kind() == DocumentOperation.Kind.GET ? one.seen() : one.value();
            if (one.outcome() != DocumentOperation.Outcome.DONE || value == null) {
                continue;
            }
            if (!Objects.equals(byValue.computeIfAbsent(value, v -> one.revision()), one.revision())) {
                return Optional.of(value + " has the revisions " + byValue.get(value) + " and " + one.revision());
            }
            if (!byRevision.computeIfAbsent(one.revision(), r -> value).equals(value)) {
                return Optional.of(
                        "revision " + one.revision() + " is both " + byRevision.get(one.revision()) + " and " + value);
            }
        }
        List<DocumentOperation> writes = history.stream()
                .filter(one ->
                        one.outcome() == DocumentOperation.Outcome.DONE && one.kind() != DocumentOperation.Kind.GET)
                .sorted(Comparator.comparingLong(DocumentOperation::revision))
                .toList();
        long latestStart = Long.MIN_VALUE;
        for (DocumentOperation one : writes) {
            if (one.end() < latestStart) {
                return Optional.of("revision " + one.revision() + " ended before one with a lower revision began");
            }
            latestStart = Math.max(latestStart, one.start());
        }
        return Optional.empty();
    }

    /** A state of the search: which operations are placed, and what the document then is. */
    private record Reached(BitSet placed, @Nullable String value) {}

    private static final class Search {
        private final List<DocumentOperation> operations;
        private final Set<Reached> tried = new HashSet<>();

        Search(List<DocumentOperation> operations) {
            this.operations = operations.stream()
                    .sorted(Comparator.comparingLong(DocumentOperation::start))
                    .toList();
        }

        boolean succeeds() {
            return from(new BitSet(), null);
        }

        private boolean from(BitSet placed, @Nullable String value) {
            if (onlyUnknownLeft(placed)) {
                return true;
            }
            if (!tried.add(new Reached((BitSet) placed.clone(), value))) {
                return false;
            }
            long firstEnd = Long.MAX_VALUE;
            for (int i = placed.nextClearBit(0); i < operations.size(); i = placed.nextClearBit(i + 1)) {
                firstEnd = Math.min(firstEnd, operations.get(i).end());
            }
            for (int i = placed.nextClearBit(0); i < operations.size(); i = placed.nextClearBit(i + 1)) {
                DocumentOperation next = operations.get(i);
                if (next.start() > firstEnd) {
                    break; // whatever follows began after one had ended that is not placed yet
                }
                if (isPossible(next, value)) {
                    placed.set(i);
                    if (from(placed, after(next, value))) {
                        return true;
                    }
                    placed.clear(i);
                }
            }
            return false;
        }

        private boolean onlyUnknownLeft(BitSet placed) {
            for (int i = placed.nextClearBit(0); i < operations.size(); i = placed.nextClearBit(i + 1)) {
                if (operations.get(i).outcome() != DocumentOperation.Outcome.UNKNOWN) {
                    return false;
                }
            }
            return true;
        }

        private static boolean isPossible(DocumentOperation operation, @Nullable String value) {
            boolean isExpected = value != null && value.equals(operation.expected());
            return switch (operation.outcome()) {
                // What has no effect in this state need not be placed here.
                case DONE, UNKNOWN ->
                    switch (operation.kind()) {
                        case CREATE -> value == null;
                        case UPDATE, DELETE -> isExpected;
                        case GET -> value != null && value.equals(operation.seen());
                    };
                case ABSENT -> value == null;
                case EXISTS -> value != null;
                case STALE -> value != null && !isExpected;
            };
        }

        private static @Nullable String after(DocumentOperation operation, @Nullable String value) {
            boolean done = operation.outcome() == DocumentOperation.Outcome.DONE
                    || operation.outcome() == DocumentOperation.Outcome.UNKNOWN;
            return done && operation.kind() != DocumentOperation.Kind.GET ? operation.value() : value;
        }
    }
}
