package dev.homeport.bench;

import dev.homeport.server.config.Setting;
import java.util.List;

/** Processes that get no setting of whoever runs a benchmark: a server must not write to somebody's database. */
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
