package dev.homeport.server.config;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Settings as flags of a command. */
public final class SettingFlags {
    private SettingFlags() {}

    /** Every setting is also a flag. */
    public static void add(CommandSpec spec) {
        for (Setting setting : Setting.values()) {
            spec.addOption(OptionSpec.builder(setting.flag())
                    .paramLabel("VALUE")
                    .type(String.class)
                    .description(setting.description()
                            + (setting.standard().isEmpty() ? "" : " (standard: " + setting.standard() + ")"))
                    .build());
        }
    }

    public static SettingSources read(ParseResult parsed, Optional<Path> file) {
        Map<String, String> flags = new HashMap<>();
        for (Setting setting : Setting.values()) {
            if (parsed.hasMatchedOption(setting.flag())) {
                flags.put(setting.flag(), parsed.matchedOptionValue(setting.flag(), ""));
            }
        }
        return SettingSources.read(flags, System.getenv(), file);
    }
}
