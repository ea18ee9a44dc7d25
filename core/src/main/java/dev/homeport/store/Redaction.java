package dev.homeport.store;

import dev.homeport.document.DocumentKey;
import dev.homeport.json.CanonicalJson;
import java.sql.SQLException;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Blanks one value in the payload of one change. */
final class Redaction {
    /** What stands where the value was. */
    static final String BLANK = "[redacted]";

    private Redaction() {}

    static void redact(Session session, HeadLock lock, long revision, DocumentKey key, String pointer)
            throws SQLException {
        lock.take(session);
        ChangeRows.Row change = session.first("""
                        SELECT revision, ordinal, type, id, payload, payload_digest, before_digest, redacted
                        FROM changes
                        WHERE type = ? AND id = ? AND revision = ?
                        """, ChangeRows::read, key.type(), key.id(), revision)
                .orElseThrow(() -> new IllegalStateException("revision " + revision + " did not change " + key));
        requirePast(session, key, revision);
        byte[] payload = change.payload();
        if (payload == null) {
            throw new IllegalStateException("revision " + revision + " removed " + key + " and holds no value");
        }
        ObjectNode tree = RowJson.tree(payload);
        blank(tree, pointer);
        session.update(
                "UPDATE changes SET payload = ?, redacted = 1 WHERE revision = ? AND ordinal = ?",
                CanonicalJson.text(tree),
                revision,
                change.ordinal());
    }

    private static void requirePast(Session session, DocumentKey key, long revision) throws SQLException {
        boolean current = session.first(
                        "SELECT 1 FROM documents WHERE type = ? AND id = ? AND revision = ?",
                        row -> true,
                        key.type(),
                        key.id(),
                        revision)
                .orElse(false);
        if (current) {
            throw new IllegalStateException("revision " + revision + " is the current version of " + key
                    + "; write one without the value first");
        }
    }

    private static void blank(ObjectNode tree, String pointer) {
        JsonPointer at = compiled(pointer);
        if (at.matches() || tree.at(at).isMissingNode()) {
            throw new IllegalStateException("there is no value at " + pointer);
        }
        JsonNode parent = tree.at(at.head());
        switch (parent) {
            case ObjectNode object -> object.put(at.last().getMatchingProperty(), BLANK);
            case ArrayNode array -> array.set(at.last().getMatchingIndex(), array.stringNode(BLANK));
            default -> throw new IllegalStateException("there is no value at " + pointer);
        }
    }

    private static JsonPointer compiled(String pointer) {
        try {
            return JsonPointer.compile(pointer);
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("there is no value at " + pointer + ", which is not a JSON pointer", e);
        }
    }
}
