package dev.homeport.server.audit;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * Lines that are posted to an address of the administrator's. They are kept in a file until they were taken, so that a restart
 * sends the same lines again: a receiver that knows a sequence number ignores the second copy.
 */
final class AuditEndpoint implements AuditSink {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final URI address;
    private final Optional<String> secret;
    private final Path position;
    private final Path pending;
    private final HttpClient http;

    /**
     * @param secret sent as a bearer token
     * @param trusting none: the authorities that every system knows
     */
    AuditEndpoint(URI address, Optional<String> secret, Optional<SSLContext> trusting, Path folder) {
        this.address = address;
        this.secret = secret;
        this.position = folder.resolve("audit-url.position");
        this.pending = folder.resolve("audit-url.pending");
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(PATIENCE);
        trusting.ifPresent(builder::sslContext);
        this.http = builder.build();
    }

    @Override
    public String name() {
        return "url";
    }

    @Override
    public AuditPosition resume() throws IOException {
        if (Files.exists(pending)) {
            String kept = Files.readString(pending);
            int first = kept.indexOf('\n');
            AuditPosition after = AuditPosition.parse(kept.substring(0, first).getBytes(StandardCharsets.UTF_8));
            post(kept.substring(first + 1));
            after.write(position);
            Files.deleteIfExists(pending);
        }
        return AuditPosition.read(position).orElse(AuditPosition.START);
    }

    @Override
    public void write(List<String> lines, AuditPosition after) throws IOException {
        String body = String.join("\n", lines) + "\n";
        AuditPosition.replace(pending, (after.text() + "\n" + body).getBytes(StandardCharsets.UTF_8));
        post(body);
        after.write(position);
        Files.deleteIfExists(pending);
    }

    private void post(String body) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(address)
                .timeout(PATIENCE)
                .header("Content-Type", "application/jsonl")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        secret.ifPresent(token -> request.header("Authorization", "Bearer " + token));
        try {
            int status = http.send(request.build(), HttpResponse.BodyHandlers.discarding())
                    .statusCode();
            if (status / 100 != 2) {
                throw new IOException("the audit endpoint answers " + status);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the server stops", e);
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
