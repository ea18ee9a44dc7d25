package dev.homeport.server.admin;

import dev.homeport.change.History;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.Explain;
import dev.homeport.fleet.Explanation;
import dev.homeport.fleet.Explanation.ExplainedItem;
import dev.homeport.fleet.Explanation.ExplainedValue;
import dev.homeport.fleet.Explanation.Origin;
import dev.homeport.fleet.Explanation.Shadowed;
import dev.homeport.fleet.FleetView;
import dev.homeport.fleet.Overlay;
import dev.homeport.problem.WorkBudget;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Which change made a value what it is. A document tells only who changed it last, perhaps at another place; so its earlier
 * versions are explained in its stead, back to the first that says the same.
 */
final class Provenance {
    /** Of one document. With fewer, when the request's budget is used up, the origin is shown as at least as old. */
    private static final int MOST_VERSIONS = 100;

    private final FleetView view;
    private final Document cluster;
    private final TypeDefinition type;
    private final History history;

    /** What reading and explaining one earlier version costs: that of the cluster or of a layer explains all of its items. */
    private int step = WorkBudget.VERSION_READ;

    Provenance(FleetView view, Document cluster, TypeDefinition type, History history) {
        this.view = view;
        this.cluster = cluster;
        this.type = type;
        this.history = history;
    }

    /** What a document says of a value, with all that is noted there. */
    private record Saying(
            DocumentKey document,
            String item,
            String path,
            JsonNode value,
            String note,
            @Nullable String owner,
            @Nullable Instant expiresAt) {}

    /** The same with the changes by which it was said, instead of the last ones of the documents. */
    Explanation of(Explanation explanation) {
        step = WorkBudget.VERSION_READ + WorkBudget.LOOK * explanation.items().size();
        Map<DocumentKey, Map<Saying, Origin>> byDocument = new HashMap<>();
        sayings(explanation.items())
                .forEach((saying, origin) -> byDocument
                        .computeIfAbsent(saying.document(), key -> new HashMap<>())
                        .put(saying, origin));
        Map<Saying, Origin> since = new HashMap<>();
        byDocument.forEach((document, sayings) -> since.putAll(traced(document, sayings)));
        return new Explanation(
                rewritten(explanation.items(), (saying, origin) -> since.getOrDefault(saying, origin)),
                explanation.unresolved());
    }

    private Map<Saying, Origin> traced(DocumentKey key, Map<Saying, Origin> sayings) {
        Map<Saying, Origin> since = new HashMap<>(sayings);
        Set<Saying> same = new HashSet<>(sayings.keySet());
        Document version = view.document(key.type(), key.id());
        WorkBudget budget = WorkBudget.current();
        for (int looked = 0; version != null && !same.isEmpty(); looked++) {
            if (looked == MOST_VERSIONS || !budget.affords(step)) {
                same.forEach(saying -> since.computeIfPresent(saying, (any, origin) -> origin.atLeastAsOld()));
                break;
            }
            Optional<Document> older = history.documentAt(key, version.updated().revision() - 1);
            if (older.isEmpty() || older.get().fault().isPresent()) {
                break;
            }
            Map<Saying, Origin> then = sayings(explainedWith(older.get()));
            same.retainAll(then.keySet());
            same.forEach(saying -> since.put(saying, then.get(saying)));
            version = older.get();
        }
        return since;
    }

    private List<ExplainedItem> explainedWith(Document older) {
        FleetView then = new Overlay(view, view.types(), Map.of(older.key(), Optional.of(older)));
        boolean isCluster = older.type().equals(Types.CLUSTER);
        boolean isItem = older.type().equals(type.name());
        return Explain.items(then, isCluster ? older : cluster, type, item -> !isItem || item.equals(older.id()));
    }

    private static Map<Saying, Origin> sayings(List<ExplainedItem> items) {
        Map<Saying, Origin> found = new HashMap<>();
        var _ = rewritten(items, (saying, origin) -> {
            found.put(saying, origin);
            return origin;
        });
        return found;
    }

    private static List<ExplainedItem> rewritten(
            List<ExplainedItem> items, BiFunction<Saying, Origin, Origin> origins) {
        return items.stream()
                .map(item -> new ExplainedItem(
                        item.id(),
                        item.assigned(),
                        origins.apply(
                                saying(
                                        item.id(),
                                        "",
                                        JsonNodeFactory.instance.booleanNode(item.assigned()),
                                        item.assignment()),
                                item.assignment()),
                        item.values().stream()
                                .map(value -> rewritten(item.id(), value, origins))
                                .toList()))
                .toList();
    }

    private static ExplainedValue rewritten(
            String item, ExplainedValue value, BiFunction<Saying, Origin, Origin> origins) {
        return new ExplainedValue(
                value.path(),
                value.value(),
                origins.apply(saying(item, value.path(), value.value(), value.origin()), value.origin()),
                value.shadowed().stream()
                        .map(other -> new Shadowed(
                                other.path(),
                                other.value(),
                                origins.apply(
                                        saying(item, value.path() + " " + other.path(), other.value(), other.origin()),
                                        other.origin())))
                        .toList());
    }

    private static Saying saying(String item, String path, JsonNode value, Origin origin) {
        return new Saying(
                origin.document(),
                item,
                path,
                value,
                origin.noted() ? origin.reason() : "",
                origin.owner(),
                origin.expiresAt());
    }
}
