package dev.homeport.access;

import dev.homeport.document.Document;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What the log holds of a token; kept with its document, since every poll asks.
 *
 * @param madeBy the actor who made it; empty for tokens that are older than this field
 * @param parents ids of the tokens that it ends with: the one that made it, and the one that rotated it
 * @param signIn the sign-in that it ends with, of the actor who made it
 * @param limits the rights that it may use at most
 */
public record StoredToken(
        String kind,
        String subject,
        String hash,
        boolean revoked,
        @Nullable Instant expiresAt,
        Caller.Access access,
        String madeBy,
        List<String> parents,
        Optional<Caller.SignIn> signIn,
        Limits limits) {
    public StoredToken {
        parents = List.copyOf(parents);
    }

    /** Whether it belongs to a cluster: its own token, or a join token. */
    public boolean isForCluster() {
        return kind.equals("cluster") || kind.equals("join");
    }

    /** Whether it works according to its own document; {@link TokenLife} checks what it depends on. */
    public boolean isLive(Instant now) {
        return !revoked && (expiresAt == null || expiresAt.isAfter(now));
    }

    /** As grants spell it: {@code service:ci}. */
    public String holder() {
        return kind + ":" + subject;
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
                access(kind, body.path("access").stringValue("")),
                body.path("made_by").stringValue(""),
                // A cluster's token reads that cluster's answers alone, and a cluster must not stop when a person
                // leaves.
                kind.equals("cluster") ? List.of() : parents(body),
                signIn(body.path("sign_in")),
                Limits.read(body.path("limits"), document.created().revision()));
    }

    private static List<String> parents(JsonNode body) {
        return Stream.of("parent", "rotated_by")
                .filter(body::has)
                .map(field -> body.path(field).stringValue(""))
                .distinct()
                .toList();
    }

    private static Optional<Caller.SignIn> signIn(JsonNode json) {
        return json.isMissingNode()
                ? Optional.empty()
                : Optional.of(new Caller.SignIn(
                        json.path("session").stringValue(""),
                        Instant.parse(json.path("since").stringValue("")),
                        Instant.MAX));
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
            case "service" -> holder(Actor.Kind.SERVICE, id);
            case "person" -> holder(Actor.Kind.PERSON, id);
            default -> new Caller(new Actor(Actor.Kind.SERVICE, "join:" + subject), access, Optional.of(subject), id);
        };
    }

    private Caller holder(Actor.Kind actor, String id) {
        return new Caller(new Actor(actor, subject), access, Optional.empty(), id, Set.of(), Optional.empty(), limits);
    }
}
