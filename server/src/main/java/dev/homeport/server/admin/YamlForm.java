package dev.homeport.server.admin;

import dev.homeport.api.ErrorCode;
import dev.homeport.json.CanonicalJson;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.ProblemException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLWriteFeature;

/** YAML as another spelling of JSON: what JSON cannot say (anchors, aliases, tags, several documents) is refused. */
final class YamlForm {
    private static final YAMLMapper WRITER = YAMLMapper.builder()
            .disable(YAMLWriteFeature.WRITE_DOC_START_MARKER)
            .disable(YAMLWriteFeature.SPLIT_LINES)
            .build();
    private static final String MARKED = "it has anchors, aliases or tags";
    private static final LoadSettings SETTINGS =
            LoadSettings.builder().setCodePointLimit(AdminRoute.WHOLE_FLEET).build();
    private static final YAMLMapper READER = YAMLMapper.builder(YAMLFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .loadSettings(SETTINGS)
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
        } catch (JacksonException | YamlEngineException | IllegalArgumentException e) {
            throw wrong("it cannot be read");
        }
    }

    /** Asks the parser below Jackson, which does not tell of every mark. */
    private static void refuseMarks(String text) {
        int depth = 0;
        int documents = 0;
        for (Event event : new Parse(SETTINGS).parseString(text)) {
            switch (event) {
                case DocumentStartEvent _ -> {
                    if (++documents > 1) {
                        throw wrong("it holds several documents");
                    }
                }
                case AliasEvent _ -> throw wrong(MARKED);
                case ScalarEvent scalar -> refuseMarks(scalar, scalar.getTag());
                case CollectionStartEvent start -> {
                    refuseMarks(start, start.getTag());
                    if (++depth > StrictJson.MAX_DEPTH) {
                        throw wrong("it is nested deeper than " + StrictJson.MAX_DEPTH + " levels");
                    }
                }
                case CollectionEndEvent _ -> depth--;
                default -> {}
            }
        }
    }

    private static void refuseMarks(NodeEvent node, Optional<String> tag) {
        if (node.getAnchor().isPresent() || tag.isPresent()) {
            throw wrong(MARKED);
        }
    }

    private static ProblemException wrong(String why) {
        return ProblemException.refused(
                ErrorCode.MALFORMED, "this is not plain YAML: " + why, "send what JSON could say as well");
    }
}
