package dev.homeport.cli;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A path with its query, put together piece by piece. */
final class Paths {
    private final StringBuilder text;
    private boolean asked;

    Paths(String path) {
        this.text = new StringBuilder(path);
    }

    /** Nothing is added for null and for an empty value. */
    Paths with(String name, @Nullable String value) {
        if (value != null && !value.isEmpty()) {
            text.append(asked ? '&' : '?').append(name).append('=').append(encoded(value));
            asked = true;
        }
        return this;
    }

    Paths with(String name, Optional<String> value) {
        return with(name, value.orElse(null));
    }

    Paths flag(String name, boolean set) {
        return set ? with(name, "true") : this;
    }

    @Override
    public String toString() {
        return text.toString();
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
