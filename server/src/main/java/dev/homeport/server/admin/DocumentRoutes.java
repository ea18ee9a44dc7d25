package dev.homeport.server.admin;

import dev.homeport.api.ErrorCode;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.ProblemException;
import dev.homeport.server.admin.filter.FieldPath;
import dev.homeport.server.admin.filter.FilterParser;
import dev.homeport.server.http.Call;
import dev.homeport.server.http.Reply;
import dev.homeport.server.http.Route;
import dev.homeport.snapshot.LabelSelector;
import dev.homeport.write.Expected;
import dev.homeport.write.Operation;
import dev.homeport.write.Outcome;
import dev.homeport.write.Undoing;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Documents of every type, by the plural of the type: one implementation for built-in types and those added later. */
final class DocumentRoutes {
    private static final String LIST = "/api/v2/{plural}";
    private static final String ONE = "/api/v2/{plural}/{id}";
    private static final String SPEC = "/spec";
    private static final int MOST_FACETS = 10;

    private final Services services;
    private final WriteDesk desk;

    DocumentRoutes(Services services) {
        this.services = services;
        this.desk = new WriteDesk(services);
    }

    List<Route> routes() {
        Set<String> listing = new HashSet<>(Paging.NAMES);
        listing.addAll(Set.of(AsOf.NAME, "label_selector", "filter", "counts", "facets"));
        Set<String> revisions = new HashSet<>(Paging.NAMES);
        return List.of(
                AdminRoute.read(
                        LIST,
                        "listDocuments",
                        "List documents of a type, by label selector and filter.",
                        listing,
                        this::list),
                AdminRoute.read(ONE, "getDocument", "Shows a document.", Set.of(AsOf.NAME), this::get),
                AdminRoute.read(
                        ONE + "/revisions",
                        "listRevisions",
                        "List the changes of a document, newest first.",
                        revisions,
                        this::revisions),
                AdminRoute.write("POST", LIST, "createDocument", "Makes a document.", Set.of(), this::create),
                AdminRoute.write(
                        "PUT",
                        ONE,
                        "replaceDocument",
                        "Replace a document; with If-None-Match: * create it.",
                        Set.of(),
                        this::replace),
                AdminRoute.write(
                        "PATCH",
                        ONE,
                        "patchDocument",
                        "Patch a document with a merge patch or a JSON patch.",
                        Set.of(),
                        this::patch),
                AdminRoute.write(
                        "DELETE",
                        ONE,
                        "deleteDocument",
                        "Delete a document; a cluster is decommissioned.",
                        Set.of(),
                        this::delete),
                AdminRoute.write(
                        "POST",
                        ONE + ":restore",
                        "restoreDocument",
                        "Restore a document from a revision.",
                        Set.of("revision"),
                        this::restore));
    }

    private Reply list(Call call) {
        AsOf state = AsOf.of(call, services);
        TypeDefinition type = state.type(call.parameter("plural"));
        Paging paging = Paging.of(call);
        DocumentJson shown = DocumentJson.many(state, services);
        Selection selection = new Selection(
                state,
                type,
                call.query("label_selector").map(LabelSelector::parse),
                Selection.filter(call.query("filter"), "/filter", type),
                shown);
        List<FieldPath> facets = facets(call, type);
        boolean counts = call.flag("counts");
        ObjectNode body = StrictJson.object().put("revision", state.revision());
        List<Document> page;
        if (counts || !facets.isEmpty()) {
            List<Document> all = selection.all();
            page = all.stream()
                    .filter(document -> document.id().compareTo(paging.after()) > 0)
                    .limit(paging.size() + 1L)
                    .toList();
            if (counts) {
                body.put("total", all.size());
            }
            if (!facets.isEmpty()) {
                ArrayNode array = body.putArray("facets");
                facets.forEach(field -> array.add(selection.facet(field, all).json()));
            }
        } else {
            page = selection.page(paging.after(), paging.size() + 1);
        }
        ArrayNode items = body.putArray("items");
        page.stream().limit(paging.size()).forEach(document -> items.add(shown.of(document)));
        if (page.size() > paging.size()) {
            body.put("next_page_token", Paging.token(page.get(paging.size() - 1).id()));
        }
        return Reply.json(200, body);
    }

