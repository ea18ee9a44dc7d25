package dev.homeport.write;

import dev.homeport.access.AccessKeys;
import dev.homeport.access.Caller;
import dev.homeport.access.Verb;
import dev.homeport.api.ErrorCode;
import dev.homeport.document.Body;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.DocumentRules;
import dev.homeport.document.Leniency;
import dev.homeport.document.SecretScan;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.Answers;
import dev.homeport.fleet.Cluster;
import dev.homeport.fleet.ClusterBlock;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.fleet.ClusterLifeForm;
import dev.homeport.fleet.FleetSettings;
import dev.homeport.fleet.Item;
import dev.homeport.fleet.Note;
import dev.homeport.fleet.PinnedItem;
import dev.homeport.fleet.Resolution;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.Problem;
import dev.homeport.problem.ProblemException;
import dev.homeport.problem.Violation;
import dev.homeport.problem.WorkBudget;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Applies a request's operations, one after the other, to a draft. Refuses what does not fit the state it meets. */
final class Drafting {
    private static final long FIRST_EPOCH = 1;

    private static final int MOST_NAMED = 5;

    private final Draft draft;
    private final ClusterContact contact;
    private final WriteRequest request;
    private final List<Violation> faults = new ArrayList<>();
    private final List<Violation> secrets = new ArrayList<>();
    private final Set<String> forgotten = new TreeSet<>();
    private int position;

    private Drafting(Draft draft, ClusterContact contact, WriteRequest request) {
        this.draft = draft;
        this.contact = contact;
        this.request = request;
    }

    static void apply(WriteRequest request, Draft draft, ClusterContact contact) {
        Drafting drafting = new Drafting(draft, contact, request);
        WorkBudget budget = WorkBudget.current();
        for (Operation operation : request.operations()) {
            budget.check();
            drafting.apply(operation);
            drafting.position++;
        }
        drafting.names();
        if (!drafting.faults.isEmpty()) {
            throw new ProblemException(Problem.Invalid.of(drafting.faults));
        }
        if (!drafting.secrets.isEmpty()) {
            throw new ProblemException(new Problem.Invalid(ErrorCode.SECRET_SUSPECTED, drafting.secrets));
        }
    }

    private void apply(Operation operation) {
        if (operation instanceof Operation.Undo undo) {
            undo(undo);
            return;
        }
        if (operation instanceof Operation.Watch watch) {
            ObjectNode body = StrictJson.object()
                    .put("id", watch.key().id())
                    .put("name", watch.name())
                    .put("since", draft.revision());
            draft.put(watch.key(), Body.of(body), watch.verb());
            return;
        }
        TypeDefinition type = writableType(operation.key());
        switch (operation) {
            case Operation.Undo _, Operation.Watch _ -> throw new IllegalStateException("handled above");
            case Operation.Create create -> create(create, type);
            case Operation.Put put -> put(put, type);
            case Operation.Replace replace -> {
                existing(replace.key(), replace.expected());
                store(type, replace.key(), replace.body(), Verb.UPDATE);
            }
            case Operation.Edit edit -> {
                Document present = readable(existing(edit.key(), edit.expected()));
                store(type, edit.key(), changed(edit, present), Verb.UPDATE);
            }
            case Operation.Delete delete -> delete(delete);
            case Operation.OnCluster onCluster -> onCluster(onCluster);
        }
    }

    private ObjectNode changed(Operation.Edit edit, Document present) {
        try {
            return edit.change().apply(present.tree());
        } catch (ProblemException e) {
            throw e.problem() instanceof Problem.Invalid invalid
                    ? new ProblemException(new Problem.Invalid(
                            invalid.code(),
                            invalid.violations().stream().map(this::placed).toList()))
                    : e;
        }
    }

