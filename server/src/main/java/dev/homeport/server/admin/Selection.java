package dev.homeport.server.admin;

import dev.homeport.document.Document;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.WorkBudget;
import dev.homeport.server.admin.filter.ClusterSets;
import dev.homeport.server.admin.filter.FieldPath;
import dev.homeport.server.admin.filter.Filter;
import dev.homeport.server.admin.filter.FilterParser;
import dev.homeport.snapshot.LabelSelector;
import dev.homeport.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/** Chooses documents of a type by label selector and filter. */
final class Selection {
    /** A cluster's state, for short, as it is asked for more than anything else. */
    static final String STATE = "state";

    private final AsOf state;
    private final TypeDefinition type;
    private final Optional<LabelSelector> labels;
    private final Optional<Filter> filter;
    private final DocumentJson json;

    Selection(
            AsOf state,
            TypeDefinition type,
            Optional<LabelSelector> labels,
            Optional<Filter> filter,
            DocumentJson json) {
        this.state = state;
        this.type = type;
        this.labels = labels.filter(selector -> !selector.requirements().isEmpty());
        this.filter = filter;
        this.json = json;
    }

    static Optional<Filter> filter(Optional<String> text, String pointer, TypeDefinition type) {
        return text.map(given -> FilterParser.parse(given, pointer, fields(type)));
    }

    /** First names that a filter or facet of this type may begin with. */
    static Set<String> fields(TypeDefinition type) {
        Set<String> fields = new TreeSet<>(type.schema().path("properties").propertyNames());
        fields.addAll(Set.of("id", "meta", "status"));
        if (type.part() == TypeDefinition.Part.CLUSTER) {
            fields.add(STATE);
        }
        if (type.name().equals(Types.TOKEN)) {
            fields.remove("hash");
        }
        return fields;
    }

    /** All that match, ordered by id. */
    List<Document> all() {
        List<Document> found = new ArrayList<>();
        Source source = source();
        WorkBudget budget = WorkBudget.current();
        for (Document document : source.documents()) {
            budget.spend(source.cost());
            if (source.matches().test(document)) {
                found.add(document);
            }
        }
        return found;
    }

    /** The first that match after an id, ordered by id. */
    List<Document> page(String after, int size) {
        Source source = source();
        Iterable<Document> documents = source.indexed() ? source.documents() : from(after, source.documents());
        List<Document> found = new ArrayList<>();
        WorkBudget budget = WorkBudget.current();
        for (Document document : documents) {
            budget.spend(source.cost());
            if (document.id().compareTo(after) > 0 && source.matches().test(document)) {
                found.add(document);
                if (found.size() == size) {
                    break;
                }
            }
        }
        return found;
    }

    private Iterable<Document> from(String after, Iterable<Document> otherwise) {
        if (!(state instanceof AsOf.Present present)
                || after.isEmpty()
                || !state.powers().seesAll()) {
            return otherwise;
        }
        Iterable<Map.Entry<String, Document>> entries =
                present.snapshot().all(type.name()).from(after);
        return () -> {
            var iterator = entries.iterator();
            return new java.util.Iterator<>() {
                @Override
                public boolean hasNext() {
                    return iterator.hasNext();
                }

                @Override
                public Document next() {
                    return iterator.next().getValue();
                }
            };
        };
    }

    private record Source(Iterable<Document> documents, Predicate<Document> matches, boolean indexed, int cost) {}

    private Source source() {
        boolean none = labels.isEmpty() && filter.isEmpty();
        if (none) {
            return new Source(state.all(type.name()), document -> true, false, WorkBudget.INDEXED_LOOK);
        }
        Predicate<Document> readable = document -> document.fault().isEmpty();
        if (!(state instanceof AsOf.Present present) || type.part() != TypeDefinition.Part.CLUSTER) {
            return new Source(
                    state.all(type.name()), readable.and(this::hasLabels).and(this::passes), false, WorkBudget.LOOK);
        }
        BitSet seen = SeenClusters.of(present.snapshot(), state.powers());
        // Sets of slots are built and combined whole, whatever they come to.
        WorkBudget.current().spend(seen.cardinality() * (long) WorkBudget.INDEXED_LOOK);
        ClusterSets sets = new ClusterSets(present.snapshot(), json.states(), seen);
        BitSet slots = labels.map(sets::of).orElseGet(sets::all);
        Optional<ClusterSets.Found> found = filter.flatMap(sets::of);
        found.ifPresent(narrowed -> slots.and(narrowed.slots()));
        if (labels.isEmpty() && found.isEmpty()) {
            return new Source(state.all(type.name()), readable.and(this::passes), false, WorkBudget.LOOK);
        }
        boolean exact = filter.isEmpty() || found.isPresent() && found.get().exact();
        return new Source(
                SeenClusters.inOrder(present.snapshot(), slots),
                exact ? readable : readable.and(this::passes),
                true,
                exact ? WorkBudget.INDEXED_LOOK : WorkBudget.LOOK);
    }

