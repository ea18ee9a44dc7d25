package dev.homeport.fleet;

import dev.homeport.document.Document;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** The environments in order. Clusters of the last one, or of all that share the last place, are protected unless their document says otherwise; while the order cannot be read, all are. */
public final class Tiers {
    private final String last;
    private final Set<String> atTheEnd;
    private final boolean unsure;

    public Tiers(Iterable<Document> environments) {
        unsure = StreamSupport.stream(environments.spliterator(), false)
                .anyMatch(environment -> environment.fault().isPresent());
        List<Document> readable = StreamSupport.stream(environments.spliterator(), false)
                .filter(environment -> environment.fault().isEmpty())
                .toList();
        int highest = readable.stream().mapToInt(Tiers::order).max().orElse(0);
        atTheEnd = readable.stream()
                .filter(environment -> order(environment) == highest)
                .map(Document::id)
                .collect(Collectors.toCollection(TreeSet::new));
        last = atTheEnd.isEmpty() ? "" : atTheEnd.iterator().next();
    }

    private static int order(Document environment) {
        return environment.tree().path("order").intValue(0);
    }

    /** The id of the last one, empty without environments. */
    public String last() {
        return last;
    }

    public boolean isProtected(Cluster cluster) {
        Boolean flag = cluster.protectedFlag();
        return flag == null ? unsure || atTheEnd.contains(cluster.environment()) : flag;
    }
}
