package dev.homeport.server.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The identity providers of callers without a Homeport token. */
public record SignInSettings(Optional<People> people, List<Pipelines> pipelines) {
    public SignInSettings {
        pipelines = List.copyOf(pipelines);
    }

    /** Whether a service's name may be that of a job: it begins with the name of a trusted issuer. */
    public boolean isNameOfIssuer(String service) {
        return pipelines.stream().anyMatch(one -> service.startsWith(one.name() + Pipelines.SEPARATOR));
    }

    /**
     * An identity provider.
     *
     * @param name compared whole with what its tokens say
     * @param ca a PEM file with the authority of its certificate, where not every system knows that
     */
    public record Issuer(String name, Optional<Path> ca) {
        /** Keys that are fetched over an open network can be replaced by an attacker. */
        public static String parse(String text) {
            URI uri = URI.create(text);
            if (uri.getHost() == null || uri.getRawQuery() != null || uri.getRawFragment() != null) {
                throw new IllegalArgumentException("is not the address of an identity provider");
            }
            if (!isSafe(uri)) {
                throw new IllegalArgumentException(
                        "is not https://…, which only a provider on loopback may do without");
            }
            return text;
        }

        /** Whether what is read there can only be the provider's. */
        public static boolean isSafe(URI uri) {
            return "https".equals(uri.getScheme())
                    || "http".equals(uri.getScheme())
                            && Set.of("127.0.0.1", "[::1]", "localhost").contains(String.valueOf(uri.getHost()));
        }
    }

    /**
     * The provider that people sign in at.
     *
     * @param audience what a bearer's token must be meant for
     */
    public record People(Issuer issuer, String audience, Client client, Claims claims, Browser browser) {}

    /**
     * What the provider knows us as.
     *
     * @param cliId what it knows the command line as, which keeps no secret
     */
    public record Client(String id, Optional<String> secret, String cliId, String scopes) {}

    /** In which claims a person's name and groups are. */
    public record Claims(String name, String groups) {}

    /**
     * Settings of browser sign-in.
     *
     * @param adminUrl where they reach the admin plane; empty: no sign-in by browser
     * @param session how long a sign-in lasts
     */
    public record Browser(Optional<String> adminUrl, Duration session) {}

    /**
     * Jobs of a CI system: the rule that makes a service's name from the claims of a job's token.
     *
     * @param name the prefix of each name, so that no job can be named like another's
     * @param claims the required claims, each with the accepted values
     */
    public record Pipelines(
            String name, Issuer issuer, String audience, Map<String, Set<String>> claims, SubjectTemplate subject) {
        /** Between the issuer's name and that of the job. */
        public static final String SEPARATOR = ":";
    }
}
