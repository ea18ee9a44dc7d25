package dev.homeport.server.admin;

import dev.homeport.access.Actor;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.Note;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.ProblemException;
import dev.homeport.server.admin.patch.JsonPatch;
import dev.homeport.server.admin.patch.KeyedMerge;
import dev.homeport.server.admin.patch.MergePatch;
import dev.homeport.server.http.Call;
import dev.homeport.write.Expected;
import dev.homeport.write.Operation;
import dev.homeport.write.Repair;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads an operation from its fields, for the routes of single operations and for batches, so that both mean the same.
 *
 * @param actor kept with a pause, as is the reason
 * @param pointer where the fields are in the request
 */
record OperationReader(Services services, Actor actor, String reason, String pointer) {
    /** The fields of each operation beside op and type. */
    static final Map<String, Set<String>> FIELDS = Map.ofEntries(
            Map.entry("create", Set.of("id", "spec")),
            Map.entry("put", Set.of("id", "spec")),
            Map.entry("replace", Set.of("id", "selector", "spec", "if_revision")),
            Map.entry("patch", Set.of("id", "selector", "patch", "if_revision")),
            Map.entry("merge", Set.of("id", "selector", "patch", "if_revision")),
            Map.entry("delete", Set.of("id", "selector", "if_revision")),
            Map.entry("decommission", Set.of("id", "selector", "at", "delete_namespaces")),
            Map.entry("undelete", Set.of("id", "selector")),
            Map.entry("detach", Set.of("id", "selector")),
            Map.entry("purge", Set.of("id", "force")),
            Map.entry("repair", Set.of("id")),
            Map.entry("pause", Set.of("id", "selector", "until")),
            Map.entry("resume", Set.of("id", "selector")));

    private static final Set<String> TARGET = Set.of("id", "selector");
    private static final Set<String> FLAGS = Set.of("delete_namespaces", "force");

    /** For the operation of a request that is only one. */
    static OperationReader of(Call call, Services services) {
        return of(call, services, Optional.empty());
    }

    static OperationReader of(Call call, Services services, Optional<String> bodyReason) {
        return new OperationReader(services, call.caller().actor(), WriteDesk.reason(call, bodyReason), "");
    }

    OperationReader at(String place) {
        return new OperationReader(services, actor, reason, place);
    }

    /** What the route of an operation on a cluster takes in its query. */
    static Set<String> query(String op) {
        Set<String> names = new TreeSet<>(FIELDS.getOrDefault(op, Set.of()));
        names.removeAll(TARGET);
        return names;
    }

    /** An operation whose fields are the call's query. */
    Operation fromQuery(String op, DocumentKey key, Call call) {
        ObjectNode fields = StrictJson.object();
        for (String name : query(op)) {
            if (FLAGS.contains(name)) {
                fields.put(name, call.flag(name));
            } else {
                call.query(name).ifPresent(text -> fields.put(name, text));
            }
        }
        return read(op, key, fields);
    }

    Operation read(String op, DocumentKey key, ObjectNode fields) {
        return switch (op) {
            case "create" -> new Operation.Create(key, spec(fields));
            case "put" -> new Operation.Put(key, spec(fields));
            case "replace" -> new Operation.Replace(key, spec(fields), expected(fields));
            case "patch" -> new Operation.Edit(key, patch(fields), expected(fields));
            case "merge" -> {
                ObjectNode patch = object(fields, "patch");
                yield new Operation.Edit(key, body -> KeyedMerge.apply(body, patch), expected(fields));
            }
            case "delete" -> new Operation.Delete(key, expected(fields));
            default -> onCluster(op, key, fields);
        };
    }

    private Operation onCluster(String op, DocumentKey key, ObjectNode fields) {
        if (!key.type().equals(Types.CLUSTER)) {
            throw wrong("/type", op + " is for clusters", "use the type cluster");
        }
        return switch (op) {
            case "decommission" ->
                new Operation.Decommission(
                        key.id(),
                        time(fields, "at"),
                        flag(fields, "delete_namespaces")
                                ? Operation.Decommission.Namespaces.DELETE
                                : Operation.Decommission.Namespaces.KEEP);
            case "undelete" -> new Operation.Undelete(key.id());
            case "detach" -> new Operation.Detach(key.id());
            case "purge" -> new Operation.Purge(key.id(), flag(fields, "force"));
            case "repair" -> Repair.cluster(services.snapshot(), services.history(), key.id());
            case "pause" -> new Operation.Pause(key.id(), note(time(fields, "until")));
            case "resume" -> new Operation.Resume(key.id());
            default -> throw new IllegalStateException("no operation " + op);
        };
    }

    private Note note(Optional<Instant> until) {
        return new Note(actor.toString(), reason.isEmpty() ? null : reason, until.orElse(null));
    }

    private Optional<Instant> time(ObjectNode fields, String field) {
        JsonNode node = fields.path(field);
        if (node.isMissingNode()) {
            return Optional.empty();
        }
        Instant time = AsOf.time(node.isString() ? node.stringValue() : "")
                .orElseThrow(
                        () -> wrong("/" + field, "this is not a time", "send a time such as 2027-01-31T12:00:00Z"));
        if (!time.isAfter(services.clock().instant())) {
            throw wrong("/" + field, "this time is past", "choose one in the future");
        }
        return Optional.of(time);
    }

    private boolean flag(ObjectNode fields, String field) {
        JsonNode node = fields.path(field);
        if (!node.isMissingNode() && !node.isBoolean()) {
            throw wrong("/" + field, field + " is neither true nor false", "use true or false");
        }
        return node.booleanValue(false);
    }

    /** A copy, because one operation of a batch may write many documents. */
    private ObjectNode spec(ObjectNode fields) {
        return object(fields, "spec").deepCopy();
    }

    private ObjectNode object(ObjectNode fields, String field) {
        if (fields.path(field) instanceof ObjectNode value) {
            return value;
        }
        throw wrong("/" + field, field + " is missing or not an object", "send an object");
    }

    private UnaryOperator<ObjectNode> patch(ObjectNode fields) {
        return switch (fields.path("patch")) {
            case ObjectNode merge -> body -> MergePatch.apply(body, merge);
            case ArrayNode steps -> body -> JsonPatch.apply(body, steps);
            default -> throw wrong("/patch", "patch is missing", "send a merge patch or a JSON patch of the spec");
        };
    }

    private Expected expected(ObjectNode fields) {
        JsonNode revision = fields.path("if_revision");
        if (revision.isMissingNode()) {
            return Expected.ANY;
        }
        if (!revision.isIntegralNumber() || !revision.canConvertToLong()) {
            throw wrong("/if_revision", "this is not a revision", "send the number in the document's meta");
        }
        return new Expected.Revision(revision.longValue());
    }

    ProblemException wrong(String where, String detail, String fix) {
        return ProblemException.invalid(pointer + where, detail, fix);
    }
}
