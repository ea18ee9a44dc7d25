package dev.homeport.cli.select;

import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.ProcessEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Names for completion: kept when a whole list was read anyway, and read by the shell alone. */
public final class NameCache {
    private static final String SAFE = "[A-Za-z0-9._-]{1,253}";

    private final ProcessEnvironment process;
    private final Path folder;

    public NameCache(ServerOptions server) {
        this.process = server.process();
        this.folder = process.cacheFolder().resolve("names");
    }

    /** A cache that cannot be written is a cache that is missing. */
    public void keep(Kind kind, List<JsonNode> documents) {
        // Only what a shell may paste without thinking.
        StringBuilder names = new StringBuilder();
        for (JsonNode document : documents) {
            String id = document.path("id").asString(document.path("name").asString(""));
            if (id.matches(SAFE)) {
                names.append(id).append('\n');
            }
        }
        try {
            Path file = folder.resolve(kind.plural());
            if (Files.exists(file) && Files.readString(file).contentEquals(names)) {
                return;
            }
            Files.createDirectories(folder);
            Path next = Files.createTempFile(folder, kind.plural(), ".new");
            Files.writeString(next, names);
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            // completion goes without
        }
    }
}
