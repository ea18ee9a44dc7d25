package dev.homeport.server.http;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The token in an Authorization header: as a bearer, or as the password of basic authentication. */
public final class Credentials {
    /** A token of an identity provider names all groups of a person. */
    private static final int LONGEST = 12 * 1024;

    private Credentials() {}

    public static Optional<String> token(@Nullable String header) {
        if (header == null || header.length() > LONGEST) {
            return Optional.empty();
        }
        int space = header.indexOf(' ');
        String scheme = space < 0 ? "" : header.substring(0, space);
        String rest = header.substring(space + 1).strip();
        if (scheme.equalsIgnoreCase("Bearer") && !rest.isEmpty()) {
            return Optional.of(rest);
        }
        return scheme.equalsIgnoreCase("Basic") ? password(rest) : Optional.empty();
    }

    private static Optional<String> password(String encoded) {
        try {
            String pair = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
            int colon = pair.indexOf(':');
            return colon < 0 ? Optional.empty() : Optional.of(pair.substring(colon + 1));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