    /** The rules see every body before anything is derived from it; what they find is gathered over the whole request. */
    private void store(TypeDefinition type, DocumentKey key, ObjectNode body, Verb verb) {
        ObjectNode complete = withId(key, body);
        if (isAsStored(key, complete)) {
            draft.put(key, Body.of(complete), verb);
            return;
        }
        Leniency leniency = request.has(WriteRequest.Flag.IMPORTED) ? Leniency.IMPORTED : Leniency.STRICT;
        List<Violation> found = DocumentRules.check(
                type,
                key.id(),
                complete,
                leniency,
                () -> draft.seen(key)
                        .filter(document -> document.fault().isEmpty())
                        .map(Document::tree)
                        .orElseGet(StrictJson::object));
        found.forEach(violation -> faults.add(placed(violation)));
        if (!request.has(WriteRequest.Flag.SECRETS_SEEN)) {
            SecretScan.scan(type, complete).forEach(violation -> secrets.add(placed(violation)));
        }
        if (found.isEmpty()) {
            draft.put(key, Body.of(complete), verb);
        }
    }

    /**
     * What a cluster gives up may still be polled, and what it takes may have been another's. Looked at when all operations are
     * applied, so that their order does not matter.
     */
    private void names() {
        List<Document> changed = draft.changes().values().stream()
                .flatMap(Optional::stream)
                .filter(document -> document.type().equals(Types.CLUSTER))
                .toList();
        for (Document cluster : changed) {
            Set<String> given = new TreeSet<>(
                    draft.before().find(cluster.key()).map(ReservedNames::of).orElse(Set.of()));
            given.removeAll(ReservedNames.of(cluster));
            if (!given.isEmpty() && mayBeServed(cluster.id())) {
                ReservedNames.reserve(draft, cluster.id(), given);
            }
        }
        for (Document cluster : changed) {
            boolean isNew = forgotten.contains(cluster.id())
                    || draft.before().find(cluster.key()).isEmpty();
            ReservedNames.take(draft, cluster.key(), isNew, ReservedNames.of(cluster));
            // A log that was restored may have lost a cluster, whose names it then does not know to be reserved.
            boolean restored = draft.before().head().epoch() > FIRST_EPOCH;
            if (isNew && restored && contact.wasServed(cluster.id())) {
                draft.releases(cluster.id(), cluster.key());
            }
        }
    }

    /** Known from the log, because what was observed may be lost. */
    private boolean mayBeServed(String cluster) {
        Document life = draft.document(Types.CLUSTER_LIFE, cluster);
        boolean certain =
                life != null && Repair.isReadable(life) && ClusterLife.of(life).unserved();
        return !certain || contact.mayHavePolled(cluster);
    }

    /** What was taken in once, perhaps by an import and less strictly, is not judged again for being sent back as it is. */
    private boolean isAsStored(DocumentKey key, ObjectNode body) {
        return draft.seen(key)
                .filter(document -> document.fault().isEmpty())
                .filter(document -> document.tree().equals(body))
                .isPresent();
    }

    /** In a batch, a pointer starts at the operation. */
    private Violation placed(Violation violation) {
        return request.operations().size() == 1
                ? violation
                : new Violation(
                        "/operations/" + position + "/spec" + violation.pointer(), violation.detail(), violation.fix());
    }

    private TypeDefinition writableType(DocumentKey key) {
        TypeDefinition type = draft.types()
                .named(key.type())
                .orElseThrow(() -> ProblemException.refused(
                        ErrorCode.NOT_FOUND, "there is no type " + key.type(), "list the types there are"));
        boolean own = key.type().equals(Types.SIGN_OUT) && request.caller().access() == Caller.Access.SYSTEM;
        if (type.part() == TypeDefinition.Part.INTERNAL && !own) {
            throw ProblemException.refused(
                    ErrorCode.FORBIDDEN, key + " is written by Homeport alone", "use the cluster's own operations");
        }
        return type;
    }

