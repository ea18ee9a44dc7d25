package dev.homeport.server.stream;

import dev.homeport.access.Powers;
import dev.homeport.change.Commit;
import dev.homeport.change.History;
import dev.homeport.change.RecordedChange;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import java.util.Optional;

/** What one reader sees of a commit: a document that leaves the visible part of the fleet is removed, one that enters it is created. */
record Visibility(Powers powers, History history) {
    String text(String text) {
        return powers.discreet(text);
    }

    /** What happened in his eyes; nothing when it is not his to see. */
    Optional<String> of(RecordedChange change, Commit commit, String happened) {
        if (powers.seesAll()) {
            return Optional.of(happened);
        }
        DocumentKey key = change.key().type().equals(Types.CLUSTER_LIFE)
                ? new DocumentKey(Types.CLUSTER, change.key().id())
                : change.key();
        boolean before = sees(history.documentAt(key, commit.revision() - 1));
        boolean after = sees(history.documentAt(key, commit.revision()));
        if (!before && !after) {
            return Optional.empty();
        }
        return Optional.of(before && after ? happened : before ? "removed" : "created");
    }

    private boolean sees(Optional<Document> document) {
        return document.filter(powers::sees).isPresent();
    }
}
