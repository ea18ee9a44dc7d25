package dev.homeport.bench;

import dev.homeport.server.config.Setting;
import java.util.List;

/** Starts processes without Homeport settings from the environment, so that a benchmark never writes to a real database. */
public final class Isolated {
    private Isolated() {}

    public static ProcessBuilder process(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment()
                .keySet()
                .removeIf(name -> Setting.isVariable(name) && !name.equals("HOMEPORT_AOT")
                        || name.equals("JAVA_OPTS")
                        || name.equals("JAVA_TOOL_OPTIONS"));
        return builder;
    }
}
