package dev.homeport.server.admin;

import dev.homeport.access.StoredToken;
import dev.homeport.access.TokenText;
import dev.homeport.api.ErrorCode;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.ProblemException;
import dev.homeport.server.http.Call;
import dev.homeport.server.http.Plain;
import dev.homeport.server.http.Reply;
import dev.homeport.server.http.Route;
import dev.homeport.write.Expected;
import dev.homeport.write.Operation;
import dev.homeport.write.Outcome;
import dev.homeport.write.WriteRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Tokens: made and shown once, replaced with an overlap, revoked. Reading them is the same as for other documents. */
final class TokenRoutes {
    private static final String LIST = "/api/v2/tokens";
    private static final String ONE = LIST + "/{id}";
    private static final Set<String> FIELDS = Set.of("kind", "subject", "access", "expires_at", "label");
    private static final Duration JOIN = Duration.ofHours(1);
    private static final Duration LONGEST_JOIN = Duration.ofHours(24);
    private static final Duration OVERLAP = Duration.ofDays(1);
    private static final Duration LONGEST_OVERLAP = Duration.ofDays(30);

    private final Services services;
    private final WriteDesk desk;
    private final TokenMint mint;

    TokenRoutes(Services services, TokenMint mint) {
        this.services = services;
        this.mint = mint;
        this.desk = new WriteDesk(services);
    }

    List<Route> routes() {
        return List.of(
                AdminRoute.write(
                        "POST",
                        LIST,
                        "createToken",
                        "Makes a token for a cluster, a person or a service, or one to join with, and shows it this once.",
                        Set.of(),
                        this::create),
                AdminRoute.write(
                        "POST",
                        ONE + ":rotate",
                        "rotateToken",
                        "Makes a new token beside this one, which stops working when the overlap ends.",
                        Set.of(),
                        this::rotate),
                AdminRoute.write("DELETE", ONE, "revokeToken", "Revokes a token.", Set.of(), this::revoke));
    }

    private Reply create(Call call) {
        TypeDefinition type = AsOf.present(call, services).type("tokens");
        Envelope envelope = Envelope.of(call, type);
        if (envelope.id().isPresent()) {
            throw ProblemException.invalid("/id", "the id of a token is made here", "leave id out");
        }
        ObjectNode spec = envelope.spec();
        for (String field : spec.propertyNames()) {
            if (!FIELDS.contains(field)) {
                throw ProblemException.invalid(
                        "/spec/" + Plain.text(field),
                        "this cannot be chosen",
                        "use kind, subject, access, expires_at and label");
            }
        }
        TokenText.Kind kind = kind(spec.path("kind").asString(""));
        if (kind == TokenText.Kind.CLUSTER || kind == TokenText.Kind.JOIN) {
            checkCluster(call, spec);
        }
        checkExpiry(spec);
        if (kind == TokenText.Kind.JOIN) {
            shorten(spec);
        }
        return mint.counting(() -> {
            mint.refuseThird(kind, spec.path("subject").asString(""));
            TokenText token = mint.make(kind);
            return reply(call, token, List.of(mint.creation(token, spec)));
        });
    }

    private static TokenText.Kind kind(String word) {
        for (TokenText.Kind kind : TokenText.Kind.values()) {
            if (kind.word().equals(word)) {
                return kind;
            }
        }
        throw ProblemException.invalid(
                "/spec/kind", "there is no such kind of token", "use cluster, join, person or service");
    }

    private void checkCluster(Call call, ObjectNode spec) {
        String subject = spec.path("subject").asString("");
        if (services.seen(call.caller(), new DocumentKey(Types.CLUSTER, subject))
                .isEmpty()) {
            throw ProblemException.invalid(
                    "/spec/subject", "there is no cluster/" + Plain.text(subject), "name the id of a cluster");
        }
        if (spec.has("access")) {
            throw ProblemException.invalid(
                    "/spec/access", "a cluster's token reads that cluster's answers", "leave access out");
        }
    }

    private void checkExpiry(ObjectNode spec) {
        JsonNode expiry = spec.path("expires_at");
        Optional<Instant> time = expiry.isString() ? AsOf.time(expiry.stringValue()) : Optional.empty();
        if (time.isPresent() && !time.get().isAfter(services.clock().instant())) {
            throw ProblemException.invalid("/spec/expires_at", "this time is past", "choose one in the future");
        }
    }

