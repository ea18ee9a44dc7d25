package dev.homeport.server.stream;

import dev.homeport.json.StrictJson;
import dev.homeport.server.TestClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/** Reads a stream of events as a browser does. */
public final class EventReader implements AutoCloseable {
    private static final Map<String, String> END = Map.of("event", "end");

    private final HttpClient http = HttpClient.newHttpClient();
    private final BlockingQueue<Map<String, String>> events = new LinkedBlockingQueue<>();
    private final int status;

    public EventReader(TestClient client, String path, String lastId) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(client.base() + path))
                .header("Authorization", "Bearer " + client.token());
        if (!lastId.isEmpty()) {
            request.header("Last-Event-ID", lastId);
        }
        HttpResponse<java.io.InputStream> response =
                http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        status = response.statusCode();
        Thread.ofVirtual().start(() -> {
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
                read(lines);
            } catch (IOException e) {
                events.add(END);
            }
        });
    }

    private void read(BufferedReader lines) throws IOException {
        Map<String, String> event = new HashMap<>();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            int colon = line.indexOf(':');
            if (line.isEmpty()) {
                events.add(Map.copyOf(event));
                event.clear();
            } else if (colon == 0) {
                event.put("event", "comment");
            } else {
                event.put(line.substring(0, colon), line.substring(colon + 1).strip());
            }
        }
        events.add(END);
    }

    int status() {
        return status;
    }

    public Map<String, String> next(int seconds) throws InterruptedException {
        Map<String, String> event = events.poll(seconds, TimeUnit.SECONDS);
        if (event == null) {
            throw new AssertionError("no event for " + seconds + " s");
        }
        return event;
    }

    /** The next event, which must have the name. */
    Map<String, String> next(String name) throws InterruptedException {
        Map<String, String> event = next(10);
        if (!name.equals(event.get("event"))) {
            throw new AssertionError("not " + name + " but " + event);
        }
        return event;
    }

    static JsonNode data(Map<String, String> event) {
        return StrictJson.read(event.getOrDefault("data", "{}"));
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
