package dev.homeport.server.admin;

import dev.homeport.api.ErrorCode;
import dev.homeport.json.CanonicalJson;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.ProblemException;
import java.nio.charset.StandardCharsets;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLParser;
import tools.jackson.dataformat.yaml.YAMLWriteFeature;

/** YAML as another spelling of JSON: what JSON cannot say (anchors, aliases, tags, several documents) is refused. */
final class YamlForm {
    private static final YAMLMapper WRITER = YAMLMapper.builder()
            .disable(YAMLWriteFeature.WRITE_DOC_START_MARKER)
            .disable(YAMLWriteFeature.SPLIT_LINES)
            .build();
    private static final YAMLMapper READER = YAMLMapper.builder(YAMLFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .loadSettings(LoadSettings.builder()
                            .setCodePointLimit(AdminRoute.WHOLE_FLEET)
                            .build())
                    .build())
            .build();

    private YamlForm() {}

    /** Keys in canonical order, and every text in quotes, so that no reader takes one for something else. */
    static String write(ObjectNode tree) {
        return WRITER.writeValueAsString(StrictJson.read(CanonicalJson.text(tree)));
    }

    /** The same value as JSON text. */
    static String read(byte[] yaml) {
        String text = new String(yaml, StandardCharsets.UTF_8);
        try {
            refuseMarks(text);
            JsonNode tree = READER.readTree(text);
            return CanonicalJson.text(tree);
        } catch (JacksonException | IllegalArgumentException e) {
            throw wrong("it cannot be read");
        }
    }

    private static void refuseMarks(String text) {
        int depth = 0;
        int values = 0;
        try (YAMLParser parser = (YAMLParser) READER.createParser(text)) {
            while (true) {
                var token = parser.nextToken();
                if (token == null) {
                    break;
                }
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                if (depth == 0 && ++values > 1) {
                    throw wrong("it holds several documents");
                }
                if (depth > StrictJson.MAX_DEPTH) {
                    throw wrong("it is nested deeper than " + StrictJson.MAX_DEPTH + " levels");
                }
                if (parser.isCurrentAlias() || parser.getObjectId() != null || parser.getTypeId() != null) {
                    throw wrong("it has anchors, aliases or tags");
                }
            }
        }
    }

    private static ProblemException wrong(String why) {
        return ProblemException.refused(
                ErrorCode.MALFORMED, "this is not plain YAML: " + why, "send what JSON could say as well");
    }
}
