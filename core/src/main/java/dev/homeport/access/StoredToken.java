package dev.homeport.access;

import dev.homeport.document.Document;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What the log holds of a token; kept with its document, since every poll asks. */
public record StoredToken(
        String kind,
        String subject,
        String hash,
        boolean revoked,
        @Nullable Instant expiresAt,
        Caller.Access access) {

    public static StoredToken of(Document document) {
        return document.derive(StoredToken::read);
    }

    private static StoredToken read(Document document) {
        JsonNode body = document.tree();
        String kind = body.path("kind").stringValue("");
        String expiry = body.path("expires_at").stringValue("");
        return new StoredToken(
                kind,
                body.path("subject").stringValue(""),
                body.path("hash").stringValue(""),
                body.path("revoked").booleanValue(false),
                expiry.isEmpty() ? null : Instant.parse(expiry),
                kind.equals("cluster")
                        ? Caller.Access.CLUSTER
                        : body.path("access").stringValue("").equals("admin")
                                ? Caller.Access.ADMIN
                                : Caller.Access.READER);
    }

    Caller caller(String id) {
        return switch (kind) {
            case "cluster" ->
                new Caller(new Actor(Actor.Kind.CLUSTER, subject), Caller.Access.CLUSTER, Optional.of(subject), id);
            case "service" -> new Caller(new Actor(Actor.Kind.SERVICE, subject), access, Optional.empty(), id);
            case "person" -> new Caller(new Actor(Actor.Kind.PERSON, subject), access, Optional.empty(), id);
            // A join token is exchanged for a cluster's own; it reads nothing itself.
            default ->
                new Caller(
                        new Actor(Actor.Kind.SERVICE, "join:" + subject), Caller.Access.NOBODY, Optional.empty(), id);
        };
    }
}
