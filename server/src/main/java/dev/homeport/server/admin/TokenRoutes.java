package dev.homeport.server.admin;

import dev.homeport.access.StoredToken;
import dev.homeport.access.TokenLife;
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
                        "Create a token for a cluster, a person or a service, or a join token, and return it once.",
                        Set.of(),
                        this::create),
                AdminRoute.write(
                        "POST",
                        ONE + ":rotate",
                        "rotateToken",
                        "Create a new token; the old one expires after the overlap.",
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
        TokenText token = mint.make(kind);
        return reply(call, token, List.of(mint.creation(token, spec)));
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

    private Reply rotate(Call call) {
        DocumentKey key = new DocumentKey(Types.TOKEN, call.parameter("id"));
        Duration overlap = overlap(call);
        Document old = services.seen(call.caller(), key).orElseThrow(() -> AsOf.missing(key));
        StoredToken stored = StoredToken.of(old);
        Instant now = services.clock().instant();
        if (stored.kind().equals(TokenText.Kind.JOIN.word())) {
            throw ProblemException.refused(
                    ErrorCode.CONFLICT, key + " is used once and not renewed", "make a new one to join with");
        }
        if (!TokenLife.isLive(services.snapshot(), old, now)) {
            throw ProblemException.refused(
                    ErrorCode.CONFLICT, key + " does not work any more", "make a new token instead");
        }
        TokenText.Kind kind = kind(stored.kind());
        TokenText token = mint.make(kind);
        ObjectNode spec = StrictJson.object().put("replaces", old.id());
        for (String field : List.of("kind", "subject", "access", "label")) {
            if (old.tree().has(field)) {
                spec.set(field, old.tree().get(field));
            }
        }
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
