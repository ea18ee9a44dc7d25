package dev.homeport.demo;

import dev.homeport.api.PrivateFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The command line's file of servers, into which the demo writes itself. */
record CliContext(Path file) {
    /** What a demo is called there, unless there is another one that runs. */
    static final String NAME = "demo";

    private static final YAMLMapper YAML = YAMLMapper.shared();

    static CliContext standard(Map<String, String> variables, Path home) {
        String config = variables.getOrDefault("XDG_CONFIG_HOME", "");
        Path base = !config.startsWith("/") ? home.resolve(".config") : Path.of(config);
        return new CliContext(base.resolve("homeport").resolve("config.yaml"));
    }

    /** Returns whether it is the current one now: a context for another server stays current. */
    boolean write(String name, String server, String token) {
        ObjectNode all = read();
        ObjectNode contexts = all.get("contexts") instanceof ObjectNode known ? known : all.putObject("contexts");
        contexts.putObject(name).put("server", server).put("token", token);
        String current = all.path("current").asString("");
        if (current.isEmpty()) {
            all.put("current", name);
        }
        PrivateFile.write(file, YAML.writeValueAsString(all));
        return all.path("current").asString("").equals(name);
    }

    private ObjectNode read() {
        if (!Files.exists(file)) {
            return YAML.createObjectNode();
        }
        try {
            JsonNode known = YAML.readTree(DemoFolder.text(file));
            return known instanceof ObjectNode object ? object : YAML.createObjectNode();
        } catch (JacksonException e) {
            throw new IllegalStateException(
                    file + " is not YAML, so the demo's context is not added: " + e.getOriginalMessage(), e);
        }
    }
}
