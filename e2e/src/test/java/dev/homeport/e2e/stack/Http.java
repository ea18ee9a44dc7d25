package dev.homeport.e2e.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import javax.net.ssl.SSLContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Requests to a server, as any client makes them. */
public final class Http {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Http PLAIN = new Http(HttpClient.newBuilder());

    private final HttpClient client;

    private Http(HttpClient.Builder builder) {
        this.client = builder.version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(5))
                .build();
    }

    static Http plain() {
        return PLAIN;
    }

    static Http trusting(SSLContext context) {
        return new Http(HttpClient.newBuilder().sslContext(context));
    }

    /** What came back. */
    public record Answer(int status, HttpHeaders headers, byte[] bytes) {
        public String text() {
            return new String(bytes, StandardCharsets.UTF_8);
        }

        public JsonNode json() {
            return JSON.readTree(bytes);
        }

        public JsonNode at(String pointer) {
            return json().at(pointer);
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
    }

    Answer send(String method, String url, byte[] body, Map<String, String> headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url))
                .timeout(Duration.ofSeconds(30))
                .method(
                        method,
                        body.length == 0
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(body));
        headers.forEach(request::setHeader);
        try {
            HttpResponse<byte[]> response = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            return new Answer(response.statusCode(), response.headers(), response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Whether something answers there with 200. */
    boolean isOk(String url, Map<String, String> headers) {
        try {
            return send("GET", url, new byte[0], headers).status() == 200;
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    boolean isOk(String url) {
        return isOk(url, Map.of());
    }
}
