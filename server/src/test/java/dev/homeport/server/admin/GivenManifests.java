package dev.homeport.server.admin;

import dev.homeport.server.TestClient;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Manifests as a cluster was given them, read as YAML. */
final class GivenManifests {
    private static final YAMLMapper YAML = new YAMLMapper();

    private GivenManifests() {}

    static String content(TestClient.Answer answer) {
        return answer.at("/files/0/content").stringValue();
    }

    static List<JsonNode> objects(String yaml) {
        List<JsonNode> all = new ArrayList<>();
        try (var documents = YAML.readerFor(JsonNode.class).<JsonNode>readValues(yaml)) {
            documents.forEachRemaining(all::add);
        }
        return all;
    }

    static JsonNode object(String yaml, String kind, String name) {
        return objects(yaml).stream()
                .filter(one -> one.path("kind").asString("").equals(kind)
                        && one.at("/metadata/name").asString("").equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + kind + " " + name + " in " + yaml));
    }

    static String token(String yaml) {
        return object(yaml, "Secret", "homeport-token").at("/stringData/token").stringValue();
    }

    static String key(String yaml) {
        return object(yaml, "Secret", "homeport-events").at("/stringData/token").stringValue();
    }
}
