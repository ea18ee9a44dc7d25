package dev.homeport.write;

import dev.homeport.access.Verb;
import dev.homeport.api.ErrorCode;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.Cluster;
import dev.homeport.fleet.ReservedName;
import dev.homeport.problem.ProblemException;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Names that must not go to a new cluster as if nothing had ever run under them. A deleted cluster keeps its names until it is
 * purged; names that something may still poll under stay reserved after that, until a caller confirms that they are free.
 */
final class ReservedNames {
    private ReservedNames() {}

    static ProblemException occupied(String what, String cluster) {
        return ProblemException.refused(
                ErrorCode.TOMBSTONED,
                what + " belongs to cluster/" + cluster + ", which is being decommissioned",
                "undelete it to go on with the same cluster, or purge it to use the name for a new one");
    }

    /** Its id and all names that it is polled under; of one that cannot be read, the id alone. */
    static Set<String> of(Document document) {
        Set<String> names = new TreeSet<>();
        names.add(document.id());
        if (document.fault().isEmpty()) {
            Cluster cluster = Cluster.of(document);
            names.add(cluster.dns());
            cluster.dnsAliases().forEach(alias -> names.add(alias.dns()));
        }
        return names;
    }

    static void reserve(Draft draft, String cluster, Collection<String> names) {
        for (String name : names) {
            draft.put(ReservedName.key(name), new ReservedName(name, cluster, draft.revision()).body(), Verb.UPDATE);
        }
    }

    /**
     * A cluster takes names. Its own it may always take back while it exists; for another's there is a guard, and a caller who
     * confirms it needs the right to purge.
     */
    static void take(Draft draft, DocumentKey cluster, boolean isNew, Collection<String> names) {
        for (String name : names) {
            Optional<Document> reserved = draft.find(ReservedName.key(name));
            if (reserved.isEmpty()) {
                continue;
            }
            boolean own = reserved.get().fault().isEmpty()
                    && ReservedName.of(reserved.get()).cluster().equals(cluster.id());
            draft.remove(reserved.get().key(), Verb.UPDATE);
            if (isNew || !own) {
                draft.releases(name, cluster);
            }
        }
    }

    /** Nothing of this cluster is left anywhere. */
    static void forget(Draft draft, String cluster) {
        for (Document document : draft.before().all(Types.RESERVED_NAME).values()) {
            boolean its = document.fault().isEmpty()
                    && ReservedName.of(document).cluster().equals(cluster);
            if (its && draft.find(document.key()).isPresent()) {
                draft.remove(document.key(), Verb.UPDATE);
            }
        }
    }
}
