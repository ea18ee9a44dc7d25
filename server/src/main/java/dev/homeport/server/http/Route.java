package dev.homeport.server.http;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One operation: how it is called, what it is, and who answers it. The table of routes is also what the OpenAPI document and
 * the authorization matrix are made from.
 *
 * @param path with placeholders, such as {@code /api/v2/{plural}/{id}:pause}
 * @param id the operation's name in OpenAPI
 */
public record Route(String method, String path, String id, String summary, Needs needs, Handler handler) {

    /** What a caller must show before the body is read. */
    public enum Needs {
        NOTHING,
        /** Any valid token; the handler decides further. */
        TOKEN,
        /** A token that may read something of the admin plane; what, is asked of each document. */
        READ,
        /** A token from which nothing is hidden. */
        WHOLE_FLEET,
        /** A token that may read; whether it may write is asked of each document. */
        WRITE,
        /** A token that may read the root collections. */
        ROOT_READ,
        /** A token that may write the root collections; any other is answered as if it were wrong. */
        ROOT_WRITE
    }

    /** Answers a call, in a thread of its own that may block. */
    @FunctionalInterface
    public interface Handler {
        Reply handle(Call call) throws Exception;

        /** Names of the query parameters that it reads. */
        default Set<String> query() {
            return Set.of();
        }

        /** This handler, which says what it reads. */
        default Handler reading(Set<String> names) {
            return new Reading(this, Set.copyOf(names));
        }
    }

    private record Reading(Handler handler, Set<String> query) implements Handler {
        @Override
        public Reply handle(Call call) throws Exception {
            return handler.handle(call);
        }
    }

    /** Answers with a stream that may go on for hours, in a thread of its own. */
    public interface Streamer extends Handler {
        /** An exception before the first byte becomes an error reply. */
        void stream(Call call, StreamOutput out) throws Exception;

        @Override
        default Reply handle(Call call) {
            throw new IllegalStateException("this route streams");
        }
    }

    /** What the placeholders stand for, if the path is this route's. */
    public Optional<Map<String, String>> match(String asked) {
        String[] pattern = path.split("/", -1);
        String[] parts = asked.split("/", -1);
        if (pattern.length != parts.length) {
            return Optional.empty();
        }
        Map<String, String> parameters = new HashMap<>();
        for (int i = 0; i < pattern.length; i++) {
            if (!matchPart(pattern[i], parts[i], parameters)) {
                return Optional.empty();
            }
        }
        return Optional.of(parameters);
    }

    /** A part is fixed, or a placeholder that may be followed by a fixed verb: {@code {id}:pause}. */
    private static boolean matchPart(String pattern, String part, Map<String, String> parameters) {
        int end = pattern.indexOf('}');
        if (!pattern.startsWith("{") || end < 0) {
            return pattern.equals(part);
        }
        String verb = pattern.substring(end + 1);
        if (!part.endsWith(verb) || part.length() == verb.length()) {
            return false;
        }
        String value = part.substring(0, part.length() - verb.length());
        if (value.indexOf(':') >= 0) {
            return false;
        }
        parameters.put(pattern.substring(1, end), value);
        return true;
    }

    /** How specific the path is: a fixed part counts more than a placeholder. */
    int weight() {
        int weight = 0;
        for (String part : List.of(path.split("/", -1))) {
            weight = weight * 3 + (part.startsWith("{") ? (part.endsWith("}") ? 0 : 1) : 2);
        }
        return weight;
    }
}
