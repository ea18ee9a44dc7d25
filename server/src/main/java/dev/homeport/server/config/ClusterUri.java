package dev.homeport.server.config;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How the URI in a cluster's certificate names it. Nothing is normalised: a URI that differs in one character from the one
 * that the cluster's id makes is another one.
 */
public record ClusterUri(String before, String after) {
    private static final String PLACE = "{id}";
    private static final Pattern ID = Pattern.compile("[a-z]([-a-z0-9]{0,61}[a-z0-9])?");

    static ClusterUri parse(String template) {
        int at = template.indexOf(PLACE);
        if (at < 0 || template.indexOf(PLACE, at + 1) >= 0) {
            throw new IllegalArgumentException("does not have {id} in it exactly once");
        }
        String before = template.substring(0, at);
        String after = template.substring(at + PLACE.length());
        if (!before.matches("[a-z][a-z0-9+.-]*:.*[/:]") || !after.matches("(/.*)?")) {
            throw new IllegalArgumentException(
                    "is not a URI with {id} as one whole part of it," + " such as spiffe://example.com/cluster/{id}");
        }
        return new ClusterUri(before, after);
    }

    /** The id of the cluster whose URI this is. */
    public Optional<String> cluster(String uri) {
        int end = uri.length() - after.length();
        if (!uri.startsWith(before) || !uri.endsWith(after) || end < before.length()) {
            return Optional.empty();
        }
        String id = uri.substring(before.length(), end);
        return ID.matcher(id).matches() ? Optional.of(id) : Optional.empty();
    }

    @Override
    public String toString() {
        return before + PLACE + after;
    }
}
