package dev.homeport.server.stream;

import dev.homeport.access.Powers;
import dev.homeport.change.ChangeOutline;
import dev.homeport.change.CommitOutline;
import dev.homeport.change.History;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.snapshot.PublishedCommit;
import dev.homeport.snapshot.SeenInPast;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What one reader sees of a commit: a document that leaves the visible part of the fleet is removed, one that enters it is created.
 *
 * @param before whether the reader sees the document before the commit
 * @param after and after it
 */
record Visibility(Powers powers, Predicate<DocumentKey> before, Predicate<DocumentKey> after) {

    static Visibility of(Powers powers, PublishedCommit commit) {
        return new Visibility(
                powers,
                key -> commit.before().find(key).filter(powers::sees).isPresent(),
                key -> commit.after().find(key).filter(powers::sees).isPresent());
    }

    /** For a commit that is no longer in memory. */
    static Visibility of(Powers powers, History history, CommitOutline commit) {
        if (powers.seesAll()) {
            return new Visibility(powers, key -> true, key -> true);
        }
        SeenInPast seen = new SeenInPast(history, powers);
        long revision = commit.commit().revision();
        Set<DocumentKey> before = seen.documents(keys(commit, change -> !change.creates()), revision - 1);
        Set<DocumentKey> after = seen.documents(keys(commit, change -> !change.removes()), revision);
        return new Visibility(powers, before::contains, after::contains);
    }

    private static Set<DocumentKey> keys(CommitOutline commit, Predicate<ChangeOutline> which) {
        return commit.changes().stream()
                .filter(change -> isLife(change) || which.test(change))
                .map(Visibility::shown)
                .collect(Collectors.toSet());
    }

    private static boolean isLife(ChangeOutline change) {
        return change.key().type().equals(Types.CLUSTER_LIFE);
    }

    /** What is recorded about a cluster is a change of the cluster. */
    private static DocumentKey shown(ChangeOutline change) {
        return isLife(change) ? new DocumentKey(Types.CLUSTER, change.key().id()) : change.key();
    }

    String text(String text) {
        return powers.discreet(text);
    }

    /** What happened as the reader sees it; empty when the document is hidden before and after. */
    Optional<String> of(ChangeOutline change, String happened) {
        if (powers.seesAll()) {
            return Optional.of(happened);
        }
        boolean seenBefore = before.test(shown(change));
        boolean seenAfter = after.test(shown(change));
        if (!seenBefore && !seenAfter) {
            return Optional.empty();
        }
        return Optional.of(seenBefore && seenAfter ? happened : seenBefore ? "removed" : "created");
    }
}
