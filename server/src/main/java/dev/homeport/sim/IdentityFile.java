package dev.homeport.sim;

import dev.homeport.api.PrivateFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Identities in a file that only its owner can read, one JSON object per line. */
public final class IdentityFile {
    private static final JsonMapper JSON = JsonMapper.shared();

    private IdentityFile() {}

    public static void write(Path file, List<Identity> identities) {
        StringBuilder lines = new StringBuilder();
        for (Identity one : identities) {
            lines.append(JSON.createObjectNode()
                            .put("id", one.id())
                            .put("dns", one.dns())
                            .put("token", one.token())
                            .put("event_key", one.eventKey())
                            .put("kubernetes", one.kubernetes()))
                    .append('\n');
        }
        PrivateFile.write(file, lines);
    }

    public static List<Identity> read(Path file) {
        try {
            List<Identity> all = new ArrayList<>();
            for (String line : Files.readAllLines(file)) {
                JsonNode one = JSON.readTree(line);
                all.add(new Identity(
                        text(one, "id"),
                        text(one, "dns"),
                        text(one, "token"),
                        one.path("event_key").asString(""),
                        one.path("kubernetes").asString(Identity.KUBERNETES)));
            }
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read: " + e.getMessage(), e);
        } catch (JacksonException | IllegalArgumentException e) {
            throw new IllegalStateException(file + " is not a list of clusters as an earlier run writes it", e);
        }
    }

    private static String text(JsonNode node, String field) {
        String text = node.path(field).asString("");
        if (text.isEmpty()) {
            throw new IllegalArgumentException(field + " is missing");
        }
        return text;
    }
}
