package dev.homeport.server.command;

import dev.homeport.document.Document;
import dev.homeport.document.Types;
import dev.homeport.observe.GivenAnswer;
import dev.homeport.observe.ObservedPoll;
import dev.homeport.server.poll.AnswerContent;
import dev.homeport.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Compares the last answer that each cluster was given with the one that the store would give. What is not on record is unknown,
 * and never counted as unchanged.
 */
final class AcceptReview {
    private static final int OK = 200;

    private final Snapshot snapshot;
    private final Map<String, List<GivenAnswer>> given = new TreeMap<>();

    /** Clusters by what happens to them, in the words that are shown. */
    private final Map<String, List<String>> changed = new TreeMap<>();

    private final Map<String, List<String>> unknown = new TreeMap<>();
    private final List<String> unchanged = new ArrayList<>();
    private final List<String> absent = new ArrayList<>();

    private AcceptReview(Snapshot snapshot) {
        this.snapshot = snapshot;
    }

    /** @param polls an older release recorded no answers, but the digest of the last poll */
    static AcceptReview of(Snapshot snapshot, List<GivenAnswer> answers, List<ObservedPoll> polls) {
        AcceptReview review = new AcceptReview(snapshot);
        for (GivenAnswer answer : answers) {
            review.given
                    .computeIfAbsent(answer.cluster(), cluster -> new ArrayList<>())
                    .add(answer);
        }
        for (ObservedPoll poll : polls) {
            List<GivenAnswer> known = review.given.computeIfAbsent(poll.cluster(), cluster -> new ArrayList<>());
            if (poll.status() == OK
                    && !poll.type().equals(Types.WITNESSES)
                    && known.stream().noneMatch(one -> one.type().equals(poll.type()))) {
                known.add(GivenAnswer.now(
                        poll.cluster(), poll.type(), poll.shape(), poll.digest(), poll.since(), Optional.empty()));
            }
        }
        TreeSet<String> all = new TreeSet<>(review.given.keySet());
        snapshot.all(Types.CLUSTER).values().forEach(cluster -> all.add(cluster.id()));
        all.forEach(review::add);
        return review;
    }

    private void add(String id) {
        Document cluster = snapshot.document(Types.CLUSTER, id);
        List<GivenAnswer> answers = given.getOrDefault(id, List.of());
        if (cluster == null) {
            absent.add(id);
            return;
        }
        List<String> effects = new ArrayList<>();
        for (GivenAnswer answer : answers) {
            effect(cluster, answer).ifPresent(effects::add);
        }
        boolean old = answers.stream().anyMatch(GivenAnswer::fromBackup);
        if (answers.isEmpty()) {
            put(unknown, "no answer is on record", id);
        } else if (old) {
            put(unknown, "answers are on record up to the backup, not what it was given since", id);
        }
        if (!effects.isEmpty()) {
            put(changed, String.join("\n", effects), id);
        } else if (!answers.isEmpty() && !old) {
            unchanged.add(id);
        }
    }

    private static void put(Map<String, List<String>> by, String what, String cluster) {
        by.computeIfAbsent(what, one -> new ArrayList<>()).add(cluster);
    }

    private Optional<String> effect(Document cluster, GivenAnswer answer) {
        String type = answer.type();
        return switch (AnswerContent.of(snapshot, cluster, type, answer.shape())) {
            case AnswerContent.Nothing nothing ->
                Optional.of("keeps what it has of " + type + ", polls get an error: " + nothing.why());
            case AnswerContent.Served next when next.digest().equals(answer.digest()) -> Optional.empty();
            case AnswerContent.Served next ->
                Optional.of(answer.items()
                        .map(before -> difference(type, before, next.items()))
                        .orElse("gets another answer for " + type + "; what it has is not on record"));
        };
    }

    private static String difference(String type, GivenAnswer.Items before, GivenAnswer.Items next) {
        List<String> parts = new ArrayList<>();
        List<String> after = joined(next.removed(), next.kept());
        names(parts, "deletes", type, without(before.removed(), after));
        names(parts, "stops managing", type, without(before.kept(), after));
        names(parts, "adds", type, without(after, joined(before.removed(), before.kept())));
        return parts.isEmpty() ? "updates " + type + ", deletes nothing" : String.join("; ", parts);
    }

    private static List<String> joined(List<String> one, List<String> other) {
        List<String> all = new ArrayList<>(one);
        all.addAll(other);
        return all;
    }

    private static List<String> without(List<String> ids, Collection<String> others) {
        return ids.stream().filter(id -> !others.contains(id)).sorted().toList();
    }

    private static void names(List<String> parts, String verb, String type, List<String> ids) {
        if (!ids.isEmpty()) {
            parts.add(verb + " "
                    + String.join(", ", ids.stream().map(id -> type + "/" + id).toList()));
        }
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(unchanged.size() + " clusters keep the answer they have; " + count(changed)
                + " would get another one; of " + count(unknown) + " it is unknown what they have; " + absent.size()
                + " are not in the store and keep what they have");
        changed.forEach((effect, clusters) -> {
            lines.add("other answer: " + String.join(", ", clusters));
            effect.lines().forEach(line -> lines.add("  " + line));
        });
        unknown.forEach((why, clusters) -> {
            lines.add("unknown: " + String.join(", ", clusters));
            lines.add("  " + why + "; at its next poll each is given what the store has, and loses what is not in it");
        });
        if (!absent.isEmpty()) {
            lines.add("not in the store: " + String.join(", ", absent));
        }
        return lines;
    }

    private static int count(Map<String, List<String>> clusters) {
        return clusters.values().stream().mapToInt(List::size).sum();
    }
}
