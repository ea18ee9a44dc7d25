package dev.homeport.access;

import dev.homeport.document.Document;
import dev.homeport.document.Types;
import dev.homeport.fleet.FleetSettings;
import dev.homeport.fleet.FleetView;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * The field {@code tokens} of {@code settings/fleet}: how long tokens of people and services live, and who may make them.
 *
 * @param defaultLifetime of a token that names no end
 * @param maxLifetime of any token
 * @param maxLive tokens of one person or service, or to join one cluster, that work at the same time
 * @param fromSignIn what callers get who came by an identity provider and not with a token
 */
public record TokenSettings(
        Optional<Duration> defaultLifetime, Optional<Duration> maxLifetime, int maxLive, FromSignIn fromSignIn) {
    private static final Duration STANDARD_LIFETIME = Duration.ofDays(90);
    private static final Duration STANDARD_MAXIMUM = Duration.ofDays(365);
    private static final int STANDARD_LIVE = 20;

    /** What a sign-in may be turned into. */
    public enum FromSignIn {
        /** No tokens. */
        NONE,
        /** Tokens that end with the sign-in. */
        SESSION,
        /** Tokens that live as long as others. */
        MAX_LIFETIME
    }

    /**
     * Missing fields have defaults. Tokens of platform admins have no default lifetime: existing installations depend on such
     * tokens, which do not end.
     */
    public static TokenSettings of(FleetView view, boolean platformAdmin) {
        Document settings = view.document(Types.SETTINGS, FleetSettings.ID);
        JsonNode tokens = settings == null || settings.fault().isPresent()
                ? MissingNode.getInstance()
                : settings.tree().path("tokens");
        FromSignIn fromSignIn = switch (tokens.path("from_sign_in").stringValue("none")) {
            case "session" -> FromSignIn.SESSION;
            case "max_lifetime" -> FromSignIn.MAX_LIFETIME;
            default -> FromSignIn.NONE;
        };
        return new TokenSettings(
                lifetime(tokens, "default_lifetime_hours", STANDARD_LIFETIME, platformAdmin),
                lifetime(tokens, "max_lifetime_hours", STANDARD_MAXIMUM, platformAdmin),
                tokens.path("max_live_per_subject").intValue(STANDARD_LIVE),
                fromSignIn);
    }

    private static Optional<Duration> lifetime(
            JsonNode tokens, String field, Duration standard, boolean platformAdmin) {
        if (tokens.has(field)) {
            return Optional.of(Duration.ofHours(tokens.path(field).longValue(1)));
        }
        return platformAdmin ? Optional.empty() : Optional.of(standard);
    }
}