    private void undo(Operation.Undo undo) {
        DocumentKey key = undo.key();
        if (key.type().equals(Types.CLUSTER_LIFE)) {
            undoLife(undo);
            return;
        }
        if (key.type().equals(Types.TOKEN) || key.type().equals(Types.SIGN_OUT)) {
            throw ProblemException.refused(
                    ErrorCode.CONFLICT,
                    "the change is about tokens or sign-ins, and those are not brought back",
                    "make a new token, or revoke the one that was made");
        }
        if (key.type().equals(Types.REDACTION) || key.type().equals(Types.OBSERVER)) {
            throw ProblemException.refused(
                    ErrorCode.CONFLICT,
                    "the change is Homeport's record of " + key + ", which stays true",
                    "revert another change");
        }
        if (key.type().equals(Types.RESERVED_NAME)) {
            undoReservation(undo);
            return;
        }
        if (draft.seen(key).isEmpty() && draft.find(key).isPresent()) {
            throw missing(key);
        }
        Optional<Body> present = draft.seen(key).map(Drafting::readable).map(Document::body);
        if (present.equals(undo.before())) {
            return;
        }
        if (present.equals(undo.after())) {
            undo.before()
                    .ifPresentOrElse(
                            body -> store(
                                    writableType(key), key, body.tree(), present.isEmpty() ? Verb.CREATE : Verb.UPDATE),
                            () -> undoCreation(key));
            return;
        }
        if (present.isEmpty() || undo.before().isEmpty() || undo.after().isEmpty()) {
            throw conflict(key, List.of(""));
        }
        ThreeWay merge = new ThreeWay();
        ObjectNode merged = merge.undo(
                undo.before().get().tree(),
                undo.after().get().tree(),
                present.get().tree());
        if (!merge.conflicts().isEmpty()) {
            throw conflict(key, merge.conflicts());
        }
        store(writableType(key), key, merged, Verb.UPDATE);
    }

    private void undoCreation(DocumentKey key) {
        if (key.type().equals(Types.CLUSTER)) {
            require(draft.life(key.id()), ClusterLife.Phase.ACTIVE, key.id(), "be taken back");
            leaveOrForget(key.id(), Verb.DELETE);
        } else {
            draft.remove(key, Verb.DELETE);
        }
    }

    /** A name that is in use again is not reserved; one that was released is reserved as before. */
    private void undoReservation(Operation.Undo undo) {
        Optional<Body> present = draft.find(undo.key()).map(Drafting::readable).map(Document::body);
        if (present.isEmpty() && undo.before().isPresent() && undo.after().isEmpty()) {
            draft.put(undo.key(), undo.before().get(), Verb.UPDATE);
        }
    }

    /**
     * Phase and pin go back; which types are filled follows from the plan, as always. The record of a cluster that was purged
     * comes back whole: what it had is not known from anywhere else.
     */
    private void undoLife(Operation.Undo undo) {
        String cluster = undo.key().id();
        ClusterLife before = undo.before().map(body -> life(cluster, body)).orElse(ClusterLife.NEWBORN);
        ClusterLife after = undo.after().map(body -> life(cluster, body)).orElse(ClusterLife.NEWBORN);
        boolean gone = draft.seen(new DocumentKey(Types.CLUSTER, cluster)).isEmpty();
        if (gone || before.sameCourse(after)) {
            return;
        }
        ClusterLife present = draft.life(cluster);
        if (!present.sameCourse(after) && !present.sameCourse(before)) {
            throw conflict(undo.key(), List.of("/phase"));
        }
        boolean purged = draft.find(undo.key()).isEmpty();
        ClusterLife base = purged ? before.withUnserved(false) : present;
        ClusterLife wanted = base.onCourseOf(before, draft.revision());
        verbs(present, before).forEach(verb -> draft.putLife(cluster, wanted, verb));
    }

    /** Going back to a course needs every right that it took to take it. */
    private static Set<Verb> verbs(ClusterLife present, ClusterLife wanted) {
        Set<Verb> verbs = EnumSet.noneOf(Verb.class);
        if (present.phase() != wanted.phase()) {
            verbs.add(
                    switch (wanted.phase()) {
                        case ACTIVE -> Verb.UNDELETE;
                        case LEAVING -> Verb.DECOMMISSION;
                        case DETACHED -> Verb.DETACH;
                    });
        } else if (present.pause() != null && wanted.pause() == null) {
            verbs.add(Verb.RESUME);
        }
        if (wanted.pause() != null && !wanted.pause().equals(present.pause())) {
            verbs.add(Verb.PAUSE);
        }
        if (!Objects.equals(present.leaveAt(), wanted.leaveAt()) || present.releasing() != wanted.releasing()) {
            verbs.add(wanted.leaveAt() == null && !wanted.releasing() ? Verb.UNDELETE : Verb.DECOMMISSION);
        }
        return verbs;
    }

