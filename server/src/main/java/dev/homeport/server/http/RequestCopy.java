package dev.homeport.server.http;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** What is still needed of a request once its answer is made on another thread. */
public record RequestCopy(
        String method,
        @Nullable String path,
        @Nullable String query,
        Map<String, String> kept,
        String peer,
        String proxied)
        implements RequestView {
    private static final List<String> HEADERS = List.of("traceparent", "tracestate", "user-agent", "x-request-id");

    public static RequestCopy of(RequestView request) {
        Map<String, String> kept = new HashMap<>();
        HEADERS.forEach(name -> {
            String value = request.header(name);
            if (value != null) {
                kept.put(name, value);
            }
        });
        return new RequestCopy(
                request.method(), request.path(), request.query(), kept, request.peer(), request.proxied());
    }

    @Override
    public @Nullable String header(String name) {
        return kept.get(name);
    }

    @Override
    public List<String> headers(String name) {
        String value = kept.get(name);
        return value == null ? List.of() : List.of(value);
    }

    @Override
    public @Nullable SSLSession session() {
        return null;
    }
}
