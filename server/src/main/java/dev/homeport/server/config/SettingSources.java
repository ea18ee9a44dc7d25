package dev.homeport.server.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Flags before environment variables before the file before the standard. */
public final class SettingSources {
    /** A value and where it comes from. */
    public record Found(String value, String source) {
        boolean isStandard() {
            return source.equals("standard");
        }
    }

    private final Map<Setting, Found> found;

    private SettingSources(Map<Setting, Found> found) {
        this.found = found;
    }

    public Found get(Setting setting) {
        return found.getOrDefault(setting, new Found(setting.standard(), "standard"));
    }

    /** Values that must never be shown. */
    public List<String> secrets() {
        return found.entrySet().stream()
                .filter(entry -> entry.getKey().isSecret())
                .map(entry -> entry.getValue().value())
                .filter(value -> !value.isEmpty())
                .toList();
    }

    public static SettingSources read(Map<String, String> flags, Map<String, String> environment, Optional<Path> file) {
        JsonNode fromFile = file.map(SettingSources::parse).orElseGet(() -> new YAMLMapper().createObjectNode());
        List<String> unknown = new ArrayList<>();
        fromFile.propertyNames().forEach(key -> {
            if (java.util.Arrays.stream(Setting.values())
                    .noneMatch(setting -> setting.key().equals(key))) {
                unknown.add(key);
            }
        });
        if (!unknown.isEmpty()) {
            throw new BadSettings(List.of(file.get() + " has unknown settings: " + String.join(", ", unknown)));
        }
        Map<Setting, Found> found = new EnumMap<>(Setting.class);
        for (Setting setting : Setting.values()) {
            found.put(setting, find(setting, flags, environment, fromFile, file));
        }
        return new SettingSources(found);
    }

    private static Found find(
            Setting setting,
            Map<String, String> flags,
            Map<String, String> environment,
            JsonNode fromFile,
            Optional<Path> file) {
        String flag = flags.get(setting.flag());
        if (flag != null) {
            return new Found(flag, setting.flag());
        }
        for (String variable : setting.variables()) {
            String value = environment.get(variable);
            if (value != null) {
                return new Found(value, variable);
            }
        }
        if (fromFile.has(setting.key())) {
            return new Found(
                    fromFile.get(setting.key()).asString(),
                    file.map(Path::toString).orElse(""));
        }
        return new Found(setting.standard(), "standard");
    }

    private static JsonNode parse(Path file) {
        try {
            return new YAMLMapper().readTree(Files.readString(file));
        } catch (IOException e) {
            throw new BadSettings(List.of("the settings file " + file + " cannot be read: " + e.getMessage()));
        } catch (JacksonException e) {
            throw new BadSettings(List.of("the settings file " + file + " is not YAML: " + e.getOriginalMessage()));
        }
    }
}
