package dev.homeport.observe;

import dev.homeport.document.Document;
import dev.homeport.fleet.Answer;
import dev.homeport.fleet.Answers;
import dev.homeport.fleet.FleetView;
import dev.homeport.fleet.Item;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Which items one cluster is given now. Each type is resolved when first asked about. */
final class GivenItems {
    private final FleetView view;
    private final Document cluster;
    private final Map<String, Set<String>> ids = new HashMap<>();

    GivenItems(FleetView view, Document cluster) {
        this.view = view;
        this.cluster = cluster;
    }

    /** Whether it was given back since it was removed. */
    boolean contains(RemovedItem item) {
        return ids.computeIfAbsent(item.plural(), this::read).contains(item.id());
    }

    private Set<String> read(String plural) {
        return view.types()
                .withPlural(plural)
                .map(type -> Answers.of(view, cluster, type))
                .filter(Answer.Served.class::isInstance)
                .map(Answer.Served.class::cast)
                .map(served -> served.items().stream()
                        .filter(Item::enabled)
                        .map(Item::id)
                        .collect(Collectors.toSet()))
                .orElse(Set.of());
    }
}
