package dev.homeport.change;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Which commits are wanted. All parts must hold.
 *
 * @param actor as the log keeps it: {@code person:alice}
 * @param since not before this time
 * @param until before this time
 * @param types changed a document of one of these types; empty for any
 * @param id changed a document with this id, of one of the types
 * @param text has this in its reason, its actor or the id of a document that it changed; case of ASCII letters does not matter
 * @param cluster changed this cluster's own documents, or a document of a type that clusters share
 * @param below has a lower revision
 */
public record CommitQuery(
        Optional<String> actor,
        Optional<Instant> since,
        Optional<Instant> until,
        Set<String> types,
        Optional<String> id,
        Optional<String> text,
        Optional<String> cluster,
        long below,
        int limit) {
    public CommitQuery {
        types = Set.copyOf(types);
    }

    /** The newest commits, whatever they are. */
    public static CommitQuery newest(int limit) {
        return new CommitQuery(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Set.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Long.MAX_VALUE,
                limit);
    }

    public CommitQuery by(String who) {
        return new CommitQuery(Optional.of(who), since, until, types, id, text, cluster, below, limit);
    }

    public CommitQuery between(Optional<Instant> from, Optional<Instant> to) {
        return new CommitQuery(actor, from, to, types, id, text, cluster, below, limit);
    }

    public CommitQuery changing(Set<String> anyOf, Optional<String> document) {
        return new CommitQuery(actor, since, until, anyOf, document, text, cluster, below, limit);
    }

    public CommitQuery with(String words) {
        return new CommitQuery(actor, since, until, types, id, Optional.of(words), cluster, below, limit);
    }

    public CommitQuery below(long revision) {
        return new CommitQuery(actor, since, until, types, id, text, cluster, revision, limit);
    }

    public CommitQuery concerning(String which) {
        return new CommitQuery(actor, since, until, types, id, text, Optional.of(which), below, limit);
    }

    public CommitQuery atMost(int commits) {
        return new CommitQuery(actor, since, until, types, id, text, cluster, below, commits);
    }
}
