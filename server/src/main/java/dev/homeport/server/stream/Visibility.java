package dev.homeport.server.stream;

import dev.homeport.access.Powers;
import dev.homeport.change.History;
import dev.homeport.change.RecordedChange;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.snapshot.PublishedCommit;
import java.util.Optional;
import java.util.function.Function;

/**
 * What one reader sees of a commit: a document that leaves the visible part of the fleet is removed, one that enters it is created.
 *
 * @param before the documents before the commit
 * @param after the documents after it
 */
record Visibility(
        Powers powers,
        Function<DocumentKey, Optional<Document>> before,
        Function<DocumentKey, Optional<Document>> after) {

    static Visibility of(Powers powers, PublishedCommit commit) {
        return new Visibility(powers, commit.before()::find, commit.after()::find);
    }

    /** For a commit that is no longer in memory. */
    static Visibility of(Powers powers, History history, long revision) {
        return new Visibility(
                powers, key -> history.documentAt(key, revision - 1), key -> history.documentAt(key, revision));
    }

    String text(String text) {
        return powers.discreet(text);
    }

    /** What happened as the reader sees it; empty when the document is hidden before and after. */
    Optional<String> of(RecordedChange change, String happened) {
        if (powers.seesAll()) {
            return Optional.of(happened);
        }
        DocumentKey key = change.key().type().equals(Types.CLUSTER_LIFE)
                ? new DocumentKey(Types.CLUSTER, change.key().id())
                : change.key();
        boolean seenBefore = before.apply(key).filter(powers::sees).isPresent();
        boolean seenAfter = after.apply(key).filter(powers::sees).isPresent();
        if (!seenBefore && !seenAfter) {
            return Optional.empty();
        }
        return Optional.of(seenBefore && seenAfter ? happened : seenBefore ? "removed" : "created");
    }
}