    private ClusterLife life(String cluster, Body body) {
        DocumentKey key = new DocumentKey(Types.CLUSTER_LIFE, cluster);
        return ClusterLife.of(Document.of(key, body, draft.stamp(), draft.stamp()));
    }

    private static ProblemException conflict(DocumentKey key, List<String> pointers) {
        List<String> places = pointers.stream().map(pointer -> key + pointer).toList();
        return ProblemException.refused(
                ErrorCode.CONFLICT,
                "changed again since: " + String.join(", ", places),
                "revert the later change first, or edit these by hand",
                places);
    }

    private void create(Operation.Create create, TypeDefinition type) {
        draft.seen(create.key()).ifPresent(present -> {
            throw present.type().equals(Types.CLUSTER) && phase(present.id()) == ClusterLife.Phase.LEAVING
                    ? ReservedNames.occupied("the id " + present.id(), present.id())
                    : ProblemException.refused(
                            ErrorCode.ALREADY_EXISTS,
                            create.key() + " exists already",
                            "choose another id, or change the existing document");
        });
        draft.collides(create.key());
        store(type, create.key(), create.body(), Verb.CREATE);
    }

    private void put(Operation.Put put, TypeDefinition type) {
        boolean known = draft.seen(put.key()).isPresent();
        if (!known) {
            draft.collides(put.key());
        }
        if (known && put.key().type().equals(Types.CLUSTER)) {
            refuseTombstone(put.key().id());
        }
        store(type, put.key(), put.body(), known ? Verb.UPDATE : Verb.CREATE);
    }

    private void delete(Operation.Delete delete) {
        existing(delete.key(), delete.expected());
        if (!delete.key().type().equals(Types.CLUSTER)) {
            draft.remove(delete.key(), Verb.DELETE);
            return;
        }
        String id = delete.key().id();
        require(draft.life(id), ClusterLife.Phase.ACTIVE, id, "be deleted");
        leaveOrForget(id, Verb.DELETE);
    }

    /** What may run on a cluster must be cleaned up there; a cluster that never asked has nothing of ours. */
    private void leaveOrForget(String id, Verb verb) {
        if (mayBeServed(id)) {
            leave(id, verb);
        } else {
            forget(id, verb);
        }
    }

    private void onCluster(Operation.OnCluster operation) {
        String id = operation.cluster();
        Document cluster = existingCluster(operation.key());
        if (operation instanceof Operation.Repair repair) {
            repair(repair);
            return;
        }
        ClusterLife life = draft.life(id);
        switch (operation) {
            case Operation.Repair _ -> throw new IllegalStateException("handled above");
            case Operation.Decommission decommission -> {
                require(life, ClusterLife.Phase.ACTIVE, id, "decommission");
                decommission(decommission, life);
            }
            case Operation.Undelete _ -> {
                if (life.phase() == ClusterLife.Phase.ACTIVE && life.leaveAt() == null && !life.releasing()) {
                    throw wrongPhase(life, id, "undelete");
                }
                draft.putLife(id, life.withPhase(ClusterLife.Phase.ACTIVE, draft.revision()), Verb.UNDELETE);
                dropPastEnd(cluster);
            }
            case Operation.Detach _ -> {
                require(life, ClusterLife.Phase.ACTIVE, id, "detach");
                draft.putLife(id, life.withPhase(ClusterLife.Phase.DETACHED, draft.revision()), Verb.DETACH);
            }
            case Operation.Purge purge -> purge(purge, life);
            case Operation.Pause pause -> {
                require(life, ClusterLife.Phase.ACTIVE, id, "pause");
                if (life.pause() != null) {
                    throw ProblemException.refused(
                            ErrorCode.CONFLICT, "cluster/" + id + " is paused already", "resume it first");
                }
                draft.putLife(id, life.withPause(pin(cluster, life, pause.note())), Verb.PAUSE);
            }
            case Operation.Resume _ -> {
                if (life.pause() == null) {
                    throw ProblemException.refused(
                            ErrorCode.CONFLICT, "cluster/" + id + " is not paused", "nothing is to be done");
                }
                draft.putLife(id, life.withPause(null), Verb.RESUME);
            }
        }
    }

