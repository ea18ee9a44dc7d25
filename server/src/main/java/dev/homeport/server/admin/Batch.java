package dev.homeport.server.admin;

import dev.homeport.document.DocumentKey;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.problem.ProblemException;
import dev.homeport.problem.WorkBudget;
import dev.homeport.server.admin.filter.Filter;
import dev.homeport.server.http.Call;
import dev.homeport.server.http.Plain;
import dev.homeport.snapshot.LabelSelector;
import dev.homeport.write.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A list of operations as a caller writes it, with selectors replaced by the documents that they choose now.
 *
 * @param places for each operation, which of the caller's it came from
 * @param direct it is one operation that names its document itself
 */
record Batch(List<Operation> operations, List<Integer> places, Optional<String> reason, boolean direct) {
    private static final int MOST = 200_000;
    private static final Pattern PLACE = Pattern.compile("/operations/([0-9]+)(/.*)?", Pattern.DOTALL);

    static Batch read(Call call, AsOf.Present state, Services services) {
        ObjectNode body = call.json();
        unknown(body, Set.of("reason", "operations"), "");
        Optional<String> reason = text(body, "reason", "");
        if (!(body.path("operations") instanceof ArrayNode list) || list.isEmpty()) {
            throw ProblemException.invalid("/operations", "there are no operations", "send a list of at least one");
        }
        OperationReader fields = OperationReader.of(call, services, reason);
        List<Operation> operations = new ArrayList<>();
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            Reader reader = new Reader(fields.at("/operations/" + i), state, services);
            for (Operation operation : reader.read(list.get(i))) {
                operations.add(operation);
                places.add(i);
            }
            if (operations.size() > MOST) {
                throw ProblemException.invalid(
                        "/operations/" + i, "these are more than " + MOST + " operations", "send several changes");
            }
        }
        return new Batch(
                operations, places, reason, list.size() == 1 && !list.get(0).has("selector"));
    }

    /** Turns the index of an operation as the writer counts into the caller's index. */
    String place(String pointer) {
        Matcher known = PLACE.matcher(pointer);
        if (!known.matches()) {
            return operations.size() == 1 ? "/operations/0/spec" + pointer : pointer;
        }
        int position = Integer.parseInt(known.group(1));
        String rest = known.group(2);
        return "/operations/" + places.get(position) + (rest == null ? "" : rest);
    }

    private static void unknown(ObjectNode object, Set<String> known, String pointer) {
        for (String field : object.propertyNames()) {
            if (!known.contains(field)) {
                throw ProblemException.invalid(
                        pointer + "/" + Plain.text(field),
                        "there is no such field here",
                        "use " + String.join(", ", new TreeSet<>(known)));
            }
        }
    }

    private static Optional<String> text(ObjectNode object, String field, String pointer) {
        JsonNode node = object.path(field);
        if (node.isMissingNode()) {
            return Optional.empty();
        }
        if (!node.isString()) {
            throw ProblemException.invalid(pointer + "/" + field, field + " is not a string", "send a string");
        }
        return Optional.of(node.stringValue());
    }

    /** Finds out which documents one of the caller's operations is about. */
    private record Reader(OperationReader fields, AsOf.Present state, Services services) {
        List<Operation> read(JsonNode node) {
            if (!(node instanceof ObjectNode object)) {
                throw ProblemException.invalid(fields.pointer(), "an operation is an object", "send {\"op\": …}");
            }
            String op = text(object, "op", fields.pointer()).orElse("");
            Set<String> taken = OperationReader.FIELDS.get(op);
            if (taken == null) {
                throw wrong(
                        "/op",
                        "there is no such operation",
                        "use " + String.join(", ", new TreeSet<>(OperationReader.FIELDS.keySet())));
            }
            Set<String> known = new TreeSet<>(taken);
            known.addAll(Set.of("op", "type"));
            unknown(object, known, fields.pointer());
            TypeDefinition type = type(text(object, "type", fields.pointer()).orElse(""));
            return keys(object, type).stream()
                    .map(key -> fields.read(op, key, object))
                    .toList();
        }

        private TypeDefinition type(String word) {
            TypeDefinition type = state.view()
                    .types()
                    .named(word)
                    .or(() -> state.view().types().withPlural(word))
                    .filter(known -> known.part() != TypeDefinition.Part.INTERNAL)
                    .orElseThrow(() -> wrong("/type", "there is no such type", "GET /api/v2/types lists them"));
            if (type.name().equals(Types.TOKEN)) {
                throw wrong("/type", "tokens are not written like other documents", "use /api/v2/tokens");
            }
            return type;
        }

        private List<DocumentKey> keys(ObjectNode object, TypeDefinition type) {
            Optional<String> id = text(object, "id", fields.pointer());
            if (object.has("selector") == id.isPresent()) {
                Optional<String> own =
                        text(object.path("spec") instanceof ObjectNode spec ? spec : object, "id", fields.pointer());
                if (id.isEmpty() && own.isPresent()) {
                    return List.of(new DocumentKey(type.name(), own.get()));
                }
                throw wrong("/id", "which document is meant is not clear", "give either id or selector");
            }
            if (id.isPresent()) {
                return List.of(new DocumentKey(type.name(), id.get()));
            }
            return selected(object.path("selector"), type);
        }

        private List<DocumentKey> selected(JsonNode node, TypeDefinition type) {
            if (!(node instanceof ObjectNode selector) || selector.isEmpty()) {
                throw wrong("/selector", "the selector says nothing", "give label_selector, filter or ids");
            }
            unknown(selector, Set.of("label_selector", "filter", "ids"), fields.pointer() + "/selector");
            Optional<Filter> filter = Selection.filter(
                    text(selector, "filter", fields.pointer() + "/selector"),
                    fields.pointer() + "/selector/filter",
                    type);
            Optional<LabelSelector> labels = text(selector, "label_selector", fields.pointer() + "/selector")
                    .map(this::labels);
            boolean narrowed = filter.isPresent() || labels.isPresent();
            List<DocumentKey> keys = new ArrayList<>();
            Set<String> ids = ids(selector.path("ids"));
            if (narrowed) {
                Selection selection = new Selection(state, type, labels, filter, DocumentJson.many(state, services));
                selection.all().stream()
                        .filter(document -> ids.isEmpty() || ids.contains(document.id()))
                        .forEach(document -> keys.add(document.key()));
            } else {
                ids.forEach(id -> keys.add(new DocumentKey(type.name(), id)));
            }
            if (narrowed) { // ids are paid for by the size of the request
                WorkBudget.current().spend(keys.size() * (long) WorkBudget.SELECTED_WRITE);
            }
            if (keys.isEmpty()) {
                throw wrong("/selector", "it selects nothing", "look at what GET with the same filter shows");
            }
            return keys;
        }

        private LabelSelector labels(String text) {
            try {
                return LabelSelector.parse(text);
            } catch (ProblemException e) {
                throw wrong(
                        "/selector/label_selector",
                        e.problem().detail(),
                        e.problem().next());
            }
        }

        private Set<String> ids(JsonNode node) {
            Set<String> ids = new TreeSet<>();
            if (node.isMissingNode()) {
                return ids;
            }
            for (JsonNode id : node) {
                if (!id.isString()) {
                    throw wrong("/selector/ids", "an id is not a string", "send a list of strings");
                }
                ids.add(id.stringValue());
            }
            if (!node.isArray() || ids.isEmpty()) {
                throw wrong("/selector/ids", "this is not a list of ids", "send a list of strings");
            }
            return ids;
        }

        private ProblemException wrong(String where, String detail, String fix) {
            return fields.wrong(where, detail, fix);
        }
    }
}