    private static BitSet slots(Snapshot snapshot, List<Document> clusters) {
        BitSet slots = new BitSet();
        for (Document cluster : clusters) {
            Integer slot = snapshot.slotOf(cluster.id());
            if (slot != null) {
                slots.set(slot);
            }
        }
        return slots;
    }

    private boolean hasLabels(Document document) {
        if (labels.isEmpty()) {
            return true;
        }
        Map<String, String> own = new HashMap<>();
        document.tree().path("labels").forEachEntry((key, value) -> own.put(key, value.asString("")));
        return labels.get().matches(own);
    }

    private boolean passes(Document document) {
        Fields fields = new Fields(document);
        return filter.isEmpty() || filter.get().matches(fields::root);
    }

    private boolean isState(FieldPath path) {
        return type.part() == TypeDefinition.Part.CLUSTER && ClusterSets.isState(path);
    }

    /** How often each value of a field occurs. */
    Facet facet(FieldPath path, List<Document> matching) {
        if (state instanceof AsOf.Present && isState(path)) {
            Map<String, Integer> counts = new HashMap<>();
            matching.forEach(cluster -> counts.merge(json.states().apply(cluster), 1, Integer::sum));
            return new Facet(path.toString(), counts, 0);
        }
        Optional<String> prefix = ClusterSets.prefix(path);
        if (state instanceof AsOf.Present present && type.part() == TypeDefinition.Part.CLUSTER && prefix.isPresent()) {
            BitSet slots = slots(present.snapshot(), matching);
            Map<String, Integer> counts =
                    new ClusterSets(present.snapshot(), json.states(), slots).counts(prefix.get(), slots);
            int known = counts.values().stream().mapToInt(Integer::intValue).sum();
            return new Facet(path.toString(), counts, matching.size() - known);
        }
        Map<String, Integer> counts = new HashMap<>();
        int missing = 0;
        WorkBudget budget = WorkBudget.current();
        for (Document document : matching) {
            budget.spend(WorkBudget.LOOK);
            List<String> words = document.fault().isPresent() ? List.of() : path.words(new Fields(document).root(path));
            words.forEach(word -> counts.merge(word, 1, Integer::sum));
            missing += words.isEmpty() ? 1 : 0;
        }
        return new Facet(path.toString(), counts, missing);
    }

    /** Values of a field with how many documents have them. */
    record Facet(String field, Map<String, Integer> counts, int missing) {
        private static final int MOST = 1000;

        ObjectNode json() {
            ObjectNode json = StrictJson.object().put("field", field);
            var values = json.putArray("values");
            counts.entrySet().stream()
                    .sorted(Map.Entry.<String, Integer>comparingByValue()
                            .reversed()
                            .thenComparing(Map.Entry.comparingByKey()))
                    .limit(MOST)
                    .forEach(entry ->
                            values.addObject().put("value", entry.getKey()).put("count", entry.getValue()));
            json.put("missing", missing);
            return json;
        }
    }

    /** The parts of one document that a filter looks into, each made once. */
    private final class Fields {
        private final Document document;
        private @Nullable ObjectNode spec;
        private @Nullable ObjectNode computed;

        Fields(Document document) {
            this.document = document;
        }

        JsonNode root(FieldPath path) {
            if (path.root().equals(STATE)) {
                return computed().path("status");
            }
            boolean outside = path.root().equals("meta") || path.root().equals("status");
            return outside ? computed() : spec();
        }

        private JsonNode spec() {
            ObjectNode known = spec;
            if (known == null) {
                known = document.fault().isPresent() ? null : DocumentJson.spec(document);
                spec = known;
            }
            return known == null ? MissingNode.getInstance() : known;
        }

        private ObjectNode computed() {
            ObjectNode known = computed;
            if (known == null) {
                known = StrictJson.object();
                known.set("meta", DocumentJson.meta(document));
                known.set("status", json.status(document));
                computed = known;
            }
            return known;
        }
    }
}
