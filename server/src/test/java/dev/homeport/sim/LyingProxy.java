package dev.homeport.sim;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** Stands before a server and says other things than it does. */
final class LyingProxy implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client = HttpClient.newHttpClient();
    private final String behind;
    private final AtomicLong lies = new AtomicLong();
    private volatile Lie lie = (path, honest) -> honest;

    /** @param body what is sent of it; where that is less than the length, the rest never comes */
    record Answer(int status, String body, int length, Optional<String> revision, Optional<String> location) {
        Answer body(String other) {
            return new Answer(status, other, other.getBytes(StandardCharsets.UTF_8).length, revision, location);
        }

        Answer cutOff() {
            return new Answer(status, body.substring(0, body.length() / 2), length, revision, location);
        }

        Answer revision(Optional<String> other) {
            return new Answer(status, body, length, other, location);
        }

        static Answer redirect(String to) {
            return new Answer(302, "", 0, Optional.empty(), Optional.of(to));
        }
    }

    interface Lie {
        Answer of(String path, Answer honest);
    }

    LyingProxy(String behind) throws IOException {
        this.behind = behind;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 512);
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    void lie(Lie other) {
        lie = other;
        lies.set(0);
    }

    /** How many answers there were since the last change of mind. */
    long answers() {
        return lies.get();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            URI asked = exchange.getRequestURI();
            HttpRequest request = HttpRequest.newBuilder(URI.create(behind + asked))
                    .header(
                            "Authorization",
                            String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")))
                    .build();
            HttpResponse<String> honest = client.send(request, HttpResponse.BodyHandlers.ofString());
            Lie now = lie;
            Answer answer = now.of(
                    asked.getPath(),
                    new Answer(
                                    honest.statusCode(),
                                    "",
                                    0,
                                    honest.headers().firstValue("Homeport-Revision"),
                                    Optional.empty())
                            .body(honest.body()));
            honest.headers()
                    .firstValue("Homeport-Next-Page-Token")
                    .ifPresent(token -> exchange.getResponseHeaders().add("Homeport-Next-Page-Token", token));
            answer.revision().ifPresent(number -> exchange.getResponseHeaders().add("Homeport-Revision", number));
            answer.location().ifPresent(to -> exchange.getResponseHeaders().add("Location", to));
            exchange.sendResponseHeaders(answer.status(), answer.length() == 0 ? -1 : answer.length());
            exchange.getResponseBody().write(answer.body().getBytes(StandardCharsets.UTF_8));
            lies.addAndGet(now == lie ? 1 : 0);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
        client.close();
    }
}
