package dev.homeport.server.http;

import dev.homeport.json.CanonicalJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * A response.
 *
 * @param cookies values of Set-Cookie, the one header of which an answer may have several
 */
public record Reply(int status, String contentType, byte[] body, Map<String, String> headers, List<String> cookies) {
    public static final String JSON = "application/json";

    public Reply(int status, String contentType, byte[] body, Map<String, String> headers) {
        this(status, contentType, body, headers, List.of());
    }

    public static Reply json(int status, JsonNode body) {
        return new Reply(status, JSON, CanonicalJson.bytes(body), Map.of());
    }

    public static Reply text(int status, String contentType, String body) {
        return new Reply(status, contentType, body.getBytes(StandardCharsets.UTF_8), Map.of());
    }

    public Reply with(String header, String value) {
        Map<String, String> all = new TreeMap<>(headers);
        all.put(header, value);
        return new Reply(status, contentType, body, all, cookies);
    }

    public Reply withCookie(String cookie) {
        List<String> all = new ArrayList<>(cookies);
        all.add(cookie);
        return new Reply(status, contentType, body, headers, all);
    }
}