    private static List<FieldPath> facets(Call call, TypeDefinition type) {
        String text = call.query("facets").orElse("");
        if (text.isBlank()) {
            return List.of();
        }
        List<String> names = List.of(text.split(",", -1));
        if (names.size() > MOST_FACETS) {
            throw ProblemException.invalid("/facets", "more than " + MOST_FACETS + " facets", "ask for fewer at once");
        }
        return names.stream()
                .map(name -> FilterParser.field(name, "/facets", Selection.fields(type)))
                .toList();
    }

    private Reply get(Call call) {
        AsOf state = AsOf.of(call, services);
        Document document = state.document(state.type(call.parameter("plural")), call.parameter("id"));
        if (Preconditions.notModified(call, document)) {
            return new Reply(304, Reply.JSON, new byte[0], Map.of("ETag", DocumentJson.etag(document)));
        }
        return Reply.json(200, DocumentJson.one(state, services).of(document))
                .with("ETag", DocumentJson.etag(document));
    }

    private Reply revisions(Call call) {
        AsOf state = AsOf.of(call, services);
        TypeDefinition type = state.type(call.parameter("plural"));
        DocumentKey key = new DocumentKey(type.name(), call.parameter("id"));
        Paging paging = Paging.of(call);
        CommitPages pages = new CommitPages(services.history(), state.powers());
        ObjectNode page = pages.of(
                paging,
                (below, limit) -> services.history().commitsOf(key, below, limit),
                change -> change.key().equals(key),
                Optional.empty());
        if (page.path("items").isEmpty() && paging.after().isEmpty()) {
            throw AsOf.missing(key);
        }
        return Reply.json(200, page);
    }

    private Reply create(Call call) {
        TypeDefinition type = writable(call);
        Envelope envelope = Envelope.of(call, type);
        DocumentKey key = envelope.newKey(type);
        return written(call, 201, "create", key, fields(envelope.spec()));
    }

    private Reply replace(Call call) {
        TypeDefinition type = writable(call);
        Envelope envelope = Envelope.of(call, type);
        DocumentKey key = envelope.key(type, call.parameter("id"));
        if (Preconditions.onlyIfAbsent(call)) {
            return written(call, 201, "create", key, fields(envelope.spec()));
        }
        Expected expected = Preconditions.required(call, () -> services.seen(call.caller(), key), services::catchUp);
        return written(call, 200, "replace", key, expecting(expected, fields(envelope.spec())));
    }

    private Reply patch(Call call) {
        TypeDefinition type = writable(call);
        DocumentKey key = new DocumentKey(type.name(), call.parameter("id"));
        JsonNode patch = switch (Envelope.mediaType(call)) {
            case "application/merge-patch+json" -> mergePatch(call.json(), type, key);
            case "application/json-patch+json" -> jsonPatch(StrictJson.parse(call.body()));
            default ->
                throw ProblemException.refused(
                        ErrorCode.UNSUPPORTED_MEDIA_TYPE,
                        "this is not a kind of patch that is known here",
                        "send application/merge-patch+json or application/json-patch+json");
        };
        Expected expected = Preconditions.optional(call, () -> services.seen(call.caller(), key), services::catchUp);
        ObjectNode fields = StrictJson.object();
        fields.set("patch", patch);
        return written(call, 200, "patch", key, expecting(expected, fields));
    }

    private static ObjectNode mergePatch(ObjectNode patch, TypeDefinition type, DocumentKey key) {
        Envelope envelope = Envelope.of(patch, type);
        envelope.key(type, key.id());
        return envelope.spec();
    }

    /** Here paths begin at the document as GET shows it, of which only what is under /spec can be changed. */
    private static ArrayNode jsonPatch(JsonNode patch) {
        if (!(patch instanceof ArrayNode steps)) {
            throw ProblemException.invalid("", "a JSON patch is a list of steps", "send [{\"op\": …}]");
        }
        int position = 0;
        for (JsonNode step : steps) {
            for (String field : List.of("path", "from")) {
                String path = step.path(field).asString(SPEC);
                if (!path.equals(SPEC) && !path.startsWith(SPEC + "/")) {
                    throw ProblemException.invalid(
                            "/" + position + "/" + field, "only what is under /spec can change", "begin with /spec/");
                }
                if (step instanceof ObjectNode object && object.path(field).isString()) {
                    object.put(field, path.substring(SPEC.length()));
                }
            }
            position++;
        }
        return steps;
    }

