package dev.homeport.observe;

import dev.homeport.json.StrictJson;
import dev.homeport.problem.ProblemException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * An event as Flux's notification-controller posts it.
 *
 * @param resourceVersion of the object when the event was made, 0 when it does not say
 * @param metadata keys without the group that some versions put in front
 */
public record FluxEvent(
        String kind,
        String namespace,
        String name,
        long resourceVersion,
        String severity,
        Instant at,
        String reason,
        String message,
        Map<String, String> metadata) {

    /** Names that Homeport's manifests put on objects, as {@code event.toolkit.fluxcd.io/<name>}. */
    public static final String COMPONENT = "component_id";

    /** The digest of the answer that an object was made from. */
    public static final String ANSWER = "answer_digest";

    /** The digest of the item that an object was made from. */
    public static final String ITEM = "item_digest";

    /** The plural of the type that a provider or a set of objects is for. */
    public static final String TYPE = "answer_type";

    /** The objects that a witness's set looks at, as JSON: kind and name to the id of the question. */
    public static final String WITNESS = "witness";

    private static final Pattern UNFIT = Pattern.compile("[\\p{Cc}\\p{Cs}\uFFFE\uFFFF&&[^\n\t]]");
    private static final int LONGEST_NAME = 253;
    private static final int LONGEST_VALUE = 1024;
    private static final int LONGEST_WITNESS = 64 * 1024;
    private static final int MOST_METADATA = 100;

    public FluxEvent {
        metadata = Map.copyOf(metadata);
    }

    /** Refuses, in words, what is not an event. */
    public static FluxEvent read(byte[] body) {
        ObjectNode event = StrictJson.parseObject(body);
        JsonNode object = event.path("involvedObject");
        String kind = text(object, "kind", "/involvedObject/kind");
        String name = text(object, "name", "/involvedObject/name");
        return new FluxEvent(
                kind,
                optional(object, "namespace"),
                name,
                number(optional(object, "resourceVersion")),
                optional(event, "severity"),
                time(text(event, "timestamp", "/timestamp")),
                optional(event, "reason"),
                cleaned(event.path("message").asString("")),
                metadata(event.path("metadata")));
    }

    public String meta(String key) {
        return metadata.getOrDefault(key, "");
    }

    /** The component that the object is a part of, empty when it does not say; both names are in use. */
    public String component() {
        return metadata.getOrDefault(COMPONENT, meta("component"));
    }

    /** Which object of the cluster it is about. */
    public String object() {
        return kind + "/" + namespace + "/" + name;
    }

    private static Map<String, String> metadata(JsonNode node) {
        Map<String, String> found = new HashMap<>();
        node.forEachEntry((key, value) -> {
            String name = key.substring(key.lastIndexOf('/') + 1);
            int longest = name.equals(WITNESS) ? LONGEST_WITNESS : LONGEST_VALUE;
            if (found.size() < MOST_METADATA
                    && value.isString()
                    && value.stringValue().length() <= longest) {
                found.put(name, cleaned(value.stringValue()));
            }
        });
        return found;
    }

    private static String text(JsonNode node, String field, String pointer) {
        String value = optional(node, field);
        if (value.isEmpty()) {
            throw ProblemException.invalid(pointer, "an event has to say this", "send what Flux sends");
        }
        return value;
    }

    private static String optional(JsonNode node, String field) {
        String value = cleaned(node.path(field).asString(""));
        if (value.length() > LONGEST_NAME) {
            throw ProblemException.invalid(
                    "/" + field, "longer than " + LONGEST_NAME + " characters", "send what Flux sends");
        }
        return value;
    }

    /** Line ends and tabs stay. Other control characters and unpaired surrogates must not reach a database or a screen. */
    private static String cleaned(String text) {
        return UNFIT.matcher(text).replaceAll("\uFFFD");
    }

    private static long number(String text) {
        return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
    }

    private static Instant time(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            throw ProblemException.invalid(
                    "/timestamp", "this is not a time", "send a time such as 2027-01-31T12:00:00Z");
        }
    }
}
