package dev.homeport.e2e.stack;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** In front of a server, as an ingress is. It sees every request, and can be made to answer wrongly. */
public final class Gateway implements AutoCloseable {
    private static final List<String> NOT_FORWARDED =
            List.of("host", "connection", "content-length", "upgrade", "expect", "http2-settings");

    private final HttpsServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Http http;
    private final String target;
    private final List<Exchange> seen = new CopyOnWriteArrayList<>();
    private volatile Behaviour behaviour = Behaviour.HONEST;

    /**
     * What was asked, and what was answered.
     *
     * @param digest which answer it was, as Homeport names it
     * @param began when it was asked, of {@link System#nanoTime}
     */
    public record Exchange(
            String method,
            String path,
            Map<String, String> headers,
            byte[] body,
            int status,
            String digest,
            long began) {
        /** Whether it was asked after that moment; one asked before may be answered with what was right then. */
        public boolean isAfter(long moment) {
            return began - moment > 0;
        }

        public boolean isPoll() {
            return method.equals("GET") && path.contains("/flux/clusters/");
        }

        public boolean isEvent() {
            return method.equals("POST") && path.endsWith("/events");
        }
    }

    /** An answer. */
    public record Response(int status, byte[] body, Map<String, String> headers) {
        public static Response json(int status, String body) {
            return new Response(
                    status,
                    body.getBytes(java.nio.charset.StandardCharsets.UTF_8),
                    Map.of("Content-Type", "application/json"));
        }
    }

    /** What is answered to a poll, with or without asking the server behind. */
    @FunctionalInterface
    public interface Behaviour {
        Behaviour HONEST = (path, honest) -> honest.get();

        Response answer(String path, Supplier<Response> honest);
    }

    private Gateway(HttpsServer server, String target, Http http) {
        this.server = server;
        this.http = http;
        this.target = target;
    }

    static Gateway to(String target, Pki pki) {
        try {
            HttpsServer server =
                    HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), Ports.free()), 0);
            server.setHttpsConfigurator(new HttpsConfigurator(pki.context()));
            Gateway gateway = new Gateway(server, target, Http.trusting(pki.context()));
            server.setExecutor(gateway.threads);
            server.createContext("/", gateway::handle);
            server.start();
            return gateway;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String url() {
        return "https://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Polls are answered like this until {@link #behave}. */
    public void misbehave(Behaviour other) {
        behaviour = other;
    }

    public void behave() {
        behaviour = Behaviour.HONEST;
    }

    public List<Exchange> seen() {
        return seen;
    }

    public void forget() {
        seen.clear();
    }

    private void handle(HttpExchange exchange) throws IOException {
        long began = System.nanoTime();
        try (exchange) {
            String path = exchange.getRequestURI().toString();
            byte[] body = exchange.getRequestBody().readAllBytes();
            Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, values.getFirst()));
            boolean poll = exchange.getRequestMethod().equals("GET");
            Response response;
            try {
                response = poll
                        ? behaviour.answer(path, () -> forward(exchange.getRequestMethod(), path, headers, body))
                        : forward(exchange.getRequestMethod(), path, headers, body);
            } catch (UncheckedIOException e) {
                response = Response.json(502, "{}"); // no backend: what an ingress says
            }
            seen.add(new Exchange(
                    exchange.getRequestMethod(),
                    path,
                    headers,
                    body,
                    response.status(),
                    response.headers().getOrDefault("Homeport-Digest", ""),
                    began));
            response.headers().forEach(exchange.getResponseHeaders()::set);
            // Every poll is a connection of its own, and none of them is ever used again.
            exchange.getResponseHeaders().set("Connection", "close");
            exchange.sendResponseHeaders(response.status(), response.body().length == 0 ? -1 : response.body().length);
            exchange.getResponseBody().write(response.body());
        }
    }

    private Response forward(String method, String path, Map<String, String> headers, byte[] body) {
        Map<String, String> passed = new TreeMap<>(headers);
        passed.keySet().removeIf(name -> NOT_FORWARDED.contains(name.toLowerCase(Locale.ROOT)));
        Http.Answer answer = http.send(method, target + path, body, passed);
        Map<String, String> back = new TreeMap<>();
        for (String name : List.of("Content-Type", "Content-Encoding", "Homeport-Digest", "Homeport-Revision")) {
            if (!answer.header(name).isEmpty()) {
                back.put(name, answer.header(name));
            }
        }
        return new Response(answer.status(), answer.bytes(), back);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