    private static ObjectNode fields(ObjectNode spec) {
        ObjectNode fields = StrictJson.object();
        fields.set("spec", spec);
        return fields;
    }

    private static ObjectNode expecting(Expected expected, ObjectNode fields) {
        return expected instanceof Expected.Revision revision ? fields.put("if_revision", revision.revision()) : fields;
    }

    private Reply delete(Call call) {
        TypeDefinition type = writable(call);
        DocumentKey key = new DocumentKey(type.name(), call.parameter("id"));
        Expected expected = Preconditions.required(call, () -> services.seen(call.caller(), key), services::catchUp);
        return written(call, 200, "delete", key, expecting(expected, StrictJson.object()));
    }

    private Reply restore(Call call) {
        TypeDefinition type = writable(call);
        DocumentKey key = new DocumentKey(type.name(), call.parameter("id"));
        long revision = call.number("revision", 1, services.snapshot().revision(), 0);
        if (revision == 0) {
            throw ProblemException.invalid("/revision", "revision is missing", "say which revision to go back to");
        }
        AsOf.Present present = AsOf.present(call, services);
        boolean hidden = present.powers().isHidden(key.type(), key.id());
        if (hidden
                || services.history()
                        .documentAt(key, revision)
                        .filter(present.powers()::sees)
                        .isEmpty()) {
            throw ProblemException.refused(
                    ErrorCode.NOT_FOUND,
                    key + " did not exist at revision " + revision,
                    "list its revisions to find the right one");
        }
        Operation operation =
                Undoing.document(services.history(), key, revision).getFirst();
        Outcome outcome = desk.write(
                desk.request(call, List.of(operation)).marked(Map.of("restores", Long.toString(revision))),
                pointer -> "/spec" + pointer);
        return reply(call, 200, key, outcome);
    }

    private Reply written(Call call, int status, String op, DocumentKey key, ObjectNode fields) {
        Operation operation = OperationReader.of(call, services).read(op, key, fields);
        return reply(call, status, key, desk.write(call, "/spec", operation));
    }

    private Reply reply(Call call, int status, DocumentKey key, Outcome outcome) {
        if (outcome instanceof Outcome.Planned planned) {
            return WriteDesk.planned(planned);
        }
        return document(call, services, status, key, outcome);
    }

    /** The document as the write left it. */
    static Reply document(Call call, Services services, int status, DocumentKey key, Outcome outcome) {
        AsOf state = AsOf.present(call, services);
        long revision = WriteDesk.revision(outcome);
        Optional<Document> written = services.snapshot()
                .find(key)
                .filter(document -> document.updated().revision() <= revision)
                .or(() -> services.history().documentAt(key, revision))
                // A retry is answered from the past, which may be another's by now.
                .filter(document ->
                        !(outcome instanceof Outcome.Replayed) || state.powers().sees(document));
        if (written.isEmpty()) {
            ObjectNode gone = StrictJson.object()
                    .put("type", key.type())
                    .put("id", key.id())
                    .put("deleted", true);
            WriteDesk.warn(gone, outcome);
            return WriteDesk.revised(Reply.json(status, gone), outcome);
        }
        ObjectNode json = DocumentJson.one(state, services).of(written.get());
        WriteDesk.warn(json, outcome);
        Reply reply =
                WriteDesk.revised(Reply.json(status, json), outcome).with("ETag", DocumentJson.etag(written.get()));
        String plural = state.view()
                .types()
                .named(key.type())
                .map(TypeDefinition::plural)
                .orElse(key.type());
        return status == 201 ? reply.with("Location", "/api/v2/" + plural + "/" + key.id()) : reply;
    }

    /** Tokens have their own operations: a caller must not write a hash. */
    private TypeDefinition writable(Call call) {
        TypeDefinition type = AsOf.present(call, services).type(call.parameter("plural"));
        if (type.name().equals(Types.TOKEN)) {
            throw ProblemException.refused(
                    ErrorCode.METHOD_NOT_ALLOWED,
                    "tokens are not written like other documents",
                    "use POST /api/v2/tokens, POST /api/v2/tokens/{id}:rotate or DELETE /api/v2/tokens/{id}");
        }
        return type;
    }
}
