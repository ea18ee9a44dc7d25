package dev.homeport.cli.server;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A path with its query, put together piece by piece. */
public final class Paths {
    private final StringBuilder text;
    private boolean asked;

    public Paths(String path) {
        this.text = new StringBuilder(path);
    }

    /** Nothing is added for null and for an empty value. */
    public Paths with(String name, @Nullable String value) {
        if (value != null && !value.isEmpty()) {
            text.append(asked ? '&' : '?').append(name).append('=').append(encoded(value));
            asked = true;
        }
        return this;
    }

    public Paths with(String name, Optional<String> value) {
        return with(name, value.orElse(null));
    }

    public Paths flag(String name, boolean set) {
        return set ? with(name, "true") : this;
    }

    @Override
    public String toString() {
        return text.toString();
    }

    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
