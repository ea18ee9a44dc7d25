package dev.homeport.cli.output;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** YAML; loaded only when it is used. */
public final class YamlText {
    private static final YAMLMapper MAPPER = new YAMLMapper();
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private YamlText() {}

    public static String write(JsonNode document) {
        return MAPPER.writeValueAsString(document);
    }

    /** The one document of a text; null if the text is empty. */
    public static JsonNode read(String text) throws JacksonException {
        List<JsonNode> documents = readAll(text);
        return documents.isEmpty() ? MAPPER.nullNode() : documents.getFirst();
    }

    /** Every document of a text: YAML, JSON, or one JSON after the other, as in JSON Lines. */
    public static List<JsonNode> readAll(String text) throws JacksonException {
        String plain = text.startsWith("\uFEFF") ? text.substring(1) : text;
        String begin = plain.stripLeading();
        if (!begin.startsWith("{") && !begin.startsWith("[")) {
            return YamlReading.all(plain);
        }
        try (JsonParser parser = JSON.createParser(plain)) {
            List<JsonNode> documents = new ArrayList<>();
            while (parser.nextToken() != null) {
                documents.add(JSON.readTree(parser));
            }
            return documents;
        } catch (JacksonException wrong) {
            try {
                return YamlReading.all(plain); // which has such brackets too, and looser rules
            } catch (JacksonException e) {
                throw wrong;
            }
        }
    }
}
