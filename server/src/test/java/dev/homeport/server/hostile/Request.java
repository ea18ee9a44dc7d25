package dev.homeport.server.hostile;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A request in parts that can be spoilt one by one.
 *
 * @param operation the id of the operation in the description
 * @param query raw, without the question mark
 */
record Request(String operation, String method, String path, String query, Map<String, String> headers, byte[] body) {

    static Request of(String operation, String method, String path) {
        return new Request(operation, method, path, "", Map.of(), new byte[0]);
    }

    Request with(String header, String value) {
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.put(header, value);
        return new Request(operation, method, path, query, all, body);
    }

    Request without(String header) {
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.remove(header);
        return new Request(operation, method, path, query, all, body);
    }

    Request at(String otherPath) {
        return new Request(operation, method, otherPath, query, headers, body);
    }

    Request by(String otherMethod) {
        return new Request(operation, otherMethod, path, query, headers, body);
    }

    /** Adds to the query. */
    Request asking(String more) {
        return new Request(operation, method, path, query.isEmpty() ? more : query + "&" + more, headers, body);
    }

    Request sending(byte[] bytes) {
        return new Request(operation, method, path, query, headers, bytes);
    }

    Request json(String text) {
        return sending(text.getBytes(StandardCharsets.UTF_8)).with("Content-Type", "application/json");
    }

    String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    String target() {
        return query.isEmpty() ? path : path + "?" + query;
    }

    String kind() {
        int end = operation.indexOf('_');
        return operation.startsWith("root_") || end < 0 ? operation : operation.substring(0, end);
    }

    @Override
    public String toString() {
        String shown = text();
        return operation + ": " + method + " " + shorten(target()) + " " + headers + " " + shorten(shown);
    }

    private static String shorten(String text) {
        return text.length() > 600 ? text.substring(0, 600) + "…(" + text.length() + ")" : text;
    }
}
