package dev.homeport.server.signin;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Cookies that are this host's alone, that scripts do not see, and that no other site's forms bring along. */
final class Cookies {
    private Cookies() {}

    static String set(String name, String value, Duration life) {
        return name + "=" + value + "; Path=/; Max-Age=" + life.toSeconds() + "; Secure; HttpOnly; SameSite=Lax";
    }

    static String forget(String name) {
        return set(name, "", Duration.ZERO);
    }

    /** A cookie's value; nothing when there are two of the name, since only one of them can be ours. */
    static Optional<String> value(@Nullable String header, String name) {
        if (header == null) {
            return Optional.empty();
        }
        Optional<String> found = Optional.empty();
        for (String pair : header.split(";", -1)) {
            String trimmed = pair.strip();
            if (trimmed.startsWith(name + "=")) {
                if (found.isPresent()) {
                    return Optional.empty();
                }
                found = Optional.of(trimmed.substring(name.length() + 1));
            }
        }
        return found;
    }
}
