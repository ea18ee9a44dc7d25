package dev.homeport.json;

import dev.homeport.api.ErrorCode;
import dev.homeport.problem.ProblemException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads JSON as an API must: no duplicate keys, nothing after the value, bounded depth, bounded strings. */
public final class StrictJson {
    public static final int MAX_DEPTH = 32;
    public static final int MAX_STRING = 64 * 1024;

    private static final int MAX_SHOWN = 100;

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_DEPTH)
                            .maxStringLength(MAX_STRING)
                            .maxNameLength(MAX_STRING)
                            .maxNumberLength(64)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private static final JsonMapper OWN = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(10 * MAX_DEPTH)
                            .maxStringLength(Integer.MAX_VALUE)
                            .maxNameLength(Integer.MAX_VALUE)
                            .build())
                    .build())
            .build();

    private StrictJson() {}

    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** For bytes from outside. */
    public static ObjectNode parseObject(byte[] utf8) {
        JsonNode node = parse(utf8);
        if (node instanceof ObjectNode object) {
            return object;
        }
        throw ProblemException.invalid("", "the body is not a JSON object", "send an object, {…}");
    }

    public static JsonNode parse(byte[] utf8) {
        String text = decoded(utf8);
        try {
            JsonNode node = MAPPER.readTree(text);
            if (node.isMissingNode()) {
                throw ProblemException.refused(ErrorCode.MALFORMED, "the body is empty", "send a JSON value");
            }
            return node;
        } catch (StreamConstraintsException e) {
            throw ProblemException.invalid(
                    "",
                    "the JSON is nested deeper than " + MAX_DEPTH + " levels or has a string over " + MAX_STRING
                            + " characters",
                    "make it flatter or shorter");
        } catch (JacksonException e) {
            String where = "line " + e.getLocation().getLineNr() + ", column "
                    + e.getLocation().getColumnNr();
            throw ProblemException.refused(
                    ErrorCode.MALFORMED,
                    "this is not JSON: " + shown(e.getOriginalMessage()) + " at " + where,
                    "send one JSON value in UTF-8, without duplicate keys");
        }
    }

    /** By hand, because the parser would guess UTF-16 and take overlong forms and a byte order mark. */
    private static String decoded(byte[] utf8) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString();
            if (text.startsWith("\uFEFF")) {
                throw ProblemException.refused(
                        ErrorCode.MALFORMED, "the body begins with a byte order mark", "send UTF-8 without one");
            }
            return text;
        } catch (CharacterCodingException e) {
            throw ProblemException.refused(
                    ErrorCode.MALFORMED, "this is not JSON: the bytes are not UTF-8", "send one JSON value in UTF-8");
        }
    }

    /** The parser's messages repeat what they met. */
    private static String shown(String message) {
        String plain = message.replaceAll("[^\\x20-\\x7E]", "?");
        return plain.length() <= MAX_SHOWN ? plain : plain.substring(0, MAX_SHOWN) + "...";
    }

    /** For our own text: a literal in code, bytes that we rendered. It may be deeper than what is taken from outside. */
    public static ObjectNode read(String json) {
        return (ObjectNode) OWN.readTree(json);
    }

    public static ObjectNode read(byte[] utf8) {
        return (ObjectNode) OWN.readTree(utf8);
    }
}
