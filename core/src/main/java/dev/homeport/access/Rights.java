package dev.homeport.access;

import dev.homeport.document.Document;
import java.time.InstantSource;
import java.util.function.Predicate;

/** What callers may do: {@link Powers}, with the time that grants may end by. */
public final class Rights implements Permission {
    private final InstantSource clock;
    private final boolean peopleSignIn;
    private final Predicate<String> issuerNames;

    public Rights(InstantSource clock) {
        this(clock, false, name -> false);
    }

    /**
     * @param peopleSignIn whether there is an identity provider that people and groups come from
     * @param issuerNames names of services that come from trusted issuers
     */
    public Rights(InstantSource clock, boolean peopleSignIn, Predicate<String> issuerNames) {
        this.clock = clock;
        this.peopleSignIn = peopleSignIn;
        this.issuerNames = issuerNames;
    }

    @Override
    public boolean isNameOfIssuer(String service) {
        return issuerNames.test(service);
    }

    @Override
    public boolean peopleSignIn() {
        return peopleSignIn;
    }

    @Override
    public Powers powers(AccessView view, Caller caller) {
        return Powers.of(view, caller, clock.instant());
    }

    /** Whether the caller may use the admin plane at all; what it shows and does depends on the caller's permissions. */
    public boolean mayEnter(AccessView view, Caller caller) {
        return switch (caller.access()) {
            case ADMIN, READER, SYSTEM -> true;
            case GRANTED -> powers(view, caller).any();
            case CLUSTER, COMPAT_READER, COMPAT_WRITER, NOBODY -> false;
        };
    }

    /** Whether the caller may read the root collections, as far as their documents are visible. */
    public boolean mayReadRoot(AccessView view, Caller caller) {
        return switch (caller.access()) {
            case COMPAT_READER, COMPAT_WRITER -> true;
            case ADMIN, READER, SYSTEM, GRANTED -> mayEnter(view, caller);
            case CLUSTER, NOBODY -> false;
        };
    }

    /** Whether the caller may write the root collections at all; each document is asked about besides. */
    public boolean mayWriteRoot(AccessView view, Caller caller) {
        return switch (caller.access()) {
            case ADMIN, SYSTEM, COMPAT_WRITER -> true;
            case GRANTED -> mayEnter(view, caller);
            case READER, CLUSTER, COMPAT_READER, NOBODY -> false;
        };
    }

    /** Whether the caller may poll this cluster's answers. Ids are compared whole. */
    public boolean mayPoll(AccessView view, Caller caller, Document cluster) {
        return switch (caller.access()) {
            case ADMIN, READER, SYSTEM, COMPAT_READER -> true;
            case CLUSTER -> caller.cluster().filter(cluster.id()::equals).isPresent();
            case GRANTED -> powers(view, caller).sees(cluster);
            case COMPAT_WRITER, NOBODY -> false;
        };
    }
}
