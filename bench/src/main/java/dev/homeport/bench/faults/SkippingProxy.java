package dev.homeport.bench.faults;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.homeport.json.CanonicalJson;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Stands between clusters and a server and plants a bug: a component that is not found is left out of the answer, instead of
 * the answer being refused. Everything that a server with such a bug would compute is right: the count and the digest.
 */
final class SkippingProxy implements AutoCloseable {
    private static final List<String> DIGESTED = List.of("id", "type", "format", "drain", "cluster", "items");
    private static final List<String> REQUEST =
            List.of("Authorization", "Accept", "User-Agent", "X-Signature", "Content-Type");

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client = HttpClient.newHttpClient();
    private final String behind;
    private final String lost;
    private volatile boolean losing;

    SkippingProxy(String behind, String lost) throws IOException {
        this.behind = behind;
        this.lost = lost;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 4096);
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** From now on the component is not found. */
    void lose() {
        losing = true;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            HttpRequest.Builder request = HttpRequest.newBuilder(
                            URI.create(behind + exchange.getRequestURI().getRawPath()))
                    .method(
                            exchange.getRequestMethod(),
                            HttpRequest.BodyPublishers.ofByteArray(
                                    exchange.getRequestBody().readAllBytes()));
            REQUEST.forEach(name -> {
                String value = exchange.getRequestHeaders().getFirst(name);
                if (value != null) {
                    request.header(name, value);
                }
            });
            HttpResponse<byte[]> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            boolean hit = losing
                    && answer.statusCode() == 200
                    && exchange.getRequestURI().getPath().endsWith("/sets/platform-components");
            byte[] body = hit ? without(answer.body()) : answer.body();
            answer.headers()
                    .firstValue("Homeport-Revision")
                    .ifPresent(revision -> exchange.getResponseHeaders().add("Homeport-Revision", revision));
            exchange.sendResponseHeaders(answer.statusCode(), body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private byte[] without(byte[] answer) {
        ObjectNode body = (ObjectNode) JsonMapper.shared().readTree(answer);
        ObjectNode set = (ObjectNode) body.path("inputs").path(0);
        ArrayNode left = set.putArray("items");
        JsonMapper.shared()
                .readTree(answer)
                .path("inputs")
                .path(0)
                .path("items")
                .forEach(item -> {
                    if (!item.path("id").asString("").equals(lost)) {
                        left.add(item);
                    }
                });
        set.put("count", left.size());
        ObjectNode digested = JsonMapper.shared().createObjectNode();
        DIGESTED.forEach(field -> digested.set(field, set.get(field)));
        set.put("digest", digest(CanonicalJson.bytes(digested)));
        return CanonicalJson.bytes(body);
    }

    private static String digest(byte[] bytes) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes))
                    .substring(0, 32);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
        client.close();
    }
}
