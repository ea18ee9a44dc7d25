package dev.homeport.server;

import dev.homeport.json.StrictJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Talks to a server as any client does. An empty token sends none. */
public record TestClient(String base, String token) {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** What came back. */
    public record Answer(int status, java.net.http.HttpHeaders headers, byte[] bytes) {
        public String text() {
            return new String(bytes, StandardCharsets.UTF_8);
        }

        public ObjectNode json() {
            return StrictJson.read(bytes);
        }

        public String header(String name) {
            return headers.firstValue(name).orElse("");
        }

        /** This answer, if it has the status; otherwise the test fails with what came instead. */
        public Answer expect(int wanted) {
            if (status != wanted) {
                throw new AssertionError("status " + status + " instead of " + wanted + ": " + text());
            }
            return this;
        }

        public JsonNode at(String pointer) {
            return json().at(pointer);
        }
    }

    public Answer get(String path) {
        return send("GET", path, "", Map.of());
    }

    public Answer post(String path, String json) {
        return send("POST", path, json, Map.of());
    }

    public Answer put(String path, String json, String etag) {
        return send("PUT", path, json, Map.of("If-Match", etag));
    }

    public Answer delete(String path, String etag) {
        return send("DELETE", path, "", Map.of("If-Match", etag));
    }

    /** A merge patch. */
    public Answer patch(String path, String json) {
        return send("PATCH", path, json, Map.of("Content-Type", "application/merge-patch+json"));
    }

    public Answer send(String method, String path, String body, Map<String, String> headers) {
        return send(method, path, body.getBytes(StandardCharsets.UTF_8), headers);
    }

    /** Headers win over what would be sent otherwise. */
    public Answer send(String method, String path, byte[] body, Map<String, String> headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .timeout(Duration.ofSeconds(60))
                .method(
                        method,
                        body.length == 0
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(body));
        if (body.length > 0) {
            request.setHeader("Content-Type", "application/json");
        }
        if (!token.isEmpty()) {
            request.setHeader("Authorization", "Bearer " + token);
        }
        headers.forEach(request::setHeader);
        try {
            HttpResponse<byte[]> response = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            return new Answer(response.statusCode(), response.headers(), response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
