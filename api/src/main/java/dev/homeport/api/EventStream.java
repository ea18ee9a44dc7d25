package dev.homeport.api;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Server-sent events, one after the other. */
public final class EventStream implements AutoCloseable {
    private static final int MOST_MEBIBYTES = 64;

    private final BufferedReader lines;
    private final ServerAddress address;

    EventStream(InputStream body, ServerAddress address) {
        this.lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
        this.address = address;
    }

    /** One event: its kind, its id and what it says. */
    public record Event(String name, String id, JsonNode data) {}

    /** The next event, or none when the server has ended the stream. Heartbeats are passed over. */
    public Optional<Event> next() {
        String name = "";
        String id = "";
        StringBuilder data = new StringBuilder();
        try {
            int room = MOST_MEBIBYTES << 20;
            for (String line = line(room); line != null; line = line(room)) {
                room -= line.length();
                if (line.isEmpty()) {
                    room = MOST_MEBIBYTES << 20;
                    if (!data.isEmpty()) {
                        return Optional.of(
                                new Event(name, id, JsonMapper.shared().readTree(data.toString())));
                    }
                } else if (line.startsWith("event:")) {
                    name = line.substring("event:".length()).strip();
                } else if (line.startsWith("id:")) {
                    id = line.substring("id:".length()).strip();
                } else if (line.startsWith("data:")) {
                    data.append(line.substring("data:".length()).strip());
                }
            }
            return Optional.empty();
        } catch (IOException | JacksonException e) {
            throw address.unreachable(e);
        }
    }

    private @Nullable String line(int room) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = lines.read(); next != '\n'; next = lines.read()) {
            if (next < 0) {
                return null;
            }
            if (line.length() == room) {
                throw address.endless(MOST_MEBIBYTES + " MiB");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    @Override
    public void close() {
        try {
            lines.close();
        } catch (IOException e) {
            // nothing is lost: the stream was only read
        }
    }
}
