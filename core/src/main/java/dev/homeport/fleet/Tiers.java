package dev.homeport.fleet;

import dev.homeport.document.Document;
import java.util.Comparator;
import java.util.stream.StreamSupport;

/** The environments in order. Clusters of the last one are protected unless their document says otherwise; while the order cannot be read, all are. */
public final class Tiers {
    private final String last;
    private final boolean unsure;

    public Tiers(Iterable<Document> environments) {
        unsure = StreamSupport.stream(environments.spliterator(), false)
                .anyMatch(environment -> environment.fault().isPresent());
        last = StreamSupport.stream(environments.spliterator(), false)
                .filter(environment -> environment.fault().isEmpty())
                .max(Comparator.comparingInt((Document environment) ->
                        environment.tree().path("order").intValue(0)))
                .map(Document::id)
                .orElse("");
    }

    /** The id of the last one, empty when there is none. */
    public String last() {
        return last;
    }

    public boolean isProtected(Cluster cluster) {
        Boolean flag = cluster.protectedFlag();
        return flag == null ? unsure || cluster.environment().equals(last) : flag;
    }
}
