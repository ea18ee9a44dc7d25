package dev.homeport.flux;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLWriteFeature;

/** Objects as YAML: every text in quotes, so that no reader takes one for something else, and templates line by line. */
final class ManifestText {
    private static final YAMLMapper YAML = YAMLMapper.builder()
            .disable(YAMLWriteFeature.SPLIT_LINES)
            .enable(YAMLWriteFeature.WRITE_DOC_START_MARKER)
            .enable(YAMLWriteFeature.LITERAL_BLOCK_STYLE)
            .enable(YAMLWriteFeature.INDENT_ARRAYS_WITH_INDICATOR)
            .build();

    private ManifestText() {}

    static String of(ObjectNode object) {
        return YAML.writeValueAsString(object);
    }

    static String of(List<ObjectNode> objects) {
        StringBuilder text = new StringBuilder();
        objects.forEach(object -> text.append(of(object)));
        return text.toString();
    }
}
