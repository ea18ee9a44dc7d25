package dev.homeport.write;

import dev.homeport.document.Document;
import dev.homeport.document.Types;
import dev.homeport.fleet.Cluster;
import dev.homeport.snapshot.Snapshot;
import java.util.Comparator;
import java.util.stream.StreamSupport;

/** The environments in order. Clusters of the last one are protected unless their document says otherwise. */
final class Tiers {
    private final String last;

    Tiers(Snapshot snapshot) {
        last = StreamSupport.stream(snapshot.all(Types.ENVIRONMENT).values().spliterator(), false)
                .filter(environment -> environment.fault().isEmpty())
                .max(Comparator.comparingInt((Document environment) ->
                        environment.tree().path("order").intValue(0)))
                .map(Document::id)
                .orElse("");
    }

    boolean isProtected(Cluster cluster) {
        Boolean flag = cluster.protectedFlag();
        return flag == null ? cluster.environment().equals(last) : flag;
    }
}