    /** Otherwise the end that has passed would decommission the cluster again at once. */
    private void dropPastEnd(Document cluster) {
        if (cluster.fault().isPresent()) {
            return;
        }
        Instant end = Cluster.of(cluster).expiresAt();
        if (end != null && !end.isAfter(draft.stamp().at())) {
            draft.put(cluster.key(), Body.of(cluster.tree().without("expires_at")), Verb.UNDELETE);
        }
    }

    private void repair(Operation.Repair repair) {
        DocumentKey key = ClusterLifeForm.key(repair.cluster());
        if (draft.find(key).filter(life -> !Repair.isReadable(life)).isEmpty()) {
            throw ProblemException.refused(
                    ErrorCode.CONFLICT,
                    "the record of " + repair.key() + " can be read",
                    "nothing is to be repaired; if the cluster is held, its answer says why");
        }
        // Every type counts as filled: an empty answer then needs a commit that takes the items away.
        ClusterLife detached = new ClusterLife(
                ClusterLife.Phase.DETACHED,
                draft.revision(),
                false,
                null,
                List.copyOf(draft.types().itemTypes()),
                Collections.emptySortedMap(),
                null,
                false);
        Body body = repair.written().orElseGet(() -> ClusterLifeForm.write(repair.cluster(), detached));
        draft.put(key, body, Verb.UNDELETE);
    }

    private void decommission(Operation.Decommission decommission, ClusterLife life) {
        String id = decommission.cluster();
        boolean release = decommission.namespaces() == Operation.Decommission.Namespaces.DELETE
                && !(life.releasing() && contact.released(id));
        ClusterLife leaving = decommission.at().map(life::withLeaveAt).orElse(life);
        if (release) {
            draft.putLife(id, leaving.withReleasing(), Verb.DECOMMISSION);
        } else if (decommission.at().isPresent()) {
            draft.putLife(id, leaving, Verb.DECOMMISSION);
        } else {
            leave(id, Verb.DECOMMISSION);
        }
    }

    private void leave(String id, Verb verb) {
        ClusterLife life = draft.life(id);
        draft.putLife(id, life.withPause(null).withPhase(ClusterLife.Phase.LEAVING, draft.revision()), verb);
    }

    private void forget(String id, Verb verb) {
        forgotten.add(id);
        draft.remove(new DocumentKey(Types.CLUSTER, id), verb);
        DocumentKey lifeKey = new DocumentKey(Types.CLUSTER_LIFE, id);
        if (draft.find(lifeKey).isPresent()) {
            draft.remove(lifeKey, verb);
        }
    }

    private void purge(Operation.Purge purge, ClusterLife life) {
        String id = purge.cluster();
        boolean drained = life.phase() == ClusterLife.Phase.LEAVING && contact.drained(id);
        boolean never = !mayBeServed(id);
        if (life.phase() == ClusterLife.Phase.ACTIVE) {
            throw wrongPhase(life, id, "purge");
        }
        if (!drained && !never && !purge.force() && life.phase() == ClusterLife.Phase.LEAVING) {
            List<String> left = contact.leftOn(id);
            throw ProblemException.refused(
                    ErrorCode.CONFLICT,
                    "cluster/" + id + " is not drained: "
                            + String.join("; ", left.subList(0, Math.min(left.size(), MOST_NAMED)))
                            + (left.size() > MOST_NAMED ? "; and " + (left.size() - MOST_NAMED) + " more" : ""),
                    "wait until it is drained, or force the purge: what is left on the cluster then stays there",
                    left);
        }
        if (drained || never) {
            ReservedNames.forget(draft, id);
        } else {
            ReservedNames.reserve(draft, id, ReservedNames.of(existingCluster(purge.key())));
        }
        forget(id, Verb.PURGE);
        revokeTokens(id);
    }

