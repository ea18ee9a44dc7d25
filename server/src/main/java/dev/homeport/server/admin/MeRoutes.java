package dev.homeport.server.admin;

import dev.homeport.access.Caller;
import dev.homeport.access.Powers;
import dev.homeport.access.Refusal;
import dev.homeport.access.Verb;
import dev.homeport.api.ErrorCode;
import dev.homeport.document.Body;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.DocumentRules;
import dev.homeport.document.Leniency;
import dev.homeport.document.Stamp;
import dev.homeport.document.TypeDefinition;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.Problem;
import dev.homeport.problem.ProblemException;
import dev.homeport.problem.Violation;
import dev.homeport.server.http.Call;
import dev.homeport.server.http.Plain;
import dev.homeport.server.http.Reply;
import dev.homeport.server.http.Route;
import dev.homeport.server.signin.SignOutService;
import dev.homeport.write.Outcome;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The caller, its permissions, and whether it may do something: for explanations in clients. */
final class MeRoutes {
    private static final Set<String> FIELDS = Set.of("verb", "type", "id", "spec");
    private static final int LONGEST_SUBJECT = 262;

    /** As the type sign_out has it. */
    private static final Pattern SUBJECT =
            Pattern.compile("(person|service):[A-Za-z0-9_](?:[A-Za-z0-9 @:._/=+,|~-]*[A-Za-z0-9_=])?");

    private final Services services;
    private final SignOutService signOuts;

    MeRoutes(Services services, SignOutService signOuts) {
        this.services = services;
        this.signOuts = signOuts;
    }

    List<Route> routes() {
        return List.of(
                new Route(
                        "GET",
                        "/api/v2/me",
                        "getMe",
                        "Get the caller's identity and rights.",
                        Route.Needs.TOKEN,
                        AdminRoute.strict(Set.of(), AdminRoute.ONE_DOCUMENT, this::me)),
                new Route(
                        "POST",
                        "/api/v2/me:can",
                        "canI",
                        "Says whether the caller may use a verb on a document, as it is or as spec would make it, and if"
                                + " not, which role is missing.",
                        Route.Needs.TOKEN,
                        AdminRoute.strict(Set.of(), AdminRoute.ONE_DOCUMENT, this::can)),
                AdminRoute.write(
                        "POST",
                        "/api/v2/me:sign-out-everywhere",
                        "signOutEverywhere",
                        "End all sessions and sign-ins of the caller; a platform admin may name another subject. Tokens"
                                + " go on working.",
                        Set.of(),
                        this::signOutEverywhere));
    }

    private Reply signOutEverywhere(Call call) {
        if (call.body().length > 0) {
            Envelope.requireJson(call);
        }
        ObjectNode asked = call.body().length == 0 ? StrictJson.object() : call.json();
        for (String field : asked.propertyNames()) {
            if (!field.equals("subject")) {
                throw ProblemException.invalid(
                        "/" + Plain.text(field), "there is no such field here", "use subject, or send nothing");
            }
        }
        Caller caller = call.caller();
        String own = caller.actor().toString();
        String subject = asked.has("subject") ? text(asked, "subject") : own;
        if (!subject.equals(own) && !services.powers(caller).isPlatformAdmin()) {
            throw ProblemException.refused(
                    ErrorCode.FORBIDDEN,
                    own + " may not end the sessions of others",
                    "leave subject out to end your own, or ask a platform admin");
        }
        if (!SUBJECT.matcher(subject).matches() || subject.length() > LONGEST_SUBJECT) {
            throw ProblemException.invalid(
                    "/subject", "this is not a person or service", "use person:NAME or service:NAME");
        }
        Outcome outcome = signOuts.endAll(subject, new WriteDesk(services).request(call, List.of()));
        return outcome instanceof Outcome.Planned planned
                ? WriteDesk.planned(planned)
                : WriteDesk.revised(
                        Reply.json(
                                200, StrictJson.object().put("subject", subject).put("signed_out", true)),
                        outcome);
    }

