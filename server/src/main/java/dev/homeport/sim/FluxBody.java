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

    /** What generated manifests say, and the most that a provider can. */
    int LIMIT = 10_000;

    JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /** Of the array, as many as the limit lets through. */
    record Inputs(List<ObjectNode> inputs) implements FluxBody {}

    /** The poll has failed. */
    record Fault(String why) implements FluxBody {}

    static FluxBody read(byte[] body) {
        if (body.length > MOST_BYTES) {
            return new Fault("the body is larger than 900 KiB");
        }
        if (body.length >= 3 && body[0] == (byte) 0xEF && body[1] == (byte) 0xBB && body[2] == (byte) 0xBF) {
            return new Fault("the body begins with a byte order mark");
        }
        try {
            return JSON.readTree(body) instanceof ObjectNode object ? inputs(object) : new Fault("no object");
        } catch (JacksonException e) {
            return new Fault("not JSON");
        }
    }

    /** The whole array is looked at before it is cut. */
    private static FluxBody inputs(ObjectNode object) {
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
        return new Inputs(inputs.size() > LIMIT ? inputs.subList(0, LIMIT) : inputs);
    }
}
