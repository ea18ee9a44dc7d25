package dev.homeport.access;

import dev.homeport.document.Document;
import dev.homeport.document.Types;
import dev.homeport.fleet.FleetView;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What each kind of access comes to. Deny by default. */
public final class Rights implements Permission {
    private static final Set<String> ROOT_TYPES =
            Set.of(Types.CLUSTER, Types.PLATFORM_COMPONENT, Types.NAMESPACE, Types.ROLEBINDING);
    private static final Set<Verb> ROOT_VERBS = Set.of(Verb.CREATE, Verb.UPDATE, Verb.DELETE);

    @Override
    public Optional<String> refusal(
            Caller caller, Verb verb, FleetView view, Optional<Document> before, Optional<Document> after) {
        boolean allowed = switch (caller.access()) {
            case ADMIN, SYSTEM -> true;
            case COMPAT_WRITER ->
                ROOT_VERBS.contains(verb)
                        && Stream.concat(before.stream(), after.stream())
                                .allMatch(document -> ROOT_TYPES.contains(document.type()));
            case READER, CLUSTER, COMPAT_READER, NOBODY -> false;
        };
        return allowed
                ? Optional.empty()
                : Optional.of(caller.actor() + " may not "
                        + verb.name().toLowerCase(java.util.Locale.ROOT) + " "
                        + Stream.concat(after.stream(), before.stream())
                                .findFirst()
                                .map(document -> document.key().toString())
                                .orElse("this"));
    }

    /** Whether the caller may see documents, changes and whatever else the admin plane shows. */
    public boolean mayRead(Caller caller) {
        return switch (caller.access()) {
            case ADMIN, READER, SYSTEM -> true;
            case CLUSTER, COMPAT_READER, COMPAT_WRITER, NOBODY -> false;
        };
    }

    /** Whether the caller may read the root collections. */
    public boolean mayReadRoot(Caller caller) {
        return switch (caller.access()) {
            case ADMIN, READER, SYSTEM, COMPAT_READER, COMPAT_WRITER -> true;
            case CLUSTER, NOBODY -> false;
        };
    }

    /** Whether the caller may write the root collections at all; each document is asked about besides. */
    public boolean mayWriteRoot(Caller caller) {
        return switch (caller.access()) {
            case ADMIN, SYSTEM, COMPAT_WRITER -> true;
            case READER, CLUSTER, COMPAT_READER, NOBODY -> false;
        };
    }

    /** Whether the caller may poll this cluster's answers. Ids are compared whole. */
    public boolean mayPoll(Caller caller, String cluster) {
        return switch (caller.access()) {
            case ADMIN, READER, SYSTEM, COMPAT_READER -> true;
            case CLUSTER -> caller.cluster().filter(cluster::equals).isPresent();
            case COMPAT_WRITER, NOBODY -> false;
        };
    }
}
