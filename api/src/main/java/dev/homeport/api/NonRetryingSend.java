package dev.homeport.api;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Writes with the JDK's large HTTP client, which knows PATCH and never sends a request twice by itself. */
final class NonRetryingSend {
    private static final Duration CONNECT = Duration.ofSeconds(10);

    private final ServerAddress address;

    NonRetryingSend(ServerAddress address) {
        this.address = address;
    }

    HttpReply send(String method, String path, Map<String, String> headers, Optional<HomeportClient.Payload> body) {
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT)
                .followRedirects(HttpClient.Redirect.NEVER);
        address.secureContext().ifPresent(builder::sslContext);
        HttpRequest.Builder request = HttpRequest.newBuilder(address.at(path));
        headers.forEach(request::setHeader);
        body.ifPresent(payload -> request.setHeader("Content-Type", payload.mediaType()));
        request.method(
                method,
                body.map(payload -> HttpRequest.BodyPublishers.ofByteArray(payload.bytes()))
                        .orElseGet(HttpRequest.BodyPublishers::noBody));
        // The body's stream outlives this method, so the client ends with the process.
        HttpClient http = builder.build();
        try {
            HttpResponse<InputStream> response = http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            address.trace().accept(method + " " + path + " " + response.statusCode());
            Map<String, String> received = new HashMap<>();
            response.headers().map().forEach((name, values) -> received.put(name, values.getFirst()));
            return address.heard(new HttpReply(response.statusCode(), received, response.body()));
        } catch (IOException e) {
            throw address.unreachable(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw address.unreachable(e);
        }
    }
}
