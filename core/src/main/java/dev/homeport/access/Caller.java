package dev.homeport.access;

import java.util.Optional;

/**
 * Somebody who has shown who he is.
 *
 * @param cluster the one cluster that a cluster's token is for
 * @param token the id of the token he came with, empty when he came without one
 */
public record Caller(Actor actor, Access access, Optional<String> cluster, String token) {

    /** What a caller may do at most, until roles say it more finely. */
    public enum Access {
        ADMIN,
        READER,
        /** Reads its own answers and posts its own events. */
        CLUSTER,
        /** All polls, and GET on the four root collections. */
        COMPAT_READER,
        /** Writes of the four root collections' types. */
        COMPAT_WRITER,
        /** Homeport's own loops. */
        SYSTEM,
        /** Somebody without a token, or with one that opens nothing by itself. */
        NOBODY
    }

    /** For what needs no token. */
    public static Caller anonymous() {
        return new Caller(new Actor(Actor.Kind.PERSON, "anonymous"), Access.NOBODY, Optional.empty(), "");
    }

    /** For what Homeport does by itself. */
    public static Caller internal(Actor actor) {
        return new Caller(actor, Access.SYSTEM, Optional.empty(), "");
    }
}
