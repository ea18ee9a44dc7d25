package dev.homeport.flux;

import dev.homeport.json.CanonicalJson;
import java.util.List;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.api.DumpSettings;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLWriteFeature;

/**
 * Objects as YAML: every text in quotes, so that no reader takes one for something else, and templates line by line. All that
 * is not ASCII is escaped: older readers break lines at characters where newer ones do not.
 */
final class ManifestText {
    private static final YAMLMapper YAML = YAMLMapper.builder(YAMLFactory.builder()
                    .dumperOptions(DumpSettings.builder()
                            .setUseUnicodeEncoding(false)
                            .setSplitLines(false)
                            .setIndent(2)
                            .build())
                    .build())
            .enable(YAMLWriteFeature.WRITE_DOC_START_MARKER)
            .enable(YAMLWriteFeature.LITERAL_BLOCK_STYLE)
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

    /** A list in JSON, an element a line. */
    static String lines(List<ObjectNode> list) {
        return list.stream()
                .map(one -> "  " + escaped(CanonicalJson.text(one)))
                .collect(Collectors.joining(",\n", "[\n", "\n]\n"));
    }

    private static String escaped(String json) {
        StringBuilder out = new StringBuilder();
        json.chars().forEach(c -> {
            // Halves of a pair stay together: Go's YAML knows no escapes for them.
            if (c < 0x80 || Character.isSurrogate((char) c)) {
                out.append((char) c);
            } else {
                out.append(String.format("\\u%04x", c));
            }
        });
        return out.toString();
    }
}