    private Reply me(Call call) {
        Caller caller = call.caller();
        Powers powers = services.powers(caller);
        ObjectNode body = StrictJson.object()
                .put("actor", caller.actor().toString())
                .put("access", caller.access().name().toLowerCase(java.util.Locale.ROOT))
                .put("platform_admin", powers.isPlatformAdmin());
        if (!caller.token().isEmpty()) {
            body.put("token", caller.token());
        }
        caller.cluster().ifPresent(cluster -> body.put("cluster", cluster));
        ArrayNode groups = body.putArray("groups");
        new TreeSet<>(caller.groups()).forEach(groups::add);
        ArrayNode roles = body.putArray("roles");
        powers.held().stream()
                .filter(held -> !held.role().isEmpty())
                .forEach(held -> roles.addObject()
                        .put("role", held.role())
                        .put("scope", held.where())
                        .put("grant", held.grant()));
        return Reply.json(200, body);
    }

    private Reply can(Call call) {
        Envelope.requireJson(call);
        ObjectNode asked = call.json();
        for (String field : asked.propertyNames()) {
            if (!FIELDS.contains(field)) {
                throw ProblemException.invalid(
                        "/" + Plain.text(field), "there is no such field here", "use verb, type, id and spec");
            }
        }
        Verb verb = Verb.of(text(asked, "verb"))
                .orElseThrow(() -> ProblemException.invalid(
                        "/verb",
                        "there is no such verb",
                        "use one of "
                                + String.join(
                                        ", ",
                                        Arrays.stream(Verb.values())
                                                .map(Verb::word)
                                                .toList())));
        AsOf.Present state = AsOf.present(call, services);
        TypeDefinition type = state.view()
                .types()
                .named(text(asked, "type"))
                .filter(known -> known.part() != TypeDefinition.Part.INTERNAL)
                .orElseThrow(() -> ProblemException.invalid(
                        "/type", "there is no such type", "name it as GET /api/v2/types does"));
        // The same answer as for a write: it must not distinguish hidden from absent documents.
        Optional<Refusal> refusal = refusal(state, verb, type, asked).map(state.powers()::discreet);
        ObjectNode body = StrictJson.object().put("allowed", refusal.isEmpty());
        refusal.ifPresent(why -> {
            body.put("reason", why.reason());
            if (!why.role().isEmpty()) {
                body.put("missing_role", why.role());
                body.put("scope", why.where());
            }
        });
        return Reply.json(200, body);
    }

    private static Optional<Refusal> refusal(AsOf.Present state, Verb verb, TypeDefinition type, ObjectNode asked) {
        DocumentKey key = new DocumentKey(type.name(), asked.has("id") ? text(asked, "id") : "new");
        boolean creates = verb == Verb.CREATE;
        Optional<Document> before = creates ? Optional.empty() : Optional.of(state.document(type, key.id()));
        if (verb == Verb.READ) {
            return Optional.empty(); // it was found, so it may be read
        }
        if (!(asked.path("spec") instanceof ObjectNode spec)) {
            if (creates) {
                throw ProblemException.invalid(
                        "/spec", "what is to be created decides who may", "send the spec as it would be");
            }
            return state.powers().refusal(verb, before, verb == Verb.DELETE ? Optional.empty() : before);
        }
        spec.put("id", key.id());
        List<Violation> faults = DocumentRules.check(type, key.id(), spec, Leniency.IMPORTED);
        if (!faults.isEmpty()) {
            throw new ProblemException(Problem.Invalid.of(faults.stream()
                    .map(fault -> new Violation("/spec" + fault.pointer(), fault.detail(), fault.fix()))
                    .toList()));
        }
        Stamp stamp = new Stamp(
                state.revision() + 1,
                state.snapshot().head().epoch(),
                state.snapshot().at(),
                state.powers().caller().actor().toString(),
                "");
        return state.powers().refusal(verb, before, Optional.of(Document.of(key, Body.of(spec), stamp, stamp)));
    }

    private static String text(ObjectNode asked, String field) {
        JsonNode value = asked.path(field);
        if (!value.isString()) {
            throw ProblemException.invalid("/" + field, field + " is missing or not a string", "send a string");
        }
        return value.stringValue();
    }
}
