package dev.homeport.server.admin;

import dev.homeport.access.BuiltInRoles;
import dev.homeport.document.Body;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.RuntimeTypes;
import dev.homeport.document.TypeCatalog;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.fleet.ClusterLifeForm;
import dev.homeport.problem.ProblemException;
import dev.homeport.problem.WorkBudget;
import dev.homeport.server.http.Plain;
import dev.homeport.snapshot.Snapshot;
import dev.homeport.write.Expected;
import dev.homeport.write.Operation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * An export as operations: what is there already and equal is left alone.
 *
 * @param places for each operation, which of the export's documents it came from
 */
record Import(List<Operation> operations, List<Integer> places) {
    private static final Pattern PLACE = Pattern.compile("/operations/([0-9]+)(/.*)?", Pattern.DOTALL);
    private static final Set<String> FIELDS = Set.of("type", "id", "spec", "life", "meta", "status");

    static Import read(ObjectNode export, AsOf.Present state, boolean prune) {
        Snapshot present = state.snapshot();
        for (String field : export.propertyNames()) {
            if (!field.equals(ExportRoutes.MARK) && !field.equals("documents")) {
                throw ProblemException.invalid("/" + Plain.text(field), "there is no such field here", "leave it out");
            }
        }
        JsonNode mark = export.path(ExportRoutes.MARK);
        if (!mark.isIntegralNumber() || mark.longValue(0) != ExportRoutes.VERSION) {
            throw ProblemException.invalid(
                    "/" + ExportRoutes.MARK, "this is not an export that is known here", "set it to 1");
        }
        if (!(export.path("documents") instanceof ArrayNode documents)) {
            throw ProblemException.invalid("/documents", "there are no documents", "send a list");
        }
        Import result = new Import(new ArrayList<>(), new ArrayList<>());
        Set<DocumentKey> named = new HashSet<>();
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < documents.size(); i++) {
            entries.add(Entry.read(documents.get(i), i));
        }
        // Types first, so that what is of those types can be read.
        entries.sort(Comparator.comparing(entry -> !entry.key().type().equals(Types.TYPE)));
        TypeCatalog types = present.types();
        WorkBudget budget = WorkBudget.current();
        for (Entry entry : entries) {
            budget.check();
            if (!named.add(entry.key())) {
                throw ProblemException.invalid(entry.pointer(), entry.key() + " is there twice", "leave one out");
            }
            if (entry.key().type().equals(Types.TYPE)) {
                types = types.with(type(entry));
            }
            boolean known = types.named(entry.key().type())
                    .filter(type -> type.part() != TypeDefinition.Part.INTERNAL)
                    .isPresent();
            if (!known) {
                throw ProblemException.invalid(entry.pointer() + "/type", "there is no such type", "import it as well");
            }
            // Every installation has the same ones, and writes them itself.
            if (!BuiltInRoles.contains(entry.key())) {
                result.add(entry, state);
            }
        }
        if (prune) {
            result.prune(named, state);
        }
        return result;
    }

    private static TypeDefinition type(Entry entry) {
        try {
            return RuntimeTypes.definition(entry.spec());
        } catch (ProblemException e) {
            throw ProblemException.invalid(
                    entry.pointer() + "/spec", e.problem().detail(), e.problem().next());
        }
    }

    private void add(Entry entry, AsOf.Present state) {
        Snapshot present = state.snapshot();
        Optional<Document> there = present.find(entry.key()).filter(state.powers()::sees);
        boolean same = there.isPresent()
                && there.get().fault().isEmpty()
                && there.get().body().equals(Body.of(entry.spec()));
        if (!same && !there.filter(document -> isSameToken(document, entry)).isPresent()) {
            add(operation(entry, there.isPresent()), entry.position());
        }
        if (entry.key().type().equals(Types.CLUSTER)) {
            addLife(entry, present, there.isPresent());
        }
    }

    /** A token that was imported before ends with the one that imported it, which an export from elsewhere does not know. */
    private static boolean isSameToken(Document there, Entry entry) {
        if (!there.type().equals(Types.TOKEN) || there.fault().isPresent()) {
            return false;
        }
        ObjectNode old = there.tree();
        ObjectNode wanted = entry.spec().deepCopy();
        List<String> ours = List.of("id", "rotated_by", "sign_in", "made_by", "expires_at");
        old.remove(ours);
        wanted.remove(ours);
        return old.equals(wanted);
    }

    /** A token that is removed meanwhile is not made again. */
    private static Operation operation(Entry entry, boolean known) {
        if (!entry.key().type().equals(Types.TOKEN)) {
            return new Operation.Put(entry.key(), entry.spec());
        }
        return known
                ? new Operation.Replace(entry.key(), entry.spec(), Expected.ANY)
                : new Operation.Create(entry.key(), entry.spec());
    }

    private void addLife(Entry entry, Snapshot present, boolean known) {
        String id = entry.key().id();
        ClusterLife wanted = entry.life()
                .map(life -> ImportedLife.read(id, life, entry.pointer() + "/life"))
                .orElse(ClusterLife.NEWBORN);
        ClusterLife now = known ? ClusterLife.of(present.document(Types.CLUSTER_LIFE, id)) : ClusterLife.NEWBORN;
        if (!wanted.sameCourse(now)) {
            add(
                    new Operation.Undo(
                            ClusterLifeForm.key(id),
                            Optional.of(ClusterLifeForm.write(id, wanted)),
                            Optional.of(ClusterLifeForm.write(id, now))),
                    entry.position());
        }
    }

    private void prune(Set<DocumentKey> named, AsOf.Present state) {
        Snapshot present = state.snapshot();
        for (TypeDefinition type : present.types().all()) {
            if (type.part() == TypeDefinition.Part.INTERNAL || type.name().equals(Types.TOKEN)) {
                continue;
            }
            for (Document document : state.all(type.name())) {
                boolean leaving = type.part() == TypeDefinition.Part.CLUSTER
                        && ClusterLife.of(present.document(Types.CLUSTER_LIFE, document.id()))
                                        .phase()
                                == ClusterLife.Phase.LEAVING;
                if (!named.contains(document.key()) && !leaving && !BuiltInRoles.contains(document.key())) {
                    add(new Operation.Delete(document.key(), Expected.ANY), 0);
                }
            }
        }
    }

    private void add(Operation operation, int position) {
        operations.add(operation);
        places.add(position);
    }

    /** The writer counts operations; the caller counts documents. */
    String place(String pointer) {
        Matcher known = PLACE.matcher(pointer);
        if (!known.matches()) {
            return places.size() == 1 ? "/documents/" + places.getFirst() + "/spec" + pointer : pointer;
        }
        String rest = known.group(2);
        return "/documents/" + places.get(Integer.parseInt(known.group(1))) + (rest == null ? "" : rest);
    }

    /** One document of an export. */
    private record Entry(DocumentKey key, ObjectNode spec, Optional<ObjectNode> life, int position) {
        static Entry read(JsonNode node, int position) {
            String pointer = "/documents/" + position;
            if (!(node instanceof ObjectNode object)
                    || !object.path("type").isString()
                    || !object.path("id").isString()
                    || !(object.path("spec") instanceof ObjectNode spec)) {
                throw ProblemException.invalid(
                        pointer, "a document has type, id and spec", "send it as an export has it");
            }
            for (String field : object.propertyNames()) {
                if (!FIELDS.contains(field)) {
                    throw ProblemException.invalid(
                            pointer + "/" + Plain.text(field), "there is no such field here", "leave it out");
                }
            }
            JsonNode life = object.path("life");
            if (!life.isMissingNode() && !life.isObject()) {
                throw ProblemException.invalid(pointer + "/life", "life is not an object", "leave it out");
            }
            return new Entry(
                    new DocumentKey(
                            object.path("type").stringValue(), object.path("id").stringValue()),
                    spec,
                    life instanceof ObjectNode known ? Optional.of(known) : Optional.empty(),
                    position);
        }

        String pointer() {
            return "/documents/" + position;
        }
    }
}
