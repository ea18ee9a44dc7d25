package dev.homeport.server.admin;

import dev.homeport.api.ErrorCode;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.TypeDefinition;
import dev.homeport.problem.ProblemException;
import dev.homeport.server.http.Call;
import dev.homeport.server.http.Plain;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a write sends: {@code spec}, and around it what a read shows, so that a read can be sent back as it is. */
record Envelope(Optional<String> id, ObjectNode spec) {
    private static final Set<String> FIELDS = Set.of("type", "id", "spec", "meta", "status", "warnings");

    static Envelope of(Call call, TypeDefinition type) {
        requireJson(call);
        return of(call.json(), type);
    }

    static Envelope of(ObjectNode body, TypeDefinition type) {
        for (String field : body.propertyNames()) {
            if (!FIELDS.contains(field)) {
                throw ProblemException.invalid(
                        "/" + Plain.text(field), "there is no such field here", "put the document's fields into spec");
            }
        }
        checkType(body, type);
        if (!(body.path("spec") instanceof ObjectNode spec)) {
            throw ProblemException.invalid("/spec", "spec is missing or not an object", "send {\"spec\": {…}}");
        }
        return new Envelope(id(body), spec);
    }

    /** A body's type and id may be left out, but may not contradict the path. */
    static void checkType(ObjectNode body, TypeDefinition type) {
        JsonNode named = body.path("type");
        if (!named.isMissingNode()
                && !named.asString("").equals(type.name())
                && !named.asString("").equals(type.plural())) {
            throw ProblemException.invalid("/type", "the type is not " + type.name(), "leave type out, or correct it");
        }
    }

    static Optional<String> id(ObjectNode body) {
        JsonNode id = body.path("id");
        if (id.isMissingNode()) {
            return Optional.empty();
        }
        if (!id.isString()) {
            throw ProblemException.invalid("/id", "the id is not a string", "send a string");
        }
        return Optional.of(id.stringValue());
    }

    static void requireJson(Call call) {
        String type = mediaType(call);
        if (!type.equals("application/json")) {
            throw ProblemException.refused(
                    ErrorCode.UNSUPPORTED_MEDIA_TYPE,
                    "the body is " + (type.isEmpty() ? "of no named type" : Plain.text(type)),
                    "send application/json");
        }
    }

    /** Lower case, without parameters. */
    static String mediaType(Call call) {
        String header = call.header("Content-Type").orElse("");
        int end = header.indexOf(';');
        return (end < 0 ? header : header.substring(0, end)).strip().toLowerCase(java.util.Locale.ROOT);
    }

    /** The key of a document that is to be made. */
    DocumentKey newKey(TypeDefinition type) {
        String own = spec.path("id").asString("");
        String wanted = id.orElse(own);
        if (wanted.isEmpty()) {
            throw ProblemException.invalid("/id", "the document has no id", "set id, beside spec or in it");
        }
        return new DocumentKey(type.name(), wanted);
    }

    /** The key of a document that the path names. */
    DocumentKey key(TypeDefinition type, String pathId) {
        if (id.isPresent() && !id.get().equals(pathId)) {
            throw ProblemException.invalid("/id", "the id is not the one in the path", "an id never changes");
        }
        return new DocumentKey(type.name(), pathId);
    }
}
