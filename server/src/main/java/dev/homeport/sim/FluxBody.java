package dev.homeport.sim;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What Flux Operator makes of the body of an answer: inputs, or a fault, after which a provider keeps what it had. */
sealed interface FluxBody {
    /** Counted after decompression. */
    int MOST_BYTES = 900 * 1024;

    JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /** Of the array, as many as the limit lets through. */
    record Inputs(List<ObjectNode> inputs) implements FluxBody {}

    /** The poll has failed. */
    record Fault(String why) implements FluxBody {}

    /** @param limit how many inputs the provider lets through */
    static FluxBody read(byte[] body, int limit) {
        if (body.length > MOST_BYTES) {
            return new Fault("the body is larger than 900 KiB");
        }
        if (body.length >= 3 && body[0] == (byte) 0xEF && body[1] == (byte) 0xBB && body[2] == (byte) 0xBF) {
            return new Fault("the body begins with a byte order mark");
        }
        try {
            JsonNode read = JSON.readTree(body);
            if (!(read instanceof ObjectNode object)) {
                return new Fault("no object");
            }
            return hasUnwritable(object) ? new Fault("a character that YAML cannot have") : inputs(object, limit);
        } catch (JacksonException e) {
            return new Fault("not JSON");
        }
    }

    /** Flux writes what it read as YAML to compute a revision, which fails for some characters anywhere. */
    private static boolean hasUnwritable(JsonNode node) {
        if (node.isString()) {
            return node.stringValue().chars().anyMatch(FluxBody::isUnwritable);
        }
        if (node instanceof ObjectNode object) {
            for (String name : object.propertyNames()) {
                if (name.chars().anyMatch(FluxBody::isUnwritable) || hasUnwritable(object.get(name))) {
                    return true;
                }
            }
            return false;
        }
        for (JsonNode one : node) {
            if (hasUnwritable(one)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isUnwritable(int character) {
        return character >= 0x7F && character <= 0x9F && character != 0x85
                || character == 0xFFFE
                || character == 0xFFFF;
    }

    /** The whole array is looked at before it is cut. */
    private static FluxBody inputs(ObjectNode object, int limit) {
        JsonNode array = null;
        for (String name : object.propertyNames()) {
            // Go finds keys in any case.
            array = name.equalsIgnoreCase("inputs") ? object.get(name) : array;
        }
        if (array == null || !array.isArray()) {
            return new Fault("no inputs");
        }
        List<ObjectNode> inputs = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (JsonNode one : array) {
            if (!(one instanceof ObjectNode input) || !input.path("id").isString()) {
                return new Fault("an input without an id");
            }
            if (!ids.add(input.get("id").stringValue())) {
                return new Fault("two inputs with one id");
            }
            inputs.add(input);
        }
        return new Inputs(inputs.size() > limit ? inputs.subList(0, limit) : inputs);
    }
}
