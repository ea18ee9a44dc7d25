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

    /** Whether it is a cluster's: its own, or one to join with. */
    public boolean isForCluster() {
        return kind.equals("cluster") || kind.equals("join");
    }

    public boolean isLive(Instant now) {
        return !revoked && (expiresAt == null || expiresAt.isAfter(now));
    }

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
                access(kind, body.path("access").stringValue("")));
    }

    private static Caller.Access access(String kind, String word) {
        return switch (kind) {
            case "cluster" -> Caller.Access.CLUSTER;
            // A join token is exchanged for a cluster's own; it reads nothing itself.
            case "join" -> Caller.Access.NOBODY;
            default ->
                switch (word) {
                    case "admin" -> Caller.Access.ADMIN;
                    case "reader" -> Caller.Access.READER;
                    default -> Caller.Access.GRANTED;
                };
        };
    }

    Caller caller(String id) {
        return switch (kind) {
            case "cluster" ->
                new Caller(new Actor(Actor.Kind.CLUSTER, subject), Caller.Access.CLUSTER, Optional.of(subject), id);
            case "service" -> new Caller(new Actor(Actor.Kind.SERVICE, subject), access, Optional.empty(), id);
            case "person" -> new Caller(new Actor(Actor.Kind.PERSON, subject), access, Optional.empty(), id);
            default -> new Caller(new Actor(Actor.Kind.SERVICE, "join:" + subject), access, Optional.of(subject), id);
        };
    }
}
