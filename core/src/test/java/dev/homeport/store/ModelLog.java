package dev.homeport.store;

import dev.homeport.access.Actor;
import dev.homeport.change.AppendResult;
import dev.homeport.change.Change;
import dev.homeport.change.Commit;
import dev.homeport.change.CommitHash;
import dev.homeport.change.Head;
import dev.homeport.change.Proposal;
import dev.homeport.document.Body;
import dev.homeport.document.DocumentKey;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** What a log means, in memory and without care for speed: every past state is kept whole. */
final class ModelLog {
    private final List<Commit> commits = new ArrayList<>();
    private final List<List<Change>> changes = new ArrayList<>();
    private final List<SortedMap<DocumentKey, Version>> states = new ArrayList<>(List.of(new TreeMap<>()));
    private final Map<String, Proposal.Idempotency> asked = new HashMap<>();
    private final Map<String, Commit> answered = new HashMap<>();
    private long epoch = 1;

    record Version(Body body, long created, long updated) {}

    long revision() {
        return commits.size();
    }

    Head head(String storeId) {
        return new Head(
                storeId,
                epoch,
                revision(),
                commits.isEmpty() ? CommitHash.GENESIS : commits.getLast().hash());
    }

    SortedMap<DocumentKey, Version> at(long revision) {
        return states.get((int) Math.min(revision, revision()));
    }

    Commit commit(long revision) {
        return commits.get((int) revision - 1);
    }

    List<Change> changes(long revision) {
        return changes.get((int) revision - 1);
    }

    long raiseEpoch() {
        return ++epoch;
    }

    List<Long> commitsOf(DocumentKey key, long below, int limit) {
        return LongStream.rangeClosed(1, revision())
                .map(i -> revision() + 1 - i)
                .filter(revision -> revision < below)
                .filter(revision -> changes(revision).stream()
                        .anyMatch(change -> change.key().equals(key)))
                .limit(limit)
                .boxed()
                .toList();
    }

    long revisionAt(Instant time) {
        return commits.stream().filter(commit -> !commit.at().isAfter(time)).count();
    }

    Optional<AppendResult> committedUnder(Actor actor, Proposal.Idempotency idempotency) {
        String key = actor + " " + idempotency.key();
        if (!answered.containsKey(key)) {
            return Optional.empty();
        }
        return Optional.of(
                asked.get(key).equals(idempotency)
                        ? new AppendResult.Replayed(answered.get(key))
                        : new AppendResult.KeyReused(answered.get(key)));
    }

    AppendResult append(Proposal proposal) {
        Set<DocumentKey> keys = new HashSet<>();
        proposal.changes().forEach(change -> require(keys.add(change.key())));
        require(!keys.isEmpty());
        Optional<AppendResult> earlier =
                proposal.idempotency().flatMap(idempotency -> committedUnder(proposal.actor(), idempotency));
        if (earlier.isPresent()) {
            return earlier.get();
        }
        Head now = head(proposal.expectedHead().storeId());
        if (!proposal.expectedHead().equals(now)) {
            return new AppendResult.HeadMoved(now);
        }
        states.add(folded(proposal.changes()));
        Commit commit = commit(proposal);
        commits.add(commit);
        changes.add(proposal.changes());
        proposal.idempotency().ifPresent(idempotency -> {
            asked.put(proposal.actor() + " " + idempotency.key(), idempotency);
            answered.put(proposal.actor() + " " + idempotency.key(), commit);
        });
        return new AppendResult.Appended(commit);
    }

    private SortedMap<DocumentKey, Version> folded(List<Change> some) {
        SortedMap<DocumentKey, Version> next = new TreeMap<>(states.getLast());
        for (Change change : some) {
            Version before = next.remove(change.key());
            switch (change) {
                case Change.Put put -> {
                    long created = before == null ? revision() + 1 : before.created();
                    next.put(change.key(), new Version(put.after(), created, revision() + 1));
                }
                case Change.Remove remove -> require(before != null);
            }
        }
        return next;
    }

    private Commit commit(Proposal proposal) {
        Instant now = proposal.now().truncatedTo(ChronoUnit.MICROS);
        Instant earliest = commits.isEmpty() ? now : commits.getLast().at().plusNanos(1_000);
        Commit draft = draft(proposal, now.isBefore(earliest) ? earliest : now, "");
        List<String> digests = proposal.changes().stream()
                .map(change -> CommitHash.ofChange(
                        change.key(),
                        change.body()
                                .map(body -> CommitHash.ofPayload(body.canonicalBytes()))
                                .orElse(CommitHash.NOTHING)))
                .toList();
        return draft(proposal, draft.at(), CommitHash.ofCommit(draft, digests));
    }

    private Commit draft(Proposal proposal, Instant at, String hash) {
        return new Commit(
                revision() + 1,
                epoch,
                at,
                proposal.actor(),
                proposal.reason(),
                proposal.requestId(),
                proposal.idempotency().map(Proposal.Idempotency::key),
                proposal.marks(),
                proposal.changes().size(),
                commits.isEmpty() ? CommitHash.GENESIS : commits.getLast().hash(),
                hash);
    }

    private static void require(boolean holds) {
        if (!holds) {
            throw new IllegalArgumentException("the model refuses this");
        }
    }
}
