package dev.homeport.document;

import dev.homeport.json.StrictJson;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Documents that must be refused, read from {@code hostile-documents.jsonl}. A line is
 * {@code [name, type, {pointer: value, …}, expected pointer, expected word, id?]}: the sound document of the type with some
 * values replaced. {@code "<remove>"} takes a value out, {@code <repeat TEXT N>} inside a string repeats text, a last token
 * {@code -} appends to a list; {@code {"raw": …}} and {@code {"base64": …}} give the bytes themselves.
 */
public final class HostileDocuments {
    /** A document, and where and with which word it must be refused. The pointer is empty when the bytes are no document. */
    public record Case(
            String name, String type, String id, byte[] rawBytes, String expectedPointer, String expectedWord) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static final Pattern REPEAT = Pattern.compile("<repeat (\\S+) (\\d+)>");
    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
    private static final ObjectNode SOUND = (ObjectNode) MAPPER.readTree(resource("sound-documents.json"));

    private HostileDocuments() {}

    public static List<Case> all() {
        return resource("hostile-documents.jsonl")
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(MAPPER::readTree)
                .map(HostileDocuments::read)
                .toList();
    }

    /** A document of the type that breaks no rule and uses every field. */
    public static ObjectNode sound(String type) {
        return (ObjectNode) SOUND.path(type).deepCopy();
    }

    public static List<String> types() {
        return List.copyOf(SOUND.propertyNames());
    }

    /** The built-in types and the run-time type of the table. */
    public static TypeCatalog catalog() {
        return BuiltInTypes.catalog().with(RuntimeTypes.definition(sound(Types.TYPE)));
    }

    private static Case read(JsonNode row) {
        String type = row.get(1).stringValue();
        ObjectNode body = sound(type);
        String soundId = body.path("id").stringValue();
        ObjectNode changes = (ObjectNode) row.get(2);
        changes.forEachEntry((pointer, value) -> {
            if (pointer.startsWith("/")) {
                change(body, pointer, value);
            }
        });
        String id = row.has(5) ? row.get(5).stringValue() : body.path("id").asString(soundId);
        return new Case(
                row.get(0).stringValue(),
                type,
                id,
                bytes(changes, body),
                row.get(3).stringValue(),
                row.get(4).stringValue());
    }

    private static byte[] bytes(ObjectNode changes, ObjectNode body) {
        if (changes.has("raw")) {
            return expand(changes.get("raw").stringValue()).getBytes(StandardCharsets.UTF_8);
        }
        if (changes.has("base64")) {
            return Base64.getDecoder().decode(changes.get("base64").stringValue());
        }
        return MAPPER.writeValueAsBytes(body);
    }

    private static void change(ObjectNode body, String pointer, JsonNode value) {
        String[] tokens = expand(pointer).substring(1).split("/", -1);
        JsonNode at = body;
        for (int i = 0; i < tokens.length - 1; i++) {
            String token = plain(tokens[i]);
            if (at instanceof ArrayNode array) {
                at = array.get(Integer.parseInt(token));
            } else {
                ObjectNode object = (ObjectNode) at;
                at = object.has(token) ? object.get(token) : object.putObject(token);
            }
        }
        String last = plain(tokens[tokens.length - 1]);
        boolean remove = value.isString() && value.stringValue().equals("<remove>");
        switch (at) {
            case ObjectNode object when remove -> object.remove(last);
            case ObjectNode object -> object.set(last, expand(value));
            case ArrayNode array when last.equals("-") -> array.add(expand(value));
            case ArrayNode array -> array.set(Integer.parseInt(last), expand(value));
            default -> throw new IllegalStateException("no place for " + pointer);
        }
    }

    private static String plain(String token) {
        return token.replace("~1", "/").replace("~0", "~");
    }

    private static JsonNode expand(JsonNode value) {
        return switch (value) {
            case StringNode text -> StringNode.valueOf(expand(text.stringValue()));
            case ObjectNode object -> {
                ObjectNode copy = StrictJson.object();
                object.forEachEntry((key, below) -> copy.set(expand(key), expand(below)));
                yield copy;
            }
            default -> value;
        };
    }

    private static String expand(String text) {
        return REPEAT.matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(found.group(1).repeat(Integer.parseInt(found.group(2)))));
    }

    private static String resource(String name) {
        try (InputStream in = HostileDocuments.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
