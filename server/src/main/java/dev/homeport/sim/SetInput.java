package dev.homeport.sim;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a ResourceSet makes of its provider's input, with the checks that Homeport's templates begin with. */
sealed interface SetInput {
    String TYPES = "types";
    int DIGEST_LENGTH = 16;

    /** It is rendered. */
    record Rendered(String digest, Map<String, SimItem> items) implements SetInput {}

    /** The build fails: nothing is applied and nothing is deleted. */
    record Failed(String why) implements SetInput {}

    /** It waits until its provider holds exactly one input. */
    record Waiting() implements SetInput {}

    static SetInput of(List<ObjectNode> inputs, String cluster, String plural, Ailment ailment) {
        if (inputs.size() != 1) {
            return new Waiting();
        }
        ObjectNode input = inputs.getFirst();
        Optional<String> fault = fault(input, cluster, plural);
        if (fault.isPresent()) {
            return new Failed(fault.get());
        }
        Map<String, SimItem> items = new LinkedHashMap<>();
        for (JsonNode item : input.path("items")) {
            if (!item.path("id").isString()) {
                return new Failed("map has no entry for key \"id\"");
            }
            // Of two objects with one name the first is applied.
            items.putIfAbsent(item.path("id").stringValue(), item(item, cluster, plural, ailment));
        }
        return new Rendered(input.path("digest").asString(""), items);
    }

    /** Without the envelope there is nothing to check: what is not in the list goes, and from an empty list everything. */
    static Rendered flat(List<ObjectNode> inputs, String cluster, String plural, Ailment ailment) {
        Map<String, SimItem> items = new LinkedHashMap<>();
        inputs.forEach(input -> items.put(input.path("id").stringValue(), item(input, cluster, plural, ailment)));
        return new Rendered("", items);
    }

    private static Optional<String> fault(ObjectNode input, String cluster, String plural) {
        int count = input.path("count").asInt(0);
        boolean drain = input.path("drain").asBoolean(false);
        if (!input.path("id").asString("").equals(cluster)) {
            return Optional.of("this answer is for another cluster");
        }
        if (!input.path("type").asString("").equals(plural)) {
            return Optional.of("this answer is of another type");
        }
        if (!input.path("items").isArray() || input.path("items").size() != count) {
            return Optional.of("this list is not whole");
        }
        if (count == 0 && !drain) {
            return Optional.of("this list is empty without drain");
        }
        return count == 0 && plural.equals(TYPES) ? Optional.of("a list of no types is never meant") : Optional.empty();
    }

    private static SimItem item(JsonNode item, String cluster, String plural, Ailment ailment) {
        String id = item.path("id").stringValue();
        String text = item.toString();
        long content = ((long) text.hashCode() << 32)
                ^ new StringBuilder(text).reverse().toString().hashCode();
        return switch (plural) {
            case "platform-components" ->
                new SimItem(
                        id,
                        item.path("kind").asString("kustomize"),
                        item.path("source").path("oci_tag").asString(""),
                        item.path("stateful").asBoolean(false),
                        content,
                        digest(text),
                        ailment.of(cluster, item));
            case "namespaces" ->
                new SimItem(id, "", "", item.path("keep").asBoolean(true), content, "", Optional.empty());
            // Providers and sets are never pruned.
            case TYPES -> new SimItem(id, "", "", true, content, "", Optional.empty());
            default -> new SimItem(id, "", "", false, content, "", Optional.empty());
        };
    }

    private static String digest(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash).substring(0, DIGEST_LENGTH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}