    /** They are worthless without the cluster; the log must show that they are revoked. */
    private void revokeTokens(String cluster) {
        for (DocumentKey key : draft.before().users(AccessKeys.tokensOfCluster(cluster))) {
            Document token = draft.before().find(key).orElseThrow();
            draft.put(key, Body.of(token.tree().put("revoked", true)), Verb.PURGE);
        }
    }

    private ClusterLife.Pause pin(Document cluster, ClusterLife life, Note note) {
        SortedMap<String, ArrayNode> items = new TreeMap<>();
        for (String name : draft.types().itemTypes()) {
            TypeDefinition type = draft.types().named(name).orElseThrow();
            Resolution resolution = Answers.resolution(draft, cluster, life, type);
            switch (resolution) {
                case Resolution.Unknown unknown ->
                    throw ProblemException.refused(
                            ErrorCode.CONFLICT,
                            "cluster/" + cluster.id() + " cannot be paused: " + unknown.reason(),
                            "repair that first");
                case Resolution.Items resolved -> {
                    ArrayNode list = JsonNodeFactory.instance.arrayNode();
                    for (Item item : resolved.items()) {
                        list.add(PinnedItem.write(item));
                    }
                    items.put(name, list);
                }
            }
        }
        SortedMap<String, String> templates = new TreeMap<>();
        draft.types().all().forEach(type -> type.template().ifPresent(text -> templates.put(type.plural(), text)));
        return new ClusterLife.Pause(
                note,
                ClusterBlock.of(Cluster.of(cluster)),
                items,
                Optional.of(FleetSettings.of(draft).answerFormat()),
                Optional.of(templates));
    }

    private Document existing(DocumentKey key, Expected expected) {
        Document present = draft.seen(key).orElseThrow(() -> missing(key));
        if (key.type().equals(Types.CLUSTER)) {
            refuseTombstone(key.id());
        }
        long revision = present.updated().revision();
        if (expected instanceof Expected.Revision wanted
                && wanted.revision() != revision
                && revision != draft.revision()) {
            throw ProblemException.refused(
                    ErrorCode.STALE,
                    key + " was changed by revision " + revision + ", after the one you saw (" + wanted.revision()
                            + ")",
                    "get it again, look at the difference, and repeat your change",
                    List.of(Long.toString(revision)));
        }
        return present;
    }

    private static Document readable(Document document) {
        document.fault().ifPresent(fault -> {
            throw ProblemException.refused(
                    ErrorCode.CONFLICT,
                    document.key() + " cannot be read: " + fault,
                    "replace it whole, or restore it from an earlier revision");
        });
        return document;
    }

    private Document existingCluster(DocumentKey key) {
        return draft.seen(key).orElseThrow(() -> missing(key));
    }

    private void refuseTombstone(String id) {
        if (phase(id) == ClusterLife.Phase.LEAVING) {
            throw ReservedNames.occupied("cluster/" + id, id);
        }
    }

    private ClusterLife.Phase phase(String cluster) {
        return draft.life(cluster).phase();
    }

    private static void require(ClusterLife life, ClusterLife.Phase phase, String id, String verb) {
        if (life.phase() != phase) {
            throw wrongPhase(life, id, verb);
        }
    }

    private static ProblemException wrongPhase(ClusterLife life, String id, String verb) {
        String phase = life.phase().name().toLowerCase(java.util.Locale.ROOT);
        return ProblemException.refused(
                ErrorCode.CONFLICT,
                "cluster/" + id + " is " + phase + ": it cannot " + verb,
                "an active cluster can be decommissioned, detached or paused; one that is leaving or detached can be"
                        + " undeleted or purged");
    }

    private static ProblemException missing(DocumentKey key) {
        return ProblemException.refused(ErrorCode.NOT_FOUND, "there is no " + key, "check the type and the id");
    }

    /** The id is part of the key and of the body; a body without one gets it, another one is a mistake found by the rules. */
    private static ObjectNode withId(DocumentKey key, ObjectNode body) {
        if (body.has("id")) {
            return body;
        }
        ObjectNode complete = StrictJson.object();
        complete.put("id", key.id());
        complete.setAll(body);
        return complete;
    }
}
