package dev.homeport.api;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Talks to a server: one method, everything that is not a success becomes an {@link ApiProblem}. */
public final class HomeportClient {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final HttpClient http = HttpClient.newBuilder()
            .connectTimeout(Duration.ofSeconds(10))
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
    private final URI server;
    private final Optional<String> token;

    public HomeportClient(URI server, Optional<String> token) {
        this.server = server;
        this.token = token;
    }

    /** What came back. */
    public record Answer(int status, JsonNode body, Map<String, String> headers) {
        public Optional<String> header(String name) {
            return Optional.ofNullable(headers.get(name.toLowerCase(java.util.Locale.ROOT)));
        }
    }

    public Answer get(String path) {
        return send("GET", path, Map.of(), Optional.empty());
    }

    public Answer send(String method, String path, Map<String, String> headers, Optional<JsonNode> body) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(server.resolve(path)).timeout(TIMEOUT);
        token.ifPresent(text -> request.header("Authorization", "Bearer " + text));
        request.header("Accept", "application/json");
        body.ifPresent(json -> request.header("Content-Type", "application/json"));
        headers.forEach(request::setHeader);
        request.method(
                method,
                body.map(json -> HttpRequest.BodyPublishers.ofString(json.toString(), StandardCharsets.UTF_8))
                        .orElseGet(HttpRequest.BodyPublishers::noBody));
        try {
            HttpResponse<String> response =
                    http.send(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
            return answer(response);
        } catch (IOException e) {
            throw new ServerUnreachable(server + " does not answer: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServerUnreachable("interrupted while waiting for " + server, e);
        }
    }

    private static Answer answer(HttpResponse<String> response) {
        Map<String, String> headers = new java.util.HashMap<>();
        response.headers().map().forEach((name, values) -> headers.put(name, values.getFirst()));
        JsonNode body = parse(response.body());
        if (response.statusCode() / 100 == 2) {
            return new Answer(response.statusCode(), body, headers);
        }
        String detail = body.path("detail").stringValue("the server answered " + response.statusCode());
        throw new ApiProblem(ErrorCode.of(body.path("code").stringValue("")), detail, body);
    }

    private static JsonNode parse(String text) {
        try {
            return text.isEmpty() ? JSON.createObjectNode() : JSON.readTree(text);
        } catch (JacksonException e) {
            return JSON.createObjectNode();
        }
    }
}
