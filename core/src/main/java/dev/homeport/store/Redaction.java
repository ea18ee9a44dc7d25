package dev.homeport.store;

import dev.homeport.access.Actor;
import dev.homeport.change.AppendResult;
import dev.homeport.change.Change;
import dev.homeport.change.Commit;
import dev.homeport.change.CommitHash;
import dev.homeport.change.Proposal;
import dev.homeport.change.RedactionRequest;
import dev.homeport.document.Body;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.json.CanonicalJson;
import dev.homeport.json.StrictJson;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Blanks one value in the log, and notes that in a commit. */
final class Redaction {
    /** What stands where the value was. */
    static final String BLANK = "[redacted]";

    /** The mark of a commit whose own texts were blanked: its hash is in the document of that commit's redaction. */
    static final String MARK = "redacted_header";

    private static final Pattern MARK_POINTER = Pattern.compile("/marks/(.+)");

    private Redaction() {}

    static Commit redact(Session session, HeadLock lock, RedactionRequest request) throws SQLException {
        HeadRow head = lock.take(session);
        Optional<String> header = Optional.empty();
        if (request.key().isPresent()) {
            redactBody(session, request.revision(), request.key().get(), request.pointer());
        } else {
            header = Optional.of(redactHeader(session, request.revision(), request.pointer()));
        }
        Proposal proposal = new Proposal(
                head.head(),
                request.by(),
                request.why(),
                request.now(),
                "",
                Optional.empty(),
                Map.of("redacted", request.what()),
                List.of(new Change.Put(key(request.revision()), noted(session, request, header))));
        return switch (Appender.append(session, lock, proposal)) {
            case AppendResult.Appended appended -> appended.commit();
            case AppendResult other ->
                throw new IllegalStateException("the head moved although it is locked: " + other);
        };
    }

    private static DocumentKey key(long revision) {
        return new DocumentKey(Types.REDACTION, Long.toString(revision));
    }

    private static Body noted(Session session, RedactionRequest request, Optional<String> header) throws SQLException {
        ObjectNode body = current(session, request.revision())
                .orElseGet(() -> StrictJson.object().put("id", Long.toString(request.revision())));
        body.withArray("/values").add(request.what());
        header.ifPresent(hash -> body.put("header", hash));
        return Body.of(body);
    }

    private static Optional<ObjectNode> current(Session session, long revision) throws SQLException {
        return session.first(
                "SELECT body FROM documents WHERE type = ? AND id = ?",
                row -> RowJson.tree(row.getString(1).getBytes(StandardCharsets.UTF_8)),
                Types.REDACTION,
                Long.toString(revision));
    }

    /** The hash that a commit has since its own texts were blanked, if they were. */
    static Optional<String> headerHash(Session session, Commit commit) throws SQLException {
        return commit.marks().containsKey(MARK)
                ? current(session, commit.revision())
                        .map(body -> body.path("header").stringValue(""))
                : Optional.empty();
    }

    /** Returns the hash of what is left. */
    private static String redactHeader(Session session, long revision, String pointer) throws SQLException {
        Commit commit = CommitRows.find(session, revision)
                .orElseThrow(() -> new IllegalStateException("there is no revision " + revision));
        Map<String, String> marks = new TreeMap<>(commit.marks());
        marks.put(MARK, "true");
        Matcher mark = MARK_POINTER.matcher(pointer);
        boolean known = switch (pointer) {
            case "/reason" -> !commit.reason().isEmpty();
            case "/actor" -> true;
            case "/request_id" -> !commit.requestId().isEmpty();
            default -> mark.matches() && commit.marks().containsKey(mark.group(1));
        };
        if (!known) {
            throw new IllegalStateException("revision " + revision + " has no text at " + pointer
                    + "; use /reason, /actor, /request_id or /marks/NAME");
        }
        if (mark.matches()) {
            marks.put(mark.group(1), BLANK);
        }
        Commit blanked = new Commit(
                commit.revision(),
                commit.epoch(),
                commit.at(),
                pointer.equals("/actor") ? new Actor(commit.actor().kind(), BLANK) : commit.actor(),
                pointer.equals("/reason") ? BLANK : commit.reason(),
                pointer.equals("/request_id") ? BLANK : commit.requestId(),
                commit.idempotencyKey(),
                marks,
                commit.changeCount(),
                commit.previousHash(),
                commit.hash());
        session.update(
                "UPDATE commits SET actor = ?, reason = ?, request_id = ?, marks = ? WHERE revision = ?",
                blanked.actor().toString(),
                blanked.reason(),
                blanked.requestId(),
                RowJson.ofMarks(marks),
                revision);
        return CommitHash.ofCommit(blanked, ChangeRows.digests(session, revision));
    }

    private static void redactBody(Session session, long revision, DocumentKey key, String pointer)
            throws SQLException {
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
