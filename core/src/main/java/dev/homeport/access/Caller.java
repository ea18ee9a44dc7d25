package dev.homeport.access;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * An authenticated caller.
 *
 * @param cluster the one cluster that a cluster's token is for
 * @param token the id of the token that was presented, empty without one
 * @param groups the caller's groups, as the identity provider asserts them
 * @param signIn what an identity provider asserts, for callers without a Homeport token
 * @param limits the rights that the token may use at most
 */
public record Caller(
        Actor actor,
        Access access,
        Optional<String> cluster,
        String token,
        Set<String> groups,
        Optional<SignIn> signIn,
        Limits limits) {
    public Caller {
        groups = Set.copyOf(groups);
    }

    public Caller(Actor actor, Access access, Optional<String> cluster, String token, Set<String> groups) {
        this(actor, access, cluster, token, groups, Optional.empty(), Limits.NONE);
    }

    /**
     * A sign-in at an identity provider.
     *
     * @param session the id of the browser's session; empty for a token of the provider
     * @param since when it began
     * @param until when it ends
     */
    public record SignIn(String session, Instant since, Instant until) {}

    public Caller(Actor actor, Access access, Optional<String> cluster, String token) {
        this(actor, access, cluster, token, Set.of());
    }

    /** Where a caller's rights come from. */
    public enum Access {
        /** The token itself holds every right. */
        ADMIN,
        /** The token itself holds the right to read everything. */
        READER,
        /** What is granted to the actor and to the actor's groups. */
        GRANTED,
        /** Reads its own answers and posts its own events. */
        CLUSTER,
        /** All polls, and GET on the four root collections. */
        COMPAT_READER,
        /** Writes of the four root collections' types. */
        COMPAT_WRITER,
        /** Homeport's own loops. */
        SYSTEM,
        /** A caller without a token, or with one that gives no access by itself. */
        NOBODY
    }

    /** The subjects to which grants may refer: {@code person:alice}, {@code group:payments}. */
    public Stream<String> subjects() {
        return Stream.concat(Stream.of(actor.toString()), groups.stream().map(group -> "group:" + group));
    }

    /** A caller whom an identity provider has authenticated, with what is granted to the actor and the groups. */
    public static Caller vouchedFor(Actor actor, Set<String> groups, SignIn signIn) {
        return new Caller(actor, Access.GRANTED, Optional.empty(), "", groups, Optional.of(signIn), Limits.NONE);
    }

    /** For what needs no token. */
    public static Caller anonymous() {
        return new Caller(new Actor(Actor.Kind.PERSON, "anonymous"), Access.NOBODY, Optional.empty(), "");
    }

    /** A cluster that has shown who it is by other means than a token. */
    public static Caller ofCluster(String id) {
        return new Caller(new Actor(Actor.Kind.CLUSTER, id), Access.CLUSTER, Optional.of(id), "");
    }

    /** For changes that Homeport makes itself. */
    public static Caller internal(Actor actor) {
        return new Caller(actor, Access.SYSTEM, Optional.empty(), "");
    }
}
