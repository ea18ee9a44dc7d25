package dev.homeport.server.signin;

import dev.homeport.api.TrustedAuthorities;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.ProblemException;
import dev.homeport.server.config.BadSettings;
import dev.homeport.server.config.SignInSettings.Issuer;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Requests JSON from a provider: over TLS or loopback, with limits on time and size. */
final class ProviderHttp implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final long MOST = 512 * 1024;

    private final HttpClient http;

    ProviderHttp(Issuer issuer) {
        HttpClient.Builder builder = HttpClient.newBuilder()
                .connectTimeout(PATIENCE)
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER);
        issuer.ca().ifPresent(file -> builder.sslContext(trusting(file)));
        this.http = builder.build();
    }

    /** A response. */
    record Answer(int status, ObjectNode json) {}

    Answer get(URI uri) throws ProviderTrouble {
        return send(HttpRequest.newBuilder(safe(uri)).GET());
    }

    /** @param authorization the header of that name, if any */
    Answer post(URI uri, Map<String, String> form, @Nullable String authorization) throws ProviderTrouble {
        HttpRequest.Builder request = HttpRequest.newBuilder(safe(uri))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form(form)));
        if (authorization != null) {
            request.header("Authorization", authorization);
        }
        return send(request);
    }

    static String form(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> encoded(field.getKey()) + "=" + encoded(field.getValue()))
                .collect(Collectors.joining("&"));
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static URI safe(URI uri) throws ProviderTrouble {
        if (uri.getHost() == null || !Issuer.isSafe(uri)) {
            throw new ProviderTrouble(uri + " is not https");
        }
        return uri;
    }

    private Answer send(HttpRequest.Builder request) throws ProviderTrouble {
        HttpRequest whole =
                request.header("Accept", "application/json").timeout(PATIENCE).build();
        // The timeout of a request ends with its headers, so another thread waits for the whole answer.
        FutureTask<HttpResponse<byte[]>> coming = new FutureTask<>(() ->
                http.send(whole, HttpResponse.BodyHandlers.limiting(HttpResponse.BodyHandlers.ofByteArray(), MOST)));
        Thread.ofVirtual().name("provider").start(coming);
        try {
            HttpResponse<byte[]> response = coming.get(2 * PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            return new Answer(response.statusCode(), StrictJson.read(response.body()));
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            String reason = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
            throw new ProviderTrouble(whole.uri() + " does not answer: " + reason);
        } catch (TimeoutException e) {
            coming.cancel(true);
            throw new ProviderTrouble(whole.uri() + " does not come to an end");
        } catch (ProblemException e) {
            throw new ProviderTrouble(whole.uri() + " does not answer with JSON");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ProviderTrouble("the server stops");
        }
    }

    private static SSLContext trusting(Path file) {
        try {
            return TrustedAuthorities.in(file);
        } catch (UncheckedIOException e) {
            throw new BadSettings(List.of("the provider's authority: " + e.getMessage()));
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
