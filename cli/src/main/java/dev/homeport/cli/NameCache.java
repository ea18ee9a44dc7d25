package dev.homeport.cli;

import dev.homeport.cli.terminal.Surroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Names for completion: kept when a whole list was read anyway, and read by the shell alone. */
final class NameCache {
    private static final String SAFE = "[A-Za-z0-9._-]{1,253}";

    private final Surroundings surroundings;
    private final Path folder;

    NameCache(ServerOptions server) {
        this.surroundings = server.surroundings();
        this.folder = surroundings.cacheFolder().resolve("names");
    }

    /** A cache that cannot be written is a cache that is missing. */
    void keep(Kind kind, List<JsonNode> documents) {
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
