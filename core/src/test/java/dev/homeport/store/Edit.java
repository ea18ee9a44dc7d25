package dev.homeport.store;

import dev.homeport.access.Actor;
import dev.homeport.change.AppendResult;
import dev.homeport.change.Change;
import dev.homeport.change.ChangeLog;
import dev.homeport.change.Commit;
import dev.homeport.change.Head;
import dev.homeport.change.LogMaintenance;
import dev.homeport.change.Proposal;
import dev.homeport.change.RedactionRequest;
import dev.homeport.document.Body;
import dev.homeport.document.DocumentKey;
import dev.homeport.json.StrictJson;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A proposal in few words. */
final class Edit {
    static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");
    static final Actor ALICE = new Actor(Actor.Kind.PERSON, "alice");
    static final Actor BOB = new Actor(Actor.Kind.PERSON, "bob");

    private final List<Change> changes = new ArrayList<>();
    private Actor actor = ALICE;
    private String reason = "because";
    private Instant now = NOW;
    private Optional<Proposal.Idempotency> idempotency = Optional.empty();
    private Map<String, String> marks = Map.of();

    static DocumentKey cluster(String id) {
        return new DocumentKey("cluster", id);
    }

    static Commit redact(LogMaintenance log, long revision, DocumentKey key, String pointer) {
        return log.redact(new RedactionRequest(revision, Optional.of(key), pointer, BOB, "a secret slipped in", NOW));
    }

    static Commit redactCommit(LogMaintenance log, long revision, String pointer) {
        return log.redact(new RedactionRequest(revision, Optional.empty(), pointer, BOB, "a secret slipped in", NOW));
    }

    static Body body(String json) {
        return Body.of(StrictJson.read(json));
    }

    static Edit put(String id, String json) {
        return new Edit().andPut(id, json);
    }

    static Edit remove(String id) {
        return new Edit().andRemove(id);
    }

    Edit andPut(String id, String json) {
        return and(new Change.Put(cluster(id), body(json)));
    }

    Edit andRemove(String id) {
        return and(new Change.Remove(cluster(id)));
    }

    Edit and(Change change) {
        changes.add(change);
        return this;
    }

    Edit by(Actor who) {
        actor = who;
        return this;
    }

    Edit because(String why) {
        reason = why;
        return this;
    }

    Edit at(Instant when) {
        now = when;
        return this;
    }

    Edit under(String key, String digest) {
        idempotency = Optional.of(new Proposal.Idempotency(key, digest));
        return this;
    }

    Edit marked(Map<String, String> facts) {
        marks = facts;
        return this;
    }

    Proposal on(Head head) {
        return new Proposal(head, actor, reason, now, "request-1", idempotency, marks, changes);
    }

    AppendResult tryOn(ChangeLog log, Head head) {
        return log.append(on(head));
    }

    /** Appends at a revision of the log as it is now, or of one that never was. */
    AppendResult tryOn(ChangeLog log, long revision) {
        Head now = log.head();
        return tryOn(
                log,
                revision == now.revision() ? now : new Head(now.storeId(), now.epoch(), revision, "of another log"));
    }

    /** Appends at the present head, where no other process writes. */
    Commit on(ChangeLog log) {
        return ((AppendResult.Appended) log.append(on(log.head()))).commit();
    }
}
