package dev.homeport.cli.output;

import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** YAML; loaded only when somebody wants it. */
public final class YamlText {
    public static final YAMLMapper MAPPER = new YAMLMapper();

    private YamlText() {}

    public static String write(JsonNode document) {
        return MAPPER.writeValueAsString(document);
    }
}
