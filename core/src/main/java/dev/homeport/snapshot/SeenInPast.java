package dev.homeport.snapshot;

import dev.homeport.access.Powers;
import dev.homeport.change.ChangeOutline;
import dev.homeport.change.CommitOutline;
import dev.homeport.change.History;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.ReservedName;
import dev.homeport.problem.WorkBudget;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What one caller sees of the past. Many documents are asked about with few queries, and only those of whose types it is decided
 * document by document are read.
 */
public final class SeenInPast {
    /** So many documents are in memory at a time. */
    private static final int AT_ONCE = 200;

    private final History history;
    private final Powers powers;

    public SeenInPast(History history, Powers powers) {
        this.history = history;
        this.powers = powers;
    }

    /** Those changes of a commit whose documents the caller sees, before or after it. */
    public List<ChangeOutline> changes(CommitOutline commit) {
        if (powers.seesAll()) {
            return commit.changes();
        }
        long revision = commit.commit().revision();
        Set<DocumentKey> seen = new HashSet<>(recorded(keys(commit.changes(), change -> !change.removes()), revision));
        // Most are seen as they are afterwards, and need not be read as they were before.
        seen.addAll(recorded(
                keys(commit.changes(), change -> !change.creates() && !seen.contains(change.key())), revision - 1));
        return commit.changes().stream()
                .filter(change -> seen.contains(change.key()))
                .toList();
    }

    private static List<DocumentKey> keys(List<ChangeOutline> changes, Predicate<ChangeOutline> which) {
        return changes.stream().filter(which).map(ChangeOutline::key).toList();
    }

    /**
     * Of documents that existed at a revision, those that the caller saw then. What was recorded about a cluster is seen by those
     * who saw the cluster.
     */
    public Set<DocumentKey> recorded(Collection<DocumentKey> keys, long revision) {
        if (powers.seesAll()) {
            return Set.copyOf(keys);
        }
        List<DocumentKey> own = new ArrayList<>();
        List<DocumentKey> lives = new ArrayList<>();
        List<DocumentKey> names = new ArrayList<>();
        for (DocumentKey key : keys) {
            switch (key.type()) {
                case Types.CLUSTER_LIFE -> lives.add(key);
                case Types.RESERVED_NAME -> names.add(key);
                default -> own.add(key);
            }
        }
        Set<DocumentKey> seen = documents(own, revision);
        Set<DocumentKey> clusters =
                documents(lives.stream().map(SeenInPast::cluster).toList(), revision);
        lives.stream().filter(life -> clusters.contains(cluster(life))).forEach(seen::add);
        seen.addAll(names(names, revision));
        return seen;
    }

    private static DocumentKey cluster(DocumentKey life) {
        return new DocumentKey(Types.CLUSTER, life.id());
    }

    /** A name is reserved in the commit that ends its cluster. */
    private Set<DocumentKey> names(List<DocumentKey> keys, long revision) {
        Map<DocumentKey, DocumentKey> clusters = new HashMap<>();
        for (List<DocumentKey> some : parts(keys)) {
            for (Document name : history.documentsAt(some, revision).values()) {
                if (name.fault().isEmpty()) {
                    clusters.put(
                            name.key(),
                            new DocumentKey(Types.CLUSTER, ReservedName.of(name).cluster()));
                }
            }
        }
        Set<DocumentKey> seen = documents(clusters.values(), revision);
        seen.addAll(documents(clusters.values(), revision - 1));
        clusters.values().retainAll(seen);
        return clusters.keySet();
    }

    /** Of documents that existed at a revision, those that the caller saw then. */
    public Set<DocumentKey> documents(Collection<DocumentKey> keys, long revision) {
        Set<DocumentKey> seen = new HashSet<>();
        Set<DocumentKey> each = new HashSet<>();
        for (DocumentKey key : keys) {
            Optional<Boolean> all = powers.seesAllOf(key.type());
            if (all.isEmpty()) {
                each.add(key);
            } else if (all.get()) {
                seen.add(key);
            }
        }
        for (List<DocumentKey> some : parts(List.copyOf(each))) {
            history.documentsAt(some, revision).values().stream()
                    .filter(powers::sees)
                    .map(Document::key)
                    .forEach(seen::add);
        }
        return seen;
    }

    private static List<List<DocumentKey>> parts(List<DocumentKey> keys) {
        WorkBudget.current().check();
        List<List<DocumentKey>> parts = new ArrayList<>();
        for (int from = 0; from < keys.size(); from += AT_ONCE) {
            parts.add(keys.subList(from, Math.min(from + AT_ONCE, keys.size())));
        }
        return parts;
    }
}
