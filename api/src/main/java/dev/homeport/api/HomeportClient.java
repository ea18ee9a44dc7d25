package dev.homeport.api;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Talks to a server; everything that is not a success becomes an {@link ApiProblem}. */
public final class HomeportClient {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String JSON_TYPE = "application/json";
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int MOST_MEBIBYTES = 128;
    private static final Duration ANSWER = Duration.ofMinutes(5);

    /** An export is as large as its fleet. */
    private static final Duration DOWNLOAD = Duration.ofHours(1);

    private final ServerAddress address;

    public HomeportClient(ServerAddress address) {
        this.address = address;
    }

    /** Prepares the first request to this server. A failure is ignored here, because the request itself reports it. */
    public static void prepare(URI server, TlsFiles files) {
        if (server.getScheme().equals("https")) {
            try {
                QuickSockets.with(files).warmUp();
            } catch (IOException | UncheckedIOException e) {
                // reported by the request
            }
        }
    }

    /** A response. Names of headers are in lower case. */
    public record Answer(int status, JsonNode body, Map<String, String> headers) {
        public Optional<String> header(String name) {
            return Optional.ofNullable(headers.get(name.toLowerCase(java.util.Locale.ROOT)));
        }
    }

    /** A body that is sent. */
    public record Payload(String mediaType, byte[] bytes) {
        public static Payload json(JsonNode json) {
            return new Payload(JSON_TYPE, JSON.writeValueAsBytes(json));
        }
    }

    public Answer get(String path) {
        return get(path, Map.of());
    }

    public Answer get(String path, Map<String, String> headers) {
        Map<String, String> all = with(headers, JSON_TYPE);
        return new Deadline(address, ANSWER).of("GET", () -> read(new FastStartGet(address).get(path, all)));
    }

    /** Writes an answer as it comes, whatever it is. */
    public Map<String, String> copy(String path, OutputStream out) {
        Map<String, String> all = with(Map.of(), "*/*");
        return new Deadline(address, DOWNLOAD).of("GET", () -> copied(new FastStartGet(address).get(path, all), out));
    }

    private Map<String, String> copied(HttpReply reply, OutputStream out) {
        if (!reply.isSuccess()) {
            throw problem(reply);
        }
        if (reply.headers().getOrDefault("content-type", "").startsWith("text/html")) {
            throw address.strange(reply); // the error page of a proxy must not end up in an export
        }
        try (InputStream body = reply.body()) {
            drain(body, out, Long.MAX_VALUE);
            return reply.headers();
        } catch (IOException e) {
            throw address.unreachable(e);
        }
    }

    public Answer send(String method, String path, Map<String, String> headers, Optional<Payload> body) {
        Map<String, String> all = with(headers, JSON_TYPE);
        return new Deadline(address, ANSWER)
                .of(method, () -> read(new NonRetryingSend(address).send(method, path, all, body)));
    }

    /** Commits as they are made; ends when the server closes it. */
    public EventStream stream(String path, Optional<String> lastEvent) {
        Map<String, String> headers =
                lastEvent.map(id -> Map.of("Last-Event-ID", id)).orElse(Map.of());
        Map<String, String> all = with(headers, "text/event-stream");
        // That it begins has an end; the stream itself lasts as long as something comes.
        return new Deadline(address, ANSWER).of("GET", () -> {
            HttpReply reply = new FastStartGet(address).get(path, all);
            if (!reply.isSuccess()) {
                throw problem(reply);
            }
            return new EventStream(reply.body(), address);
        });
    }

    /** For a list that is read page by page. */
    public Pages pages() {
        return new Pages(address);
    }

    private Map<String, String> with(Map<String, String> headers, String accept) {
        Map<String, String> all = new java.util.LinkedHashMap<>();
        address.token().get().ifPresent(text -> all.put("Authorization", "Bearer " + text));
        all.put("Accept", accept);
        all.putAll(headers);
        return all;
    }

    private Answer read(HttpReply reply) {
        if (!reply.isSuccess()) {
            throw problem(reply);
        }
        String text = text(reply);
        // A truncated answer, or one of another server, must not be read as an empty list or as success.
        JsonNode body = text.isEmpty() && reply.status() != OK
                ? JSON.createObjectNode()
                : parse(text).orElseThrow(() -> address.strange(reply));
        return new Answer(reply.status(), body, reply.headers());
    }

    /** An answer without a Homeport error code comes from another server or from a proxy. */
    private RuntimeException problem(HttpReply reply) {
        JsonNode body = parse(text(reply)).orElseGet(JSON::createObjectNode);
        if (body.path("code").isString()) {
            ErrorCode code = ErrorCode.of(body.path("code").stringValue());
            return new ApiProblem(code, body.path("detail").stringValue(code.meaning()), body);
        }
        ErrorCode code = ErrorCode.ofStatus(reply.status());
        // An identity provider answers like this, also while a sign-in is pending (RFC 6749, RFC 8628).
        if (reply.status() == BAD_REQUEST && body.path("error").isString()) {
            return new ApiProblem(code, answered(reply, body), body);
        }
        return code == ErrorCode.UNAUTHENTICATED || code == ErrorCode.FORBIDDEN
                ? new ApiProblem(code, answered(reply, body), body)
                : address.strange(reply);
    }

    private String answered(HttpReply reply, JsonNode body) {
        StringBuilder words = new StringBuilder(address.server() + " answered " + reply.status());
        for (String field : List.of("error", "error_description")) {
            if (body.path(field).isString()) {
                words.append(": ").append(body.path(field).stringValue());
            }
        }
        return words.toString();
    }

    private String text(HttpReply reply) {
        try (InputStream in = reply.body()) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            drain(in, all, MOST_MEBIBYTES << 20);
            return all.toString(StandardCharsets.UTF_8);
        } catch (IOException | UncheckedIOException e) {
            throw address.unreachable(e);
        }
    }

    private void drain(InputStream in, OutputStream out, long most) throws IOException {
        byte[] some = new byte[1 << 14];
        long all = 0;
        for (int read = in.read(some); read >= 0; read = in.read(some)) {
            all += read;
            if (all > most) {
                throw address.endless(MOST_MEBIBYTES + " MiB");
            }
            if (Thread.interrupted()) {
                throw new InterruptedIOException("the request was cancelled");
            }
            out.write(some, 0, read);
        }
    }

    private static Optional<ObjectNode> parse(String text) {
        try {
            return JSON.readTree(text) instanceof ObjectNode object ? Optional.of(object) : Optional.empty();
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }
}
