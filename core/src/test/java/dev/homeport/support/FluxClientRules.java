package dev.homeport.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.homeport.fleet.Rendered;
import dev.homeport.json.CanonicalJson;
import dev.homeport.json.GoJson;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What Flux Operator demands of an answer, and a bit more: a body that breaks one of these may not be served. */
public final class FluxClientRules {
    private static final int MAX_BYTES = 900 * 1024;
    private static final double MAX_NUMBER = 1L << 53;
    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private FluxClientRules() {}

    /** The parsed body, if it keeps every rule. */
    public static ObjectNode check(Rendered rendered) {
        byte[] body = rendered.body();
        assertThat(body.length).isLessThanOrEqualTo(MAX_BYTES);
        JsonNode parsed = MAPPER.readTree(body);
        assertThat(parsed.isObject()).as("the body is an object").isTrue();
        JsonNode inputs = parsed.path("inputs");
        assertThat(inputs.isArray()).as("inputs is an array").isTrue();
        assertThat(inputs.size()).as("number of inputs").isEqualTo(rendered.inputs());
        Set<String> ids = new HashSet<>();
        for (JsonNode input : inputs) {
            demand(input.isObject(), "an input is no object");
            demand(input.path("id").isString(), "an input has no string id");
            demand(ids.add(input.get("id").stringValue()), "two inputs have the same id");
            demand(!input.has("provider"), "provider is Flux's own word");
        }
        values(parsed);
        if (!java.util.Arrays.equals(CanonicalJson.bytes(parsed), body)) {
            fail("the body is not canonical: " + new String(body, java.nio.charset.StandardCharsets.UTF_8));
        }
        return (ObjectNode) parsed;
    }

    /** The one input of the set shape; its digest and count are computed again. */
    public static ObjectNode checkSet(Rendered rendered) {
        JsonNode inputs = check(rendered).get("inputs");
        assertThat(inputs.size()).isEqualTo(1);
        ObjectNode set = (ObjectNode) inputs.get(0);
        assertThat(set.get("digest").stringValue()).isEqualTo(digest(set)).isEqualTo(rendered.digest());
        assertThat(set.get("count").intValue()).isEqualTo(set.get("items").size());
        assertThat(set.get("drain").booleanValue())
                .as("drain means empty on purpose")
                .isEqualTo(set.get("items").isEmpty());
        return set;
    }

    static String digest(ObjectNode set) {
        ObjectNode covered = MAPPER.createObjectNode();
        for (String field : new String[] {"id", "type", "format", "drain", "cluster", "items"}) {
            covered.set(field, set.get(field));
        }
        try {
            boolean checked = set.get("format").intValue() >= 3;
            byte[] bytes = checked ? GoJson.bytes(covered) : CanonicalJson.bytes(covered);
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
            return HexFormat.of().formatHex(hash).substring(0, 32);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void values(JsonNode node) {
        demand(!node.isNull(), "there is a null");
        demand(!node.isNumber() || Math.abs(node.doubleValue()) <= MAX_NUMBER, "a number is beyond 2^53");
        for (JsonNode below : node) {
            values(below);
        }
    }

    private static void demand(boolean kept, String broken) {
        if (!kept) {
            fail(broken);
        }
    }
}