    /** Whoever provisions uses it at once. */
    private void shorten(ObjectNode spec) {
        Instant now = services.clock().instant();
        Optional<Instant> asked = AsOf.time(spec.path("expires_at").asString(""));
        if (asked.isPresent() && asked.get().isAfter(now.plus(LONGEST_JOIN))) {
            throw ProblemException.invalid(
                    "/spec/expires_at",
                    "a token to join with lives for " + LONGEST_JOIN.toHours() + " hours at most",
                    "leave it out for an hour");
        }
        if (!spec.has("expires_at")) {
            spec.put("expires_at", now.plus(JOIN).truncatedTo(ChronoUnit.MILLIS).toString());
        }
    }

    private Reply rotate(Call call) {
        DocumentKey key = new DocumentKey(Types.TOKEN, call.parameter("id"));
        Duration overlap = overlap(call);
        return mint.counting(() -> {
            Document old = services.seen(call.caller(), key).orElseThrow(() -> AsOf.missing(key));
            StoredToken stored = StoredToken.of(old);
            Instant now = services.clock().instant();
            Instant expiry = stored.expiresAt();
            if (stored.kind().equals(TokenText.Kind.JOIN.word())) {
                throw ProblemException.refused(
                        ErrorCode.CONFLICT, key + " is used once and not renewed", "make a new one to join with");
            }
            if (stored.revoked() || expiry != null && !expiry.isAfter(now)) {
                throw ProblemException.refused(
                        ErrorCode.CONFLICT, key + " does not work any more", "make a new token instead");
            }
            TokenText.Kind kind = kind(stored.kind());
            mint.refuseThird(kind, stored.subject());
            TokenText token = mint.make(kind);
            ObjectNode spec = old.tree();
            spec.remove(List.of("hash", "id", "expires_at"));
            Instant end = now.plus(overlap).truncatedTo(ChronoUnit.MILLIS);
            Operation ending = new Operation.Edit(
                    key,
                    body -> {
                        Instant known =
                                AsOf.time(body.path("expires_at").asString("")).orElse(Instant.MAX);
                        return known.isBefore(end) ? body : body.put("expires_at", end.toString());
                    },
                    Expected.ANY);
            return reply(call, token, List.of(mint.creation(token, spec), ending));
        });
    }

    private static Duration overlap(Call call) {
        if (call.body().length > 0) {
            Envelope.requireJson(call);
        }
        ObjectNode body = call.body().length == 0 ? StrictJson.object() : call.json();
        for (String field : body.propertyNames()) {
            if (!field.equals("overlap_seconds")) {
                throw ProblemException.invalid(
                        "/" + Plain.text(field), "there is no such field here", "use overlap_seconds");
            }
        }
        JsonNode seconds = body.path("overlap_seconds");
        if (seconds.isMissingNode()) {
            return OVERLAP;
        }
        if (!seconds.isIntegralNumber()
                || !seconds.canConvertToLong()
                || seconds.longValue() < 0
                || seconds.longValue() > LONGEST_OVERLAP.toSeconds()) {
            throw ProblemException.invalid(
                    "/overlap_seconds",
                    "this is not a number of seconds up to " + LONGEST_OVERLAP.toDays() + " days",
                    "leave it out for a day");
        }
        return Duration.ofSeconds(seconds.longValue());
    }

    /** The only answer that ever holds a token's text. A retry cannot show it again. */
    private Reply reply(Call call, TokenText token, List<Operation> operations) {
        DocumentKey key = new DocumentKey(Types.TOKEN, token.id());
        if (call.header("Idempotency-Key").isPresent()) {
            throw ProblemException.invalid(
                    "/Idempotency-Key", "a token is shown once and cannot be asked for again", "leave the key out");
        }
        WriteRequest request = desk.request(call, operations);
        Outcome outcome =
                desk.write(request, pointer -> "/spec" + pointer.replaceFirst("^/operations/[0-9]+/spec", ""));
        if (outcome instanceof Outcome.Planned planned) {
            return WriteDesk.planned(planned);
        }
        Document document = services.snapshot().find(key).orElseThrow(() -> AsOf.missing(key));
        ObjectNode json =
                DocumentJson.one(AsOf.present(call, services), services).of(document);
        json.put("token", token.reveal());
        return WriteDesk.revised(Reply.json(201, json), outcome)
                .with("ETag", DocumentJson.etag(document))
                .with("Location", LIST + "/" + token.id());
    }

    private Reply revoke(Call call) {
        DocumentKey key = new DocumentKey(Types.TOKEN, call.parameter("id"));
        Expected expected = Preconditions.optional(call, () -> services.seen(call.caller(), key), services::catchUp);
        Outcome outcome = desk.write(call, "", new Operation.Delete(key, expected));
        return outcome instanceof Outcome.Planned planned
                ? WriteDesk.planned(planned)
                : DocumentRoutes.document(call, services, 200, key, outcome);
    }
}
