package dev.homeport.fleet;

import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Why a cluster's items of one type are what they are.
 *
 * @param unresolved why the cluster has no answer; empty if it has one
 */
public record Explanation(List<ExplainedItem> items, Optional<String> unresolved) {

    /**
     * One item that any layer speaks of.
     *
     * @param assigned false when it is only overridden, or was removed: then it is not served
     * @param assignment the entry that decided that
     */
    public record ExplainedItem(String id, boolean assigned, Origin assignment, List<ExplainedValue> values) {}

    /** One value with where it comes from, and what it stands in front of, nearest first. */
    public record ExplainedValue(String path, JsonNode value, Origin origin, List<Shadowed> shadowed) {}

    /** A value that another stands in front of. Its path differs when a whole subtree was replaced. */
    public record Shadowed(String path, JsonNode value, Origin origin) {}

    /**
     * The origin of a value: the layer, the document in the version that is read, its author, and the note at the place
     * itself.
     *
     * @param noted the reason is the note's, and not that of the document's change
     * @param orEarlier an earlier revision set it; the search was limited
     */
    public record Origin(
            LayerSource.Kind layer,
            DocumentKey document,
            long revision,
            String author,
            String reason,
            boolean noted,
            @Nullable String owner,
            @Nullable Instant expiresAt,
            boolean orEarlier) {

        static Origin of(LayerSource.Kind layer, Document document, Note note) {
            String reason = note.reason();
            return new Origin(
                    layer,
                    document.key(),
                    document.updated().revision(),
                    document.updated().by(),
                    reason == null ? document.updated().reason() : reason,
                    reason != null,
                    note.owner(),
                    note.expiresAt(),
                    false);
        }

        public Origin atLeastAsOld() {
            return new Origin(layer, document, revision, author, reason, noted, owner, expiresAt, true);
        }
    }
}
